# SPDX-License-Identifier: GPL-2.0
"""Sentences that a program can tell to be hard to read.

They are in the documentation, in the comments of C sources, and in the texts that the
command prints. Documentation/process/style.rst says how to write instead. A pattern here
is one that is almost never right; the rest needs a person who reads.
"""

import re

from . import ctext, paths, sources

# A sentence, or a part of one after a colon or a semicolon, begins.
BEGIN = r"(?:^|(?<=[.:;?!] ))"

PATTERNS = {
    "a clause without a noun before it is the subject": re.compile(
        BEGIN + r"(?:who|whom|whoever|what|whatever|whichever)\b(?![^.:;?!]*\?)", re.IGNORECASE
    ),
    "'who' without a noun before it": re.compile(
        r"(?:[,;:(]|\b(?:about|after|all|and|as|at|but|by|for|from|if|in|is|of|on|or|"
        r"than|that|those|to|with)) who(?:m|ever)?\b|\bwhoever\b",
        re.IGNORECASE,
    ),
    "'that' stands for a whole sentence": re.compile(
        BEGIN + r"That (?:can|costs|has|is|keeps|lets|makes|may|must|needs|shows|takes|was|will)\b"
    ),
    "a negation is the subject or the object": re.compile(
        r"\b(?:nobody|no one|nothing that|none (?:that|of which))\b", re.IGNORECASE
    ),
    "a phrase that stands for a noun or a plain verb": re.compile(
        r"\bwhat there (?:is|was)\b|\b(?:to|can|could) be had\b|\bfor want of\b", re.IGNORECASE
    ),
}

# The strings of the C sources in this directory are texts for users.
PRINTS = "userspace/cli/"

# A line of a directive is no prose; what is below it may be, but for code.
DIRECTIVE = re.compile(r"\.\. ")
CODE = re.compile(r"\.\. (?:code-block|kernel-doc|literalinclude|toctree)\b|(?!\.\. ).*::$")
LITERAL = re.compile(r"``.+?``|`[^`]+`_?|<!--.*?-->")
RULE = re.compile(r"[=~^\"'*+#-]{3,}(?: +[=-]{2,})*$")
ITEM = re.compile(r"(?:[*-]|#\.|\d+\.|\\|\* -) +")


def files():
    """The pages that people read, and the C sources."""
    top = paths.TOP
    pages = [*top.glob("*.md"), *top.glob("userspace/**/*.md"), *top.glob("Documentation/**/*.rst")]
    return [*sorted(pages), *sources.c_code()]


def name_of(path):
    """The name of a file as people write it."""
    return str(path.relative_to(paths.TOP))


def indent(line):
    """How far a line is from the margin."""
    return len(line) - len(line.lstrip(" "))


def prose(text, markdown):
    """(number, line) of all lines; those that are no prose are empty."""
    code_from, fenced, before = None, False, ""
    for number, line in enumerate(text.split("\n"), 1):
        bare = line.strip()
        if code_from is not None and bare and indent(line) <= code_from:
            code_from = None
        skipped = fenced or code_from is not None
        if markdown:
            fence = bare.startswith("```")
            fenced ^= fence
            skipped |= fence or (line.startswith("    ") and not before)
        elif not skipped and CODE.match(bare):
            code_from = indent(line)
        skipped |= bool(DIRECTIVE.match(bare) or RULE.match(bare))
        yield number, "" if skipped else bare
        before = "" if skipped else bare


def paragraphs(text, markdown):
    """Each paragraph as a list of (number, line)."""
    lines = []
    for number, line in prose(text, markdown):
        if lines and (not line or ITEM.match(line) or line.startswith("|")):
            yield lines
            lines = []
        if line:
            lines.append((number, ITEM.sub("", line, count=1) if not lines else line))
    if lines:
        yield lines


def matches(lines):
    """(number, reason, words) of each match in a paragraph."""
    joined = LITERAL.sub("X", " ".join(line for _, line in lines))
    starts = []
    length = 0
    for number, line in lines:
        starts.append((length, number))
        length += len(LITERAL.sub("X", line)) + 1
    for reason, pattern in PATTERNS.items():
        for match in pattern.finditer(joined):
            number = max(start for start in starts if start[0] <= match.start())[1]
            yield number, reason, joined[match.start() : match.start() + 40]


def hits(text, markdown=False):
    """The matches in a page, in order."""
    for lines in paragraphs(text, markdown):
        yield from matches(lines)


def code_hits(text, prints=False):
    """The matches in the comments of a C source, and in the texts that it prints."""
    for lines in ctext.comments(text):
        yield from matches(lines)
    for lines in ctext.strings(text) if prints else ():
        yield from matches(lines)


def file_hits(path):
    """The matches in a file."""
    text = path.read_text(errors="replace")
    if path.suffix in (".c", ".h"):
        return code_hits(text, name_of(path).startswith(PRINTS))
    return hits(text, path.suffix == ".md")


def faults():
    """What the check of all files finds."""
    return [
        f"{name_of(path)}:{number}: {reason}: {words}"
        for path in files()
        for number, reason, words in file_hits(path)
    ]
