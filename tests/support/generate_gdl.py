"""Random descriptions in GDL: stratified, with recursion, negation, functions and several roles.

Predicates are in layers. A rule asks for those of lower layers, also negated, and for those of its
own layer, as the recursion restriction allows. Each variable gets a condition that binds it.
"""

from hypothesis import strategies as st

_CONSTANTS = ("a", "b", "c")
_VARIABLES = ("?x", "?y", "?z")
_TERMS = st.sampled_from([*_VARIABLES * 2, *_CONSTANTS, "(f ?x)", "(f a)", "(g ?x ?y)", "(g b ?z)"])
_ARITIES = (1, 2, 1, 2, 0, 1)
_LAYERS = 6
_STATIC, _STATE = 2, 4
"""The first layers that may depend on the state, and on moves."""
MOVE_DEPENDENT = {"next", "p4", "p5", "q4", "q5"}


@st.composite
def descriptions(draw: st.DrawFn) -> str:
    """A description that passes all checks; what it describes need not be fun."""
    roles = draw(st.integers(1, 3))
    lines = [f"(role r{number})" for number in range(roles)]
    lines += [f"(d {constant})" for constant in _CONSTANTS]
    lines += [f"(e {draw(_constant)} {draw(_constant)})" for _ in range(draw(st.integers(2, 4)))]
    lines += ["(t (f a))", "(t (g a b))", "(t (g b c))", "(t c)"]
    for layer in range(_LAYERS):
        source = "does" if layer >= _STATE else "true" if layer >= _STATIC else ""
        for name in ("p", "q", *draw(st.lists(st.sampled_from("pq"), max_size=3))):
            head = draw(_sentence(f"{name}{layer}", _ARITIES[layer], _TERMS))
            lines.append(_rule(head, draw(_bodies(layer, source)), layer))
    for head, layers, source in (
        ("(init ?x)", _STATIC, ""),
        ("(init (g ?x ?y))", _STATIC, ""),
        ("(legal r0 ?x)", _STATE, "true"),
        ("(legal ?z (f ?x))", _STATE, "true"),
        ("(next ?x)", _LAYERS, "does"),
        ("(next (g ?x ?y))", _LAYERS, "does"),
        ("terminal", _STATE, "true"),
        ("(goal r0 7)", _STATE, "true"),
    ):
        lines.append(_rule(head, draw(_bodies(layers, source, itself=False)), layers))
    lines += [f"(legal r{number} noop)" for number in range(roles)]
    return "\n".join(lines)


_constant = st.sampled_from(_CONSTANTS)


@st.composite
def _bodies(draw: st.DrawFn, layer: int, source: str, *, itself: bool = True) -> list[str]:
    literals = draw(st.lists(_literals(layer, source), min_size=1, max_size=3))
    if itself and draw(st.booleans()):
        # What is asked for in the circle is bound outside of it, as are all variables.
        name = draw(st.sampled_from("pq"))
        variables = st.sampled_from(_VARIABLES)
        literals.append(draw(_sentence(f"{name}{layer}", _ARITIES[layer], variables)))
        literals.append(f"(e {draw(variables)} {draw(variables)})")
    return literals


@st.composite
def _literals(draw: st.DrawFn, layer: int, source: str, depth: int = 0) -> str:
    kind = draw(st.sampled_from(["atom"] * 5 + ["not", "distinct", "or", "and"]))
    if depth == 2 or kind == "atom":
        return draw(_atoms(layer, source))
    inner = _literals(layer, source, depth + 1)
    match kind:
        case "not":
            return f"(not {draw(inner)})"
        case "distinct":
            return f"(distinct {draw(_TERMS)} {draw(_TERMS)})"
        case _:
            return f"({kind} {' '.join(draw(st.lists(inner, min_size=1, max_size=3)))})"


@st.composite
def _atoms(draw: st.DrawFn, layer: int, source: str) -> str:
    below = [(f"{name}{lower}", _ARITIES[lower]) for lower in range(layer) for name in "pq"]
    given = {"": [], "true": [("true", 1)], "does": [("true", 1), ("does", 2)]}[source]
    known = [("e", 2), ("t", 1), ("d", 1), *below, *given * 3]
    name, arity = draw(st.sampled_from(known))
    return draw(_sentence(name, arity, _TERMS))


@st.composite
def _sentence(draw: st.DrawFn, name: str, arity: int, terms: st.SearchStrategy[str]) -> str:
    return f"({' '.join([name, *(draw(terms) for _ in range(arity))])})" if arity else name


def _rule(head: str, body: list[str], layer: int) -> str:
    text = " ".join([head, *body])
    # What is bound here is so in every alternative.
    domains = [f"({'t' if v == '?y' and layer % 2 else 'd'} {v})" for v in _VARIABLES if v in text]
    return f"(<= {head} {' '.join([*body, *domains])})"
