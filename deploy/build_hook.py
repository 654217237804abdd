"""Compiles the Astrocyte search with Cython when a wheel is built and a C compiler is available.

Without it the same sources run as plain Python, with the same answers but slower. `python
deploy/build_hook.py` compiles a checkout in place.
"""

import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).parents[1]
MODULES = (
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
DIRECTIVES = {
    "language_level": 3,
    "annotation_typing": False,
    "boundscheck": False,
    "wraparound": False,
    "initializedcheck": False,
}


def compile_into(folder: Path) -> list[Path]:
    """Compiles the modules into a package tree under `folder`, and gives the files.

    Raises what Cython or the compiler raise.
    """
    from Cython.Build import cythonize  # noqa: PLC0415 - optional build tools
    from setuptools import Distribution, Extension  # noqa: PLC0415

    with tempfile.TemporaryDirectory() as scratch:
        # No fused multiply-add, so that sums round as in plain Python.
        flags = [] if sys.platform == "win32" else ["-O3", "-ffp-contract=off"]
        extensions = [
            Extension(name, [f"{name.replace('.', '/')}.py"], extra_compile_args=flags)
            for name in MODULES
        ]
        sources = cythonize(
            extensions, build_dir=scratch, compiler_directives=DIRECTIVES, quiet=True
        )
        build: Any = Distribution({"ext_modules": sources}).get_command_obj("build_ext")
        build.build_lib, build.build_temp = str(folder), scratch
        build.ensure_finalized()
        build.run()
    return [folder / build.get_ext_filename(name) for name in MODULES]


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
            self.app.display_warning(f"The search is not compiled: {error}")
            return
        build_data["pure_python"], build_data["infer_tag"] = False, True
        for file in made:
            build_data["force_include"][str(file)] = str(file.relative_to(folder))

    def finalize(self, version: str, build_data: dict[str, Any], artifact: str) -> None:
        """Removes the temporary files."""
        if version != "editable":
            self._folder.cleanup()


if __name__ == "__main__":
    compile_into(ROOT)
