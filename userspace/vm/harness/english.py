# SPDX-License-Identifier: GPL-2.0
"""Sentences of the documentation that a program can tell to be hard to read.

Documentation/process/style.rst says how to write instead. A pattern here is one
that is almost never right; the rest needs a person who reads.
"""

import re

from . import paths

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

# Files that still have such sentences. The list only gets shorter.
TO_DO = {
    "Documentation/design/coverage.rst",
    "Documentation/design/fuzzing.rst",
    "Documentation/design/sources.rst",
    "Documentation/design/testing.rst",
}

# A line of a directive is no prose; what is below it may be, but for code.
DIRECTIVE = re.compile(r"\.\. ")
CODE = re.compile(r"\.\. (?:code-block|kernel-doc|literalinclude|toctree)\b|(?!\.\. ).*::$")
LITERAL = re.compile(r"``.+?``|`[^`]+`_?|<!--.*?-->")
RULE = re.compile(r"[=~^\"'*+#-]{3,}(?: +[=-]{2,})*$")
ITEM = re.compile(r"(?:[*-]|#\.|\d+\.|\\|\* -) +")


def files():
    """The pages that people read."""
    top = paths.TOP
    pages = [*top.glob("*.md"), *top.glob("userspace/**/*.md"), *top.glob("Documentation/**/*.rst")]
    return sorted(pages)


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


def hits(text, markdown=False):
    """(number, reason, words) of each match, in order."""
    for lines in paragraphs(text, markdown):
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


def faults():
    """What the check of all pages finds."""
    found = []
    for path in files():
        name = str(path.relative_to(paths.TOP))
        here = [
            f"{name}:{number}: {reason}: {words}"
            for number, reason, words in hits(path.read_text(), path.suffix == ".md")
        ]
        if name not in TO_DO:
            found += here
        elif not here:
            found.append(f"{name}: nothing is left to do: take it off the list")
    return found
