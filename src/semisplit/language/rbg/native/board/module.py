"""The module of a game: what its functions know about the board and the state."""

from __future__ import annotations

from llvmlite import ir

from semisplit.compiler.emit.module import Module
from semisplit.language.rbg.native.board.layout import Layout
from semisplit.language.rbg.native.board.relation import Relation
from semisplit.language.rbg.native.board.squares import Squares


class BoardModule(Module):
    """A module for code on sets of squares and on states of one layout."""

    def __init__(
        self,
        name: str,
        max_size: int,
        squares: Squares,
        layout: Layout,
        *,
        pdep: bool,
        checked: bool,
        gpu: bool = False,
    ):
        super().__init__(name, max_size, pdep=pdep, checked=checked, gpu=gpu)
        self.squares = squares
        self.layout = layout
        self.set_type = ir.IntType(64 * squares.words)
        self.nth: ir.Function | None = None
        """Finds the square of a wide set with so many below it; there when first asked for."""
        self._relations = {relation: relation for relation in squares.shifts.values()}

    def same(self, relation: Relation) -> Relation:
        """A relation, or one that is the same and has been there before."""
        return self._relations.setdefault(relation, relation)
