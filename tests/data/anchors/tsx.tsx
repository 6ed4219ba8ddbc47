interface Props {
  name: string;
}
/** Shows a name. */
export const Label = ({ name }: Props) => {
  const onClick = () => alert(name);
  return <b onClick={onClick}>{name}</b>;
};
export function App() {
  return <Label name="x" />;
}
