"""Data flows down the floors, an outside package has one owner, and no cycle exists."""

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "gitmem"
FLOORS = ["values", "errors", "storage", "notes", "knowledge", "search", "operations", "faces"]
OWNERS = {
    "subprocess": {"gitmem.storage.programs"},
    "dulwich": {"gitmem.storage.objects"},
    "yaml": {"gitmem.notes.frontmatter"},
    "frontmatter": {"gitmem.notes.frontmatter"},
    "tantivy": {"gitmem.search.index"},
    "model2vec": {"gitmem.search.embed"},
    "tokenizers": {"gitmem.search.packing"},
    "Stemmer": {"gitmem.search.tokens"},
    "msgspec": {"gitmem.notes.entry"},
    "tomllib": {"gitmem.notes.config", "gitmem.operations.parts"},
    "ast_grep_py": {"gitmem.knowledge.anchors"},
    "click": {"gitmem.faces.cli"},
    "mcp": {"gitmem.faces.mcp_server"},
    "mcp_types": {"gitmem.faces.mcp_server"},
    "anyio": {"gitmem.faces.mcp_server"},
}


def module_name(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_name(path): path for path in sorted(PACKAGE.rglob("*.py"))}


def imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} has a relative import"
            found |= {node.module or ""} | {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def floor(module: str) -> int:
    parts = module.split(".")
    return FLOORS.index(parts[1]) if len(parts) > 1 and parts[1] in FLOORS else -1


@pytest.mark.parametrize("module", MODULES)
def test_imports_go_down_the_floors(module: str) -> None:
    ours = {name for name in imports(MODULES[module]) if name in MODULES and name != "gitmem"}

    upward = {name for name in ours if floor(name) > floor(module)} if floor(module) >= 0 else set()

    assert not upward


@pytest.mark.parametrize("package", OWNERS)
def test_an_outside_package_has_one_owner(package: str) -> None:
    users = {name for name, path in MODULES.items() if any(found.split(".")[0] == package for found in imports(path))}

    assert users <= OWNERS[package]


def test_no_import_cycle_exists() -> None:
    edges = {name: {used for used in imports(path) if used in MODULES} - {name} for name, path in MODULES.items()}

    left = dict(edges)
    while ready := [name for name, used in left.items() if not used & left.keys()]:
        for name in ready:
            del left[name]

    assert not left, f"a cycle among {sorted(left)}"


@pytest.mark.parametrize("module", MODULES)
def test_every_module_says_in_one_sentence_what_it_is_for(module: str) -> None:
    said = ast.get_docstring(ast.parse(MODULES[module].read_text())) or ""

    assert said.endswith(".") and "\n" not in said and ". " not in said
