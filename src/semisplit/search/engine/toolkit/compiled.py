"""Kernels as parts of those that Python calls.

Numba would make every kernel a program of its own: optimised with all that it calls, down to
machine code, with wrappers for Python; and then once more in each kernel that calls it. But only a
dozen kernels are called from Python. Here the others are translated to LLVM's language and no
further; and what Python calls is linked with all its parts and then optimised, which takes a
quarter of the time.
"""

from __future__ import annotations

from copy import copy
from typing import Any

from numba import types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.typing import make_concrete_template


class _Part(JITCodeLibrary):  # type: ignore[misc]
    """The code of a kernel that waits to become part of another one."""

    def finalize(self) -> None:
        """Leave the work to the whole."""
        self._finalized = True

    def module(self) -> Any:
        """Its own code, to be linked."""
        return super()._get_module_for_linking()

    def _get_module_for_linking(self) -> Any:
        raise TypeError("kernels are called by kernels: numba.njit(pipeline_class=Pipeline)")


class _Whole(JITCodeLibrary):  # type: ignore[misc]
    """The code of a kernel that Python calls, and of all it calls."""

    _linking_libraries: list[Any]

    def finalize(self) -> None:
        """Link with all parts and their parts, each once."""
        pending, self._linking_libraries = list(self._linking_libraries), []
        linked = set()
        while pending:
            library = pending.pop()
            if not isinstance(library, _Part):
                self._linking_libraries.append(library)
            elif library not in linked:
                linked.add(library)
                self._final_module.link_in(library.module(), preserve=True)
                pending += library._linking_libraries
        super().finalize()

    def _optimize_final_module(self) -> None:
        # The second time calls of parts that became small are gone, too: 2 % of the speed.
        for _ in range(2):
            passes, builder = self._codegen._module_pass_manager()
            passes.run(self._final_module, builder)


class Pipeline(CompilerBase):  # type: ignore[misc]
    """Numba's stages; what comes out is a part or a whole."""

    def define_pipelines(self) -> list[Any]:
        """The stages for one kernel."""
        codegen, name = self.state.targetctx.codegen(), self.state.func_id.func_qualname
        if self.state.flags.no_compile and self.state.flags.no_cfunc_wrapper:
            self.state.library = _Part(codegen, name)
        else:
            self.state.library = _Whole(codegen, name)
            self.state.library.enable_object_caching()
        return [DefaultPassBuilder.define_nopython_pipeline(self.state)]


class _Parts:
    """A kernel as others call it: one part for each kind of arguments."""

    def __init__(self, dispatcher: Any) -> None:
        self._name = dispatcher.py_func.__name__
        self._compiler = copy(dispatcher._compiler)
        self._compiler._customize_flags = _without_machine_code
        self._context = dispatcher.targetctx
        self._parts: dict[tuple[types.Type, ...], Any] = {}

    def get_call_template(self, args: tuple[types.Type, ...], kws: dict[str, types.Type]) -> Any:
        """What Numba asks when it meets a call: the part's types."""
        signature, kinds = self._compiler.fold_argument_types(args, kws)
        # Whatever integers a kernel is called with, it is compiled for one kind only.
        kinds = tuple(map(_widened, kinds))
        if kinds not in self._parts:
            part = self._compiler.compile(kinds, None)
            self._context.insert_user_function(part.library, part.fndesc, [part.library])
            self._parts[kinds] = part
        signatures = [part.signature for part in self._parts.values()]
        return make_concrete_template(self._name, self._name, signatures), signature, kinds, {}

    def get_overload(self, args: tuple[types.Type, ...]) -> Any:
        """What Numba asks when it translates the call: the part itself."""
        return self._parts[tuple(args)].library


def _without_machine_code(flags: Any) -> Any:
    flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
    return flags


def _widened(kind: types.Type) -> types.Type:
    plain = types.unliteral(kind)
    return types.int64 if isinstance(plain, types.Integer) else plain


def call_as_part(dispatcher: Any) -> None:
    """Let other kernels take a kernel as their part."""
    parts = _Parts(dispatcher)
    dispatcher.get_call_template = parts.get_call_template
    dispatcher.get_overload = parts.get_overload
