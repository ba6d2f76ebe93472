"""JupyterLab's question whether it may show its news."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

NO_NEWS = {"@jupyterlab/apputils-extension:notification": {"fetchNews": "false"}}


@contextmanager
def without_news() -> Iterator[None]:
    """Meanwhile JupyterLab does not ask whether it may show its news, in the corner where our buttons are.

    That is a default of ours: whoever has answered already is not contradicted.
    """
    path = os.environ.get("JUPYTER_CONFIG_PATH")
    with TemporaryDirectory() as folder:
        defaults = Path(folder, "labconfig", "default_setting_overrides.json")
        defaults.parent.mkdir()
        defaults.write_text(json.dumps(NO_NEWS), encoding="utf-8")
        os.environ["JUPYTER_CONFIG_PATH"] = os.pathsep.join([folder, *([path] if path else [])])
        try:
            yield
        finally:
            os.environ.pop("JUPYTER_CONFIG_PATH")
            os.environ.update({"JUPYTER_CONFIG_PATH": path} if path else {})
