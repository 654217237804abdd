"""The compiled form of the Astrocyte search: made with a wheel where there is a compiler.

The same sources run without it; compiled, they give the same answers sooner. `python
deploy/build_hook.py` compiles in place, for a checkout.
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
    "service.solvers.astrocyte.move_generation",
    "service.solvers.astrocyte.beam",
    "service.solvers.astrocyte.lookahead",
    "service.solvers.astrocyte.win_chance",
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
    """Compiles the modules, and gives the files made, in a tree of packages under `folder`.

    Raises whatever the tools raise where a module cannot be compiled.
    """
    from Cython.Build import cythonize  # noqa: PLC0415 - tools that only a compiled form needs
    from setuptools import Distribution, Extension  # noqa: PLC0415

    with tempfile.TemporaryDirectory() as scratch:
        # Products and sums are rounded one by one, as in the plain form: no fused operations.
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
    """Adds the compiled modules to a wheel; without a compiler the wheel is plain."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compiles for a wheel that is to be installed, not for a checkout that is linked to."""
        if version == "editable":
            return
        self._folder = tempfile.TemporaryDirectory()
        folder = Path(self._folder.name)
        try:
            made = compile_into(folder)
        except (Exception, SystemExit) as error:  # whatever is missing, the plain form will do
            self.app.display_warning(f"The search stays in its plain form: {error}")
            return
        build_data["pure_python"], build_data["infer_tag"] = False, True
        for file in made:
            build_data["force_include"][str(file)] = str(file.relative_to(folder))

    def finalize(self, version: str, build_data: dict[str, Any], artifact: str) -> None:
        """Leaves nothing behind."""
        if version != "editable":
            self._folder.cleanup()


if __name__ == "__main__":
    compile_into(ROOT)
