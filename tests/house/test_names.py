"""A variable, function or constant is named after what it is, never by one of these words."""

import ast
import doctest
import json
import re
import subprocess

from checkout import ROOT

from crashlab.lab.page_module import LOADER

KINDS = "*.py", "*.ipynb", "*.js", "*.html"
WORDS = "found|told|given|made|own|held|wanted|known|each"
PARAMETER = rf"\((?:[^()]*[^()\w.'])?(?:{WORDS})\b[^()']*\) *(?:=>|\{{)"
BOUND = rf"\b(?:const|let|var|function)\s[^=;(]*?\b(?:{WORDS})\b(?!:)|\b(?:{WORDS}) =>|^ *(?:{WORDS}) =|{PARAMETER}"
COMMENT = r"(?ms)^\s*/\*.*?\*/|(?<=\s)//[^\n]*"


def test_names_are_nouns():
    listing = subprocess.run(["git", "ls-files", *KINDS], cwd=ROOT, capture_output=True, text=True, check=True)
    texts = {path: (ROOT / path).read_text("utf-8") for path in listing.stdout.split()}
    programs, scripts = [], [("LOADER", LOADER)]
    for path, text in texts.items():
        if path.endswith(".ipynb"):
            cells = [cell for cell in json.loads(text)["cells"] if cell["cell_type"] == "code"]
            programs += [(path, re.sub(r"(?m)^[%!].*", "", "".join(cell["source"]))) for cell in cells]
        elif path.endswith(".py"):
            programs.append((path, text))
        else:
            scripts.append((path, re.sub(COMMENT, "", text)))
    wrong = [(path, match[0]) for path, text in scripts for match in re.finditer(BOUND, text, re.M)]
    while programs:
        path, text = programs.pop()
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
                examples = doctest.DocTestParser().get_examples(ast.get_docstring(node) or "")
                programs += [(path, example.source) for example in examples]
            if isinstance(node, ast.alias | ast.keyword) or isinstance(getattr(node, "ctx", None), ast.Load):
                continue
            name = next((value for key in ("id", "arg", "attr", "name") if (value := getattr(node, key, None))), "")
            if re.fullmatch(WORDS, name.strip("_").lower()):
                wrong.append((path, name))
    assert not wrong
