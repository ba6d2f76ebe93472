"""Suppression of JupyterLab's question about news."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

NO_NEWS = {"@jupyterlab/apputils-extension:notification": {"fetchNews": "false"}}


@contextmanager
def without_news() -> Iterator[None]:
    """Keep JupyterLab from asking about news, which would cover our buttons.

    Only a default is changed, so an earlier answer of the user is kept.
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
