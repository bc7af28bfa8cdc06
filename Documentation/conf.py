# SPDX-License-Identifier: GPL-2.0
"""Sphinx configuration. The Makefile beside this file says how to build."""

import json
import os
import pathlib
import re
import sys

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
KDOC_DIR = os.environ.get("KDOC_DIR") or sys.exit(
    "KDOC_DIR is not set: build with 'make -C Documentation html'"
)
sys.path.insert(0, KDOC_DIR)


def module_version():
    """The version of the project, which is also the module's."""
    with open(os.path.join(TOP, "module/version.h"), encoding="utf-8") as f:
        return re.search(r'#define BLINK_VERSION "([^"]+)"', f.read()).group(1)


project = "blink_tree"
author = "The blink_tree authors"
copyright = author  # pylint: disable=redefined-builtin
version = release = module_version()

extensions = ["kerneldoc"]
kerneldoc_bin = os.path.join(KDOC_DIR, "kernel-doc")
kerneldoc_srctree = TOP

primary_domain = "c"
highlight_language = "none"
# Words of the kernel's and the compiler's that stand before a name.
c_id_attributes = ["__bpf_kfunc", "__percpu", "__rcu", "__user"]

# Types that are not ours to document.
nitpick_ignore = [
    ("c:identifier", name)
    for name in (
        "bool",
        "fmode_t",
        "gfp_t",
        "size_t",
        "u8",
        "u16",
        "u32",
        "u64",
        "u128",
        "s32",
        "s64",
        "rcu_head",
        "uintptr_t",
        "work_func_t",
        "work_struct",
        "blink_call",
        "blink_level_fn",
        "blink_visit_t",
        "blink_watch_tell_t",
        "__u16",
        "__u32",
        "__u64",
        "__s32",
        "__s64",
    )
]

# A function of ours, as in blink_tree_lookup(), becomes a link to what is said
# of it, and an error if nothing is.
FUNCTION = re.compile(r"(?<![`\w/.])(blink_\w+)\(\)")


def link_functions(_app, docname, source):
    if not docname.startswith("man/"):
        source[0] = FUNCTION.sub(r":c:func:`\1`", source[0])


# A patch says in its first line what it breaks, in the next ones what finds it.
FOUND_BY = re.compile(r"^Found by: (.*)$", re.MULTILINE)


def row(*cells):
    return "\n   * - " + "\n     - ".join(cells)


def table_of_mutants():
    table = ".. list-table::\n   :header-rows: 1\n   :widths: 22 40 38\n"
    table += row("mutant", "what is broken", "found by")
    folder = os.path.join(TOP, "userspace/tests/mutants/core")
    for patch in sorted(name for name in os.listdir(folder) if name.endswith(".patch")):
        with open(os.path.join(folder, patch), encoding="utf-8") as f:
            header = f.read().partition("\n--- ")[0]
        found_by = "; ".join(FOUND_BY.findall(header))
        table += row(patch.removesuffix(".patch"), header.partition("\n")[0], found_by)
    return table + "\n"


def list_mutants(_app, docname, source):
    if docname == "design/mutants":
        source[0] = source[0].replace(".. mutants\n", table_of_mutants())


sys.path.insert(1, os.path.join(TOP, "userspace/bench"))
sys.path.insert(1, os.path.join(TOP, "userspace/vm"))
# pylint: disable=import-error,wrong-import-position
from lab import claims, figures, judge, table  # noqa: E402


def results(path):
    """A published run of the laboratory, which has the rounds of its figures; judged again."""
    with open(path, encoding="utf-8") as file:
        run = json.load(file)
    return {**run, "verdicts": judge.verdicts(run)}


MEASURED = results(os.path.join(TOP, "Documentation/lab-results.json"))
SIMULATED = {
    path.stem: results(path)
    for path in sorted(pathlib.Path(TOP, "Documentation/lab-simulated").glob("*.json"))
}


def answers(*runs):
    """The answer to each claim that a run has figures of."""
    return {one["claim"]: one["answer"] for run in runs for one in run["verdicts"]}


def table_of_claims():
    """Those of the laboratory, as its judge has them."""
    measured, simulated = answers(MEASURED), answers(*SIMULATED.values())
    rows = ".. list-table::\n   :header-rows: 1\n   :widths: 6 30 13 14 11 11 15\n"
    rows += row("", "claim", "place", "figures", "here", "simulated", "note")
    for claim in claims.CLAIMS:
        names = dict.fromkeys(f"``{test.figure}``" for test in claim.tests)
        counted = ["counted"] if claim.counts else []
        note = claims.NOTES.get(claim.name, "").replace("`", "``")
        rows += row(f"**{claim.name}**", claim.text, claim.place, ", ".join([*names, *counted]),
                    measured[claim.name], simulated.get(claim.name, ""), note)  # fmt: skip
    return rows + "\n"


def literal(text):
    """Text as it is."""
    return "::\n\n" + "".join(f"   {line}\n" for line in text.splitlines()) + "\n"


def heading(text, line):
    """A heading, underlined."""
    return f"{text}\n{line * len(text)}\n\n"


def published_run(run, folder, line):
    """The facts, verdicts, pictures and tables of a run."""
    facts = {name: run[name] for name in ("date", "command", "seed")} | run["machine"]
    text = literal("\n".join(f"{name}: {value}" for name, value in facts.items()))
    text += heading("Verdicts", line) + literal(table.verdicts(run["verdicts"]))
    for name in dict.fromkeys(one["figure"] for one in run["records"]):
        text += heading(name, line) + f".. image:: pictures/lab/{folder}{name}.svg\n\n"
        some = [one for one in run["records"] if one["figure"] == name]
        text += literal(table.figure(some))
    return text


def simulated_runs():
    """All of those, one after the other."""
    papers = {one.name: one.paper for one in figures.FIGURES.values()}
    return "".join(
        heading(papers[run["records"][0]["figure"]], "=")
        + published_run(run, f"simulated-{name}/", "-")
        for name, run in SIMULATED.items()
    )


def list_claims(_app, docname, source):
    if docname == "lab":
        source[0] = source[0].replace(".. claims\n", table_of_claims())
    if docname == "lab-results":
        source[0] = source[0].replace(".. results\n", published_run(MEASURED, "", "="))
    if docname == "lab-simulated":
        source[0] = source[0].replace(".. results\n", simulated_runs())


def setup(app):
    app.connect("source-read", link_functions)
    app.connect("source-read", list_mutants)
    app.connect("source-read", list_claims)


html_theme = "alabaster"
html_theme_options = {
    "description": "a concurrent ordered map in the Linux kernel",
    "fixed_sidebar": True,
    "page_width": "72em",
    "body_max_width": "none",
    "sidebar_width": "15em",
}
html_static_path = ["_static"]
html_css_files = ["pages.css"]
html_show_copyright = False
html_show_sourcelink = False
