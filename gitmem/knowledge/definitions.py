"""What a definition is called and where it stands, language by language, as data for the parsers of ast-grep."""

from collections.abc import Mapping

from gitmem.values import NamedTuple

Ways = Mapping[str, str]
NO_WAYS: Ways = {}


class Grammar(NamedTuple):
    """One language: kinds of its parser's nodes, each with the way from the node to its name.

    A way is steps joined by `/`, each a field or the kind of a child; `=word` is a name itself, `declarator` is C's own
    way, and an empty one tells no name. values: what counts only outside of functions, unless it is a function itself.
    weak: what declares and does not define. spaces: what holds definitions and may be left out of their names. scopes:
    what names the definitions in it and is none. receivers: the way to the type that a method belongs to. closed:
    functions. wrappers: parents that belong to a definition. marks: attributes that lie beside what they are about.
    """

    parser: str
    suffixes: tuple[str, ...]
    defines: Ways
    values: Ways = NO_WAYS
    weak: Ways = NO_WAYS
    spaces: Ways = NO_WAYS
    scopes: Ways = NO_WAYS
    receivers: Ways = NO_WAYS
    closed: tuple[str, ...] = ()
    wrappers: tuple[str, ...] = ()
    comments: tuple[str, ...] = ("comment",)
    marks: tuple[str, ...] = ()


def _named(kinds: str, way: str = "name") -> dict[str, str]:
    return dict.fromkeys(kinds.split(), way)


_C = {
    **_named("function_definition type_definition", "declarator"),
    **_named("preproc_def preproc_function_def struct_specifier union_specifier enum_specifier"),
}
_C_WRAPPERS = ("type_definition", "template_declaration")
_SCRIPT = _named(
    "function_declaration generator_function_declaration class_declaration method_definition export_statement"
)
_SCRIPT_FUNCTIONS = (
    "function_declaration", "generator_function_declaration", "method_definition", "arrow_function",
    "function_expression", "generator_function",
)  # fmt: skip
_SCRIPT_VALUES = {"variable_declarator": "name", "assignment_expression": "left", "pair": "key"}
_SCRIPT_WRAPPERS = ("export_statement", "expression_statement", "lexical_declaration", "variable_declaration")
_TYPED = _SCRIPT | _named(
    "abstract_class_declaration public_field_definition interface_declaration type_alias_declaration enum_declaration"
    " function_signature method_signature abstract_method_signature property_signature"
)

