"""Compiles the rules and the search of Astrocyte with Cython, where there is a C compiler.

Without one the same sources run as plain Python, with the same answers but slower. A wheel holds
the compiled modules beside their sources; `python deploy/build_hook.py` puts those of a checkout
into `build/compiled`, where `service/__init__.py` finds them.
"""

import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).parents[1]
COMPILED = ROOT / "build" / "compiled"

RULES = (
    "service.games.position",
    "service.games.astrocyte.table",
    "service.games.astrocyte.legal_moves",
    "service.games.astrocyte.rules",
    "service.games.binary_star.rules",
)
SEARCH = (
    "service.solvers.astrocyte.key_set",
    "service.solvers.astrocyte.state",
    "service.solvers.astrocyte.interning",
    "service.solvers.astrocyte.steps",
    "service.solvers.astrocyte.move_generation",
    "service.solvers.astrocyte.beam",
    "service.solvers.astrocyte.lookahead",
    "service.solvers.astrocyte.features",
    "service.solvers.astrocyte.net",
    "service.solvers.astrocyte.solver",
)
PYTHON = {"language_level": 3, "annotation_typing": False}
"""What holds of all modules: they are Python, and their types stand in `.pxd` files."""
UNCHECKED = {"boundscheck": False, "wraparound": False, "initializedcheck": False}
"""The search never indexes from the end or beyond it. The rules take whatever a request holds."""


def compile_into(folder: Path) -> list[Path]:
    """Compiles the modules into a package tree under `folder`, and gives the files.

    Raises what Cython or the compiler raise.
    """
    from setuptools import Distribution  # noqa: PLC0415 - an optional build tool

    with tempfile.TemporaryDirectory() as scratch:
        sources = [*_to_c(RULES, PYTHON, scratch), *_to_c(SEARCH, PYTHON | UNCHECKED, scratch)]
        build: Any = Distribution({"ext_modules": sources}).get_command_obj("build_ext")
        build.build_lib, build.build_temp = str(folder), scratch
        build.parallel = os.cpu_count()
        build.ensure_finalized()
        build.run()
    return [folder / build.get_ext_filename(name) for name in RULES + SEARCH]


def _to_c(modules: tuple[str, ...], directives: dict[str, Any], scratch: str) -> list[Any]:
    """Translates `modules` to C, and gives the extensions to build."""
    from Cython.Build import cythonize  # noqa: PLC0415 - optional build tools
    from setuptools import Extension  # noqa: PLC0415

    # No fused multiply-add, so that sums round as in plain Python.
    flags = [] if sys.platform == "win32" else ["-O1", "-g0", "-ffp-contract=off"]
    extensions = [
        Extension(name, [str(source(name).relative_to(ROOT))], extra_compile_args=flags)
        for name in modules
    ]
    extended: list[Any] = cythonize(
        extensions, build_dir=scratch, compiler_directives=directives, quiet=True
    )
    return extended


def source(module: str) -> Path:
    """The source of `module` in the checkout."""
    return ROOT.joinpath(*module.split(".")).with_suffix(".py")


def compile_checkout() -> None:
    """Compiles into `build/compiled`, and lists there what it was made from."""
    compile_into(COMPILED)
    python = [source(module) for module in RULES + SEARCH]
    types = [file for module in python if (file := module.with_suffix(".pxd")).exists()]
    listed = [file.relative_to(ROOT).as_posix() for file in python + types]
    (COMPILED / "sources").write_text("\n".join(listed) + "\n", encoding="utf-8")


class CompiledForm(BuildHookInterface[Any]):
    """Adds the compiled modules to a wheel, or leaves it pure Python if they cannot be built."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compiles, except for an editable install."""
        if version == "editable":
            return
        self._folder = tempfile.TemporaryDirectory()
        folder = Path(self._folder.name)
        try:
            made = compile_into(folder)
        except (Exception, SystemExit) as error:  # plain Python works too
            self.app.display_warning(f"The rules and the search are not compiled: {error}")
            return
        build_data["pure_python"], build_data["infer_tag"] = False, True
        for file in made:
            build_data["force_include"][str(file)] = str(file.relative_to(folder))

    def finalize(self, version: str, build_data: dict[str, Any], artifact: str) -> None:
        """Removes the temporary files."""
        if version != "editable":
            self._folder.cleanup()


if __name__ == "__main__":
    compile_checkout()
