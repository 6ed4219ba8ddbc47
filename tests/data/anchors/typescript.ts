/** Saves notes. */
@Injectable()
export class Store<T> extends Base implements Shape {
  private limit = 8;
  handler = (a: number) => a;
  /** Writes one. */
  @Log()
  async save(note: Note): Promise<boolean> {
    return true;
  }
  constructor(private path: string) {
    super();
  }
}
export interface Shape {
  area(): number;
  name: string;
}
export type Names = string[];
export enum Color {
  Red,
}
export namespace Acme.Inner {
  export function deep() {}
}
declare module "other" {
  function ambient(a: number): string;
}
declare function declared(a: number): string;
export function over(a: string): void;
export function over(a: number): void;
export function over(a: any) {
  const local = 1;
}
export abstract class Abstract {
  abstract run(): void;
}
export const arrow = async <T,>(a: T) => a;
export const LIMIT = 8 as const;
export default class {
  run() {}
}
