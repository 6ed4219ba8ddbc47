"""Walks over the links, drawn: as a tree for reading, or as a graph for Graphviz and Mermaid."""

from collections.abc import Mapping

from gitmem.faces.render import QUOTE, Result, View, label, page, safe


def tree(result: Result, view: View) -> str:
    """Returns the notes as a tree under the root, each by the link it was reached by, then the links left over."""
    depths = {note["name"]: note["depth"] for note in result["notes"]}
    parents: dict[str, Result] = {}
    for edge in result["edges"]:
        if edge["from"] in depths and edge["to"] in depths:
            near, far = sorted((edge["from"], edge["to"]), key=depths.__getitem__)
            if depths[near] < depths[far]:
                parents.setdefault(far, edge)
    notes = {note["name"]: note for note in result["notes"]}
    lines = _branch(result["root"], notes, parents, view)
    left = [edge for edge in result["edges"] if not any(edge is used for used in parents.values())]
    return page("\n".join(lines + [label("also", _edge(edge), view) for edge in left]))


def _branch(name: str, notes: Mapping[str, Result], parents: Mapping[str, Result], view: View) -> list[str]:
    note, edge = notes[name], parents.get(name)
    arrow = "" if edge is None else f"{safe(edge['verb'])} {'→' if edge['to'] == name else '←'} "
    said = " · ".join(safe(word) for word in (note["type"], *note.get("marks", ())) if word)
    title = f"{view.bold}{safe(name)}{view.end} · {said} {QUOTE}{safe(note['title'])}"
    lines = ["  " * note["depth"] + arrow + title]
    for child, link in parents.items():
        if child != name and name in (link["from"], link["to"]) and notes[child]["depth"] > note["depth"]:
            lines += _branch(child, notes, parents, view)
    return lines


def _edge(edge: Result) -> str:
    note = f" ({edge['note']})" if edge["note"] else ""
    return f"{edge['from']} {edge['verb']} {edge['to']}{note}"


def dot(result: Result, view: View) -> str:
    """Returns the walk as a Graphviz digraph: https://graphviz.org/doc/info/lang.html."""
    lines = ["digraph memory {", "  node [shape=box];"]
    lines += [f"  {_dot(note['name'])} [label={_dot(note['title'])}];" for note in result["notes"]]
    for edge in result["edges"]:
        lines.append(f"  {_dot(edge['from'])} -> {_dot(edge['to'])} [label={_dot(edge['verb'])}];")
    return page("\n".join([*lines, "}"]))


def _dot(text: str) -> str:
    return '"' + safe(text).replace("\\", "\\\\").replace('"', '\\"') + '"'


def mermaid(result: Result, view: View) -> str:
    """Returns the walk as a Mermaid flowchart: https://mermaid.js.org/syntax/flowchart.html."""
    titles = {edge[end]: edge[end] for edge in result["edges"] for end in ("from", "to")}
    titles |= {note["name"]: note["title"] for note in result["notes"]}
    places = {name: f"n{at}" for at, name in enumerate(titles)}
    lines = [f"  {places[name]}[{_mermaid(title)}]" for name, title in titles.items()]
    lines += [f"  {places[e['from']]} -->|{_mermaid(e['verb'])}| {places[e['to']]}" for e in result["edges"]]
    return page("\n".join(["flowchart LR", *lines]))


def _mermaid(text: str) -> str:
    """Returns a quoted label: all that Mermaid could take for its own is written as an entity."""
    plain = " -_.,:;()/"
    kept = (letter if letter.isalnum() or letter in plain else f"#{ord(letter)};" for letter in safe(text))
    return f'"{"".join(kept)}"'
