# SPDX-License-Identifier: GPL-2.0
"""Strict reading of TAP and KTAP.

A stream holds *documents*: a version line or a plan, result lines, and nested
documents, further indented, each of which belongs to the result line that comes
after it in the outer document. Lines that are none of these are passed over.

A test that has no nested document is a leaf, and only leaves are counted. What
is wrong with the stream itself (no plan, another number of results than
planned, numbers out of order, a nested document that nobody owns, a bail-out)
counts as a failure of its own, as does a result that is bad though all its
leaves are good: a program that crashed halfway is never taken for a good one.
"""

import dataclasses
import re

VERSION = re.compile(r"K?TAP version 1[34]?$")
PLAN = re.compile(r"1\.\.(\d+)(?:\s*#\s*(.*))?$")
RESULT = re.compile(r"(not ok|ok)\s+(\d+)(?:\s+(?:-\s+)?(.*))?$")
BAIL = re.compile(r"Bail out!\s*(.*)$")
SECONDS = re.compile(r"(.*?)\s*#\s*(\d+(?:\.\d+)?) s$")
SKIP = re.compile(r"(.*?)\s*#\s*SKIP\b:?\s*(.*)$", re.IGNORECASE)

PASS, FAIL, SKIPPED = "pass", "fail", "skip"
# What is wrong with a program that says nothing of tests.
NOTHING = "no test ran"
MOST_COMMENTS = 50


@dataclasses.dataclass
class Result:
    """A counted test: detail is the reason of a skip or what went wrong.

    seconds is how long it took, if its line ends with that.
    """

    name: str
    state: str
    detail: str = ""
    seconds: float = 0.0


@dataclasses.dataclass
class Document:
    """A document that is being read."""

    indent: int
    plan: int | None = None
    seen: int = 0
    results: list = dataclasses.field(default_factory=list)
    nested: "Document | None" = None
    started: bool = False


def renamed(results, prefix):
    """Results with the name of the test that they are within."""
    return [
        dataclasses.replace(
            result, name="/".join(part for part in (prefix, result.name) if part)
        )
        for result in results
    ]


class Parser:
    """Reads a stream line by line; what it has found is in results."""

    def __init__(self):
        self.results = []
        self.stack = []
        self.comments = []

    def feed(self, line):
        """Take one line, with or without its end."""
        line = line.rstrip()
        text = line.lstrip(" ")
        indent = len(line) - len(text)
        for pattern, take in (
            (VERSION, self.version),
            (PLAN, self.plan),
            (RESULT, self.result),
            (BAIL, self.bail),
        ):
            match = pattern.match(text)
            if match:
                take(match, indent)
                return
        if text.startswith("#"):
            self.comments.append(text[1:].strip())

    def close(self):
        """The stream is over: returns all results."""
        while self.stack:
            self.leave()
        if not self.results:
            self.results.append(Result("", FAIL, NOTHING))
        return self.results

    def enter(self, indent):
        """The open document of this indentation, made if there is none."""
        while self.stack and self.stack[-1].indent > indent:
            self.leave()
        if not self.stack or self.stack[-1].indent < indent:
            self.stack.append(Document(indent))
        return self.stack[-1]

    def leave(self):
        """A document is over: hand it to the outer one, or count it."""
        document = self.stack.pop()
        if document.nested:
            self.orphan(document)
        if document.plan is None:
            # KUnit gives none for the parameters of a test.
            if not self.stack or not document.seen:
                document.results.append(Result("", FAIL, "the plan is missing"))
        elif document.plan != document.seen:
            detail = f"{document.plan} tests planned, {document.seen} ran"
            document.results.append(Result("", FAIL, detail))
        if not self.stack:
            self.results += document.results
            return
        outer = self.stack[-1]
        if outer.nested:
            self.orphan(outer)
        outer.nested = document

    @staticmethod
    def orphan(document):
        """A nested document was not followed by the result it belongs to."""
        nested = document.nested
        document.nested = None
        document.results += nested.results
        detail = "no result follows the tests within"
        document.results.append(Result("", FAIL, detail))

    def version(self, _match, indent):
        """A document begins, after whatever one was open there."""
        if self.enter(indent).started:
            self.leave()
        self.enter(indent).started = True

    def plan(self, match, indent):
        """How many results there will be; none may be for a reason."""
        document = self.enter(indent)
        if document.plan is not None:
            self.leave()
            document = self.enter(indent)
        document.started = True
        document.plan = int(match[1])
        if document.plan == 0:
            skip = SKIP.match("#" + (match[2] or ""))
            state, detail = (SKIPPED, skip[2]) if skip else (FAIL, "no test planned")
            document.results.append(Result("", state, detail))

    def result(self, match, indent):
        """A test is over; the comments since the last one are about it."""
        comments = "\n".join(self.comments[-MOST_COMMENTS:])
        self.comments.clear()
        document = self.enter(indent)
        document.started = True
        document.seen += 1
        name = match[3] or ""
        skip = SKIP.match(name)
        name = skip[1] if skip else name
        timed = SECONDS.match(name)
        name, seconds = (timed[1], float(timed[2])) if timed else (name, 0.0)
        if int(match[2]) != document.seen:
            detail = f"result {match[2]} where {document.seen} was due"
            document.results.append(Result(name, FAIL, detail))
        good = match[1] == "ok"
        if document.nested:
            self.result_of_nested(document, name, good)
        elif good and skip:
            document.results.append(Result(name, SKIPPED, skip[2]))
        elif good:
            document.results.append(Result(name, PASS, seconds=seconds))
        else:
            document.results.append(Result(name, FAIL, comments, seconds))

    @staticmethod
    def result_of_nested(document, name, good):
        """A test with tests within: only these are counted, if that is true."""
        leaves = document.nested.results
        document.nested = None
        document.results += renamed(leaves, name)
        if not good and all(leaf.state != FAIL for leaf in leaves):
            detail = "failed as a whole, though no test within did"
            document.results.append(Result(name, FAIL, detail))

    def bail(self, match, indent):
        """The program gave up."""
        detail = match[1] or "bailed out"
        self.enter(indent).results.append(Result("", FAIL, detail))


def parse(text):
    """The results of a whole stream."""
    parser = Parser()
    for line in text.splitlines():
        parser.feed(line)
    return parser.close()


def show(results):
    """Print results as TAP; returns the exit status."""
    print(f"TAP version 13\n1..{len(results)}")
    for number, result in enumerate(results, 1):
        if result.state == FAIL:
            print("".join(f"# {line}\n" for line in result.detail.splitlines()), end="")
        word = "not ok" if result.state == FAIL else "ok"
        skip = f" # SKIP {result.detail}" if result.state == SKIPPED else ""
        print(f"{word} {number} - {result.name}{skip}", flush=True)
    return 1 if any(result.state == FAIL for result in results) else 0
