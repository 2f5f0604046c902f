"""Rules as a player gets them: without comments, and with other names if that is wanted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

from semisplit.core.report import Report
from semisplit.language.gdl.check.description import Description
from semisplit.language.gdl.text.keywords import ARITIES, LOGICAL
from semisplit.language.gdl.text.lexer import Token, tokenize

_WORD = re.compile(r"[^ ()]+")
_KEPT = LOGICAL | ARITIES.keys() | {"random", "_"}
_CONSONANTS, _VOWELS = "bdfghjklmnprstvwz", "aeiou"


class Spelling:
    """The names of a game as a player knows them."""

    def __init__(self, description: Description, random: Random | None = None):
        """Choose names.

        Args:
            description: The game.
            random: For other names than those of the description; None keeps them.
        """
        names = description.names
        source = description.source
        self._tokens = tokenize(source, Report(source), name=names.name)[:-1]
        self._name = names.name if random is None else str.lower
        """What a player's spelling is called."""
        self._theirs = dict(description.spelling)
        self._variables: dict[str, str] = {}
        if random is not None:
            words = _words(random)
            known = {token.name for token in self._tokens if token.kind == "constant"}
            # In no order that tells what they were.
            self._theirs = {name: next(words) for name in sorted(known) if not _is_kept(name)}
            variables = {token.name for token in self._tokens if token.kind == "variable"}
            self._variables = {name: f"?{next(words)}" for name in sorted(variables)}
        self._ours = {self._name(word): name for name, word in self._theirs.items()}

    def rules(self) -> list[str]:
        """All rules, each as text with single blanks."""
        rules: list[str] = []
        words: list[str] = []
        depth = 0
        for token in self._tokens:
            words.append(self._write(token))
            depth += {"open": 1, "close": -1}.get(token.kind, 0)
            if depth == 0:
                rules.append(" ".join(words))
                words = []
        return rules

    def _write(self, token: Token) -> str:
        match token.kind:
            case "constant":
                return self._theirs.get(token.name, token.name)
            case "variable":
                return self._variables.get(token.name, token.name)
            case _:
                return token.text

    def theirs(self, text: str) -> str:
        """A term in our names as the player knows it."""
        return _WORD.sub(lambda word: self._theirs.get(word[0], word[0]), text)

    def ours(self, text: str) -> str:
        """What a player has written, in our names; unknown ones are `?`."""

        def name(word: re.Match[str]) -> str:
            called = self._name(word[0])
            return self._ours.get(called, called if _is_kept(called) else "?")

        return re.sub(r"[^\s()]+", name, text)


def _is_kept(name: str) -> bool:
    return name in _KEPT or re.fullmatch(r"[+-]?[0-9]+", name) is not None


def _words(random: Random) -> Iterator[str]:
    """Words without a meaning, each once."""
    known: set[str] = set()
    while True:
        syllables = random.randint(2, 4)
        word = "".join(
            random.choice(_CONSONANTS) + random.choice(_VOWELS) for _ in range(syllables)
        )
        if word not in known and word not in _KEPT:
            known.add(word)
            yield word
