# SPDX-License-Identifier: GPL-2.0
"""The prose of C sources: the paragraphs of their comments and of their strings.

A *paragraph* is a list of (number, line). The number is that of the line in the source.
"""

import re

TOKEN = re.compile(
    r"""(?P<comment>/\*.*?\*/|//[^\n]*)
    |"(?P<string>(?:\\.|[^"\\\n])*)"
    |'(?:\\.|[^'\\\n])*'""",
    re.DOTALL | re.VERBOSE,
)
# Two strings are one if only blanks or the name of a macro are between them.
JOINED = re.compile(r"\s*(?:[A-Z_]+\s*)?")
# The delimiters of a comment, and the asterisk at the start of a line.
FRAME = re.compile(r"^\s*(?:/\*+|//|\*(?!/))|\*+/\s*$")
# A paragraph begins here: a parameter, a section of kernel-doc, an item of a list.
ITEM = re.compile(r"^(?:@[\w.]+:|Context:|Return:|[-*]|\d+\.)\s+")
# The name at the start of a kernel-doc comment.
NAME = re.compile(r"^(?:DOC: |(?:(?:struct|enum|union) )?\w+(?:\(\))? - )")


def split(lines):
    """The paragraphs of some lines, without the labels at their start."""
    paragraph = []
    for number, line in lines:
        if paragraph and (not line or ITEM.match(line)):
            yield paragraph
            paragraph = []
        if not paragraph:
            line = NAME.sub("", ITEM.sub("", line, count=1), count=1)
        if line:
            paragraph.append((number, line))
    if paragraph:
        yield paragraph


def tokens(text, kind):
    """(number, token) of all tokens of a kind."""
    for token in TOKEN.finditer(text):
        if token[kind] is not None:
            yield text.count("\n", 0, token.start()) + 1, token


def comments(text):
    """The paragraphs of the comments."""
    for first, token in tokens(text, "comment"):
        lines = enumerate(token["comment"].split("\n"), first)
        if "SPDX-License-Identifier" not in token["comment"]:
            yield from split([(number, FRAME.sub("", line).strip()) for number, line in lines])


def literals(text):
    """Each string constant as a list of (number, part)."""
    parts, end = [], 0
    for number, token in tokens(text, "string"):
        if parts and not JOINED.fullmatch(text, end, token.start()):
            yield parts
            parts = []
        parts.append((number, token["string"]))
        end = token.end()
    if parts:
        yield parts


def printed(parts):
    """The lines that a string constant prints."""
    first, line = 0, ""
    for number, part in parts:
        for i, piece in enumerate(part.split(r"\n")):
            if i:
                yield first, line.strip()
                line = ""
            first = first if line else number
            line += piece
    yield first, line.strip()


def strings(text):
    """The paragraphs of the string constants that have more than one word."""
    for parts in literals(text):
        if any(re.search(r"\w \w", part) for _, part in parts):
            yield from split(printed(parts))
