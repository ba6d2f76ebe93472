"""What a release holds that is no file of the checkout: the notebooks as learners get them."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Handouts(BuildHookInterface):
    """The notebooks of a release have not been run. An editable installation uses those of the checkout."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write them, and say where they go."""
        if version == "editable":
            return
        handout = module(Path(self.root) / "crashlab" / "course" / "handout.py")
        place = "notebooks" if self.target_name == "sdist" else "crashlab/notebooks"
        self.folder = TemporaryDirectory()
        for path in sorted((Path(self.root) / "notebooks").glob("*.ipynb")):
            copy = Path(self.folder.name) / path.name
            copy.write_bytes(handout.content(path))
            build_data["force_include"][str(copy)] = f"{place}/{path.name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Clean up."""
        if version != "editable":
            self.folder.cleanup()


def module(path: Path) -> Any:
    """Import a module by its file, because the build has none of the package's dependencies."""
    spec = spec_from_file_location(path.stem, path)
    assert spec and spec.loader
    result = module_from_spec(spec)
    spec.loader.exec_module(result)
    return result
