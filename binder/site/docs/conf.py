"""The settings of Sphinx for the site, whose pages `pages.py` collects."""

from __future__ import annotations

import inspect
import re
from typing import Any

from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.util.inspect import stringify_signature

import crashlab

project, author, release = "crashlab", "the crashlab authors", crashlab.__version__
copyright = author
extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]

html_theme = "pydata_sphinx_theme"
html_title = project
html_context = {"default_mode": "auto"}  # light or dark like the system
smartquotes = False
html_static_path = ["style.css"]
html_css_files = ["style.css"]
html_extra_path = ["player.js", "film.schema.json"]
html_copy_source = html_show_sourcelink = False
html_math_renderer = "mathml"  # in the browser, so that pages load nothing from other hosts
html_theme_options = {
    "github_url": "https://github.com/crashlab/crashlab",
    "header_links_before_dropdown": 6,
    "navbar_align": "left",
    "navigation_with_keys": False,  # arrow keys step through films
    "footer_start": ["copyright"],
    "footer_end": [],
}

nb_execution_mode = "off"
nb_mime_priority_overrides = [("html", "text/html", 0)]  # films
myst_enable_extensions = ["attrs_inline", "deflist", "dollarmath"]

default_role = "py:obj"
add_module_names = False
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True}
autodoc_preserve_defaults = True
python_maximum_signature_line_length = 80
napoleon_google_docstring = False

DEFINED = re.compile(r"\S+(?: \S+)*? {2,}\S")  # a name and its description on one line


def restructured(app: Any, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    """Turn the `name  description` lines of a docstring into a list."""
    paragraphs = re.split(r"\n\n+", "\n".join(lines))
    for place, paragraph in enumerate(paragraphs):
        if DEFINED.match(paragraph):
            pairs = (
                re.split(" {2,}", re.sub(r"\n +", " ", line), maxsplit=1) for line in re.split(r"\n(?! )", paragraph)
            )
            paragraphs[place] = "\n".join(f"``{word}``\n    {meaning}" for word, meaning in pairs)
    lines[:] = "\n\n".join(paragraphs).splitlines()


def called(app: Any, what: str, name: str, thing: Any, options: Any, words: Any, returns: Any) -> Any:
    """Return the signature of a class, also for metaclasses of traitlets."""
    if what != "class":
        return None
    return stringify_signature(inspect.signature(thing), show_return_annotation=False), None


def formula(writer: Any, node: Any) -> None:
    """Write a formula as MathML, which browsers render themselves."""
    block = isinstance(node, nodes.math_block)
    mathml = tex2mathml(re.sub(r"\\big(?![a-z])|\\mathrel(?=\{)", "", node.astext()), as_block=block)
    writer.body.append(f'<div class="formula">{mathml}</div>' if block else mathml)
    raise nodes.SkipNode


def setup(app: Any) -> None:
    """Connect the formula writer and the handlers of autodoc."""
    app.add_html_math_renderer("mathml", (formula, None), (formula, None))
    app.connect("autodoc-process-docstring", restructured)
    app.connect("autodoc-process-signature", called)
