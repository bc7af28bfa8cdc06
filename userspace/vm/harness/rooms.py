# SPDX-License-Identifier: GPL-2.0
"""The rooms of module/: which file includes or calls which other, and in what direction.

Documentation/design/internals.rst says what each room is for. A file may use its own
room and the rooms before it in ROOMS; no more than two files, such as x.c and an x.h with
inline functions that call it, use each other in a ring; and no more than four of what is
left when x.c and x.h are taken as one.
"""

import functools
import re

from . import paths, sources

MODULE = paths.TOP / "module"

# From the bottom up.
ROOMS = [
    "headers of all",
    "obs",
    "lock",
    "core/key",
    "core/tree",
    "core/node",
    "core/index",
    "core/op",
    "core/inspect",
    "core/kind",
    "core",
    "chardev",
    "bpf",
    "main",
    "sample",
    "lab",
]

INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
# A function that other files may call: its name begins the line, or the type before it.
DEFINED = re.compile(r"^(?!static\b|typedef\b)[a-z][\w \t*\n]*?\b(\w+)\([^;{]*\)\s*\{", re.MULTILINE)
PROTOTYPE = re.compile(r"^[a-z][\w \t*\n]*?\b\w+\([^;{}]*\)[^;{}]*;", re.MULTILINE)
CALLED = re.compile(r"\b(\w+)\s*\(")


def room(path):
    """The folder that a file lies in; module/ itself has what all include, and main.c."""
    if path.parent == MODULE:
        return "headers of all" if path.suffix == ".h" else "main"
    folder = str(path.parent.relative_to(MODULE))
    return "lab" if folder.startswith("lab/") else folder


@functools.cache
def texts():
    """The code of each file, without its comments."""
    return {
        path: COMMENT.sub("", path.read_text())
        for path in sources.c_code()
        if MODULE in path.parents and not path.name.endswith(".mod.c")
    }


def includes(path, code):
    """The files that a file includes, by their paths."""
    for name in INCLUDE.findall(code):
        for base in (path.parent, MODULE):
            found = (base / name).resolve()
            if found in texts():
                yield found
                break


@functools.cache
def homes():
    """Where each function is defined that is called from elsewhere."""
    return {
        name: path
        for path, code in texts().items()
        if path.suffix == ".c"
        for name in DEFINED.findall(code)
    }


@functools.cache
def graph():
    """The files that each file includes or calls."""
    uses = {}
    for path, code in texts().items():
        calls = CALLED.findall(PROTOTYPE.sub("", code))
        called = {homes()[name] for name in calls if name in homes()}
        uses[path] = (set(includes(path, code)) | called) - {path}
    return uses


def folded():
    """The same graph, with x.c and x.h as one."""
    uses = {}
    for path, used in graph().items():
        both = path.with_suffix("")
        uses.setdefault(both, set()).update(other.with_suffix("") for other in used)
        uses[both].discard(both)
    return uses


def rings(uses):
    """What uses each other in a ring, each ring as a sorted list."""
    reach = {}
    for node in uses:
        found, new = set(), {node}
        while new:
            new = {other for one in new for other in uses.get(one, ())} - found
            found |= new
        reach[node] = found
    both = ({other for other in reach[node] if node in reach.get(other, ())} for node in reach)
    return [list(ring) for ring in sorted({tuple(sorted(ring)) for ring in both if len(ring) > 1})]


def name(path):
    """A file as people write it."""
    return str(path.relative_to(paths.TOP))


def faults():
    """Files in no room, uses of a room further up, and rings."""
    found = [
        f"{name(path)}: {room(path)}/ is no room" for path in texts() if room(path) not in ROOMS
    ]
    if found:
        return found
    for path, used in sorted(graph().items()):
        found += [
            f"{name(path)}: uses {name(other)}, which is further up"
            for other in sorted(used)
            if ROOMS.index(room(other)) > ROOMS.index(room(path))
        ]
    found += [
        "a ring: " + ", ".join(map(name, ring))
        for uses, most in ((graph(), 2), (folded(), 4))
        for ring in rings(uses)
        if len(ring) > most
    ]
    return found