GRAMMARS = (
    Grammar(
        "python",
        (".py", ".pyi", ".pyw"),
        _named("function_definition class_definition") | {"type_alias_statement": "left"},
        values={"assignment": "left"},
        closed=("function_definition", "lambda"),
        wrappers=("decorated_definition", "expression_statement"),
    ),
    Grammar(
        "javascript",
        (".js", ".mjs", ".cjs", ".jsx"),
        _SCRIPT | {"field_definition": "property"},
        values=_SCRIPT_VALUES,
        closed=_SCRIPT_FUNCTIONS,
        wrappers=_SCRIPT_WRAPPERS,
        marks=("decorator",),
    ),
    *(
        Grammar(
            parser,
            suffixes,
            _TYPED,
            values=_SCRIPT_VALUES,
            spaces=_named("internal_module module"),
            closed=_SCRIPT_FUNCTIONS,
            wrappers=(*_SCRIPT_WRAPPERS, "ambient_declaration"),
            marks=("decorator",),
        )
        for parser, suffixes in (("typescript", (".ts", ".mts", ".cts")), ("tsx", (".tsx",)))
    ),
    Grammar(
        "go",
        (".go",),
        _named("function_declaration method_declaration type_spec type_alias method_elem"),
        values=_named("const_spec var_spec"),
        receivers={"method_declaration": "receiver"},
        closed=("function_declaration", "method_declaration", "func_literal"),
        wrappers=("type_declaration", "const_declaration", "var_declaration"),
    ),
    Grammar(
        "rust",
        (".rs",),
        _named(
            "function_item function_signature_item struct_item enum_item union_item trait_item type_item const_item"
            " static_item macro_definition enum_variant associated_type"
        ),
        spaces=_named("mod_item"),
        scopes={"impl_item": "type"},
        comments=("line_comment", "block_comment"),
        marks=("attribute_item",),
    ),
    Grammar(
        "java",
        (".java",),
        _named(
            "class_declaration interface_declaration enum_declaration record_declaration annotation_type_declaration"
            " method_declaration constructor_declaration compact_constructor_declaration enum_constant"
            " annotation_type_element_declaration"
        ),
        values=_named("variable_declarator"),
        closed=("method_declaration", "constructor_declaration", "compact_constructor_declaration", "lambda_expression"),
        wrappers=("field_declaration", "constant_declaration"),
        comments=("line_comment", "block_comment"),
    ),
    Grammar(
        "c",
        (".c",),
        _C,
        values={"declaration": "declarator"},
        closed=("function_definition",),
        wrappers=_C_WRAPPERS[:1],
    ),
    Grammar(
        "cpp",
        (".cc", ".cpp", ".cxx", ".c++", ".h", ".hh", ".hpp", ".hxx", ".h++", ".ipp", ".tpp", ".inl", ".cu", ".cuh"),
        _C | _named("class_specifier alias_declaration concept_definition"),
        values={"declaration": "declarator"},
        weak={"field_declaration": "declarator"},
        spaces=_named("namespace_definition"),
        closed=("function_definition", "lambda_expression"),
        wrappers=_C_WRAPPERS,
    ),
    Grammar(
        "csharp",
        (".cs", ".csx"),
        _named(
            "class_declaration interface_declaration struct_declaration record_declaration enum_declaration"
            " delegate_declaration method_declaration constructor_declaration property_declaration"
            " local_function_statement enum_member_declaration event_declaration"
        ),
        values=_named("variable_declarator"),
        spaces=_named("namespace_declaration file_scoped_namespace_declaration"),
        closed=("method_declaration", "constructor_declaration", "lambda_expression", "local_function_statement", "block"),
        wrappers=("variable_declaration", "field_declaration", "event_field_declaration"),
    ),
    Grammar(
        "ruby",
        (".rb", ".rake", ".gemspec", ".ru"),
        _named("class module method singleton_method"),
        values={"assignment": "left"},
        closed=("method", "singleton_method", "lambda"),
    ),
    Grammar(
        "php",
        (".php", ".phtml"),
        _named(
            "class_declaration interface_declaration trait_declaration enum_declaration function_definition"
            " method_declaration enum_case"
        )
        | {"const_element": "name", "property_element": "variable_name/name"},
        spaces=_named("namespace_definition"),
        wrappers=("const_declaration", "property_declaration"),
    ),
    Grammar(
        "kotlin",
        (".kt", ".kts"),
        _named("class_declaration object_declaration type_alias", "type_identifier")
        | _named("function_declaration enum_entry", "simple_identifier")
        | {"secondary_constructor": "=constructor"},
        values={"property_declaration": "variable_declaration/simple_identifier"},
        receivers=_named("function_declaration property_declaration", "receiver_type"),
        closed=(
            "function_declaration", "secondary_constructor", "lambda_literal", "anonymous_function",
            "anonymous_initializer", "getter", "setter",
        ),
        comments=("line_comment", "multiline_comment"),
    ),
    Grammar(
        "swift",
        (".swift",),
        _named(
            "class_declaration protocol_declaration function_declaration protocol_function_declaration"
            " typealias_declaration enum_entry"
        )
        | {"init_declaration": "=init", "deinit_declaration": "=deinit", "subscript_declaration": "=subscript"}
        | {"protocol_property_declaration": "pattern/simple_identifier"},
        values=_named("property_declaration"),
        closed=(
            "function_declaration", "init_declaration", "deinit_declaration", "lambda_literal", "computed_property",
        ),
        comments=("comment", "multiline_comment"),
    ),
    Grammar(
        "scala",
        (".scala", ".sc", ".sbt"),
        _named(
            "class_definition object_definition trait_definition enum_definition function_definition"
            " function_declaration type_definition given_definition simple_enum_case"
        ),
        values=_named("val_definition var_definition", "pattern"),
        closed=("function_definition", "lambda_expression"),
        comments=("comment", "block_comment"),
    ),
    Grammar(
        "lua",
        (".lua",),
        _named("function_declaration"),
        values={"assignment_statement": "variable_list/name"},
        closed=("function_declaration", "function_definition"),
        wrappers=("variable_declaration",),
    ),
    Grammar(
        "bash",
        (".sh", ".bash"),
        _named("function_definition"),
        values=_named("variable_assignment"),
        closed=("function_definition",),
    ),
)  # fmt: skip
# Values of these kinds are definitions wherever they stand.
FUNCTIONS = frozenset(
    (
        "arrow_function",
        "function_expression",
        "generator_function",
        "class",
        "lambda",
        "func_literal",
        "function_definition",
    )
)
# Nodes of these kinds may have several names.
LISTS = frozenset(("const_spec", "var_spec", "enum_entry"))

_BY_SUFFIX = {suffix: grammar for grammar in GRAMMARS for suffix in grammar.suffixes}


def ways_of(grammar: Grammar) -> Ways:
    """Returns the way to the name of each kind that has one."""
    return {**grammar.scopes, **grammar.spaces, **grammar.weak, **grammar.values, **grammar.defines}


def grammar_of(path: str) -> Grammar | None:
    """Returns the grammar of the language that a file's name tells, None for one whose definitions are not known."""
    name = path[path.rfind("/") + 1 :]
    dot = name.rfind(".")
    return _BY_SUFFIX.get(name[dot:].lower()) if dot > 0 else None
