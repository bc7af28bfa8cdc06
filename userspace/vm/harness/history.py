# SPDX-License-Identifier: GPL-2.0
"""The rules for commits: CONTRIBUTING.md has them in words."""

import re
import subprocess

from . import paths

LONGEST_SUBJECT = 75

SUBJECT = re.compile(r'(?:[\w.,/ -]+: |Revert ")\S.*[^.]$')
TRAILER = re.compile(r"[A-Z][\w-]+: \S")
SIGNED = re.compile(r"^Signed-off-by: .+ <.+@.+>$", re.MULTILINE)
FIXES = re.compile(r'Fixes: [0-9a-f]{12,40} \(".+"\)$')

# The rules hold for what was built on the commit that brought them.
BEGINNING = "CONTRIBUTING.md"


def faults(message):
    """What is wrong with the message of a commit, line by line."""
    subject, *rest = message.rstrip("\n").split("\n")
    found = []
    if not SUBJECT.match(subject):
        found.append("the subject is not 'area: what is done', without a full stop")
    if len(subject) > LONGEST_SUBJECT:
        found.append(f"the subject has more than {LONGEST_SUBJECT} characters")
    if rest and rest[0]:
        found.append("no empty line after the subject")
    if not any(line and not TRAILER.match(line) for line in rest):
        found.append("no body that says why")
    if not SIGNED.search(message):
        found.append("no Signed-off-by: git commit -s adds it")
    if any(line.startswith("Fixes:") and not FIXES.match(line) for line in rest):
        found.append('not of the form: Fixes: 12 digits of the hash ("its subject")')
    return found


def git(*words):
    """What git prints, or nothing if it fails or is missing."""
    try:
        done = subprocess.run(
            ["git", *words], cwd=paths.TOP, stdin=subprocess.DEVNULL, capture_output=True,
            text=True, errors="replace",
        )  # fmt: skip
    except FileNotFoundError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def unknown():
    """Why the commits cannot be told here, or nothing."""
    if git("rev-parse", "--show-toplevel") != str(paths.TOP):
        return "these files are no repository that git can read"
    if git("rev-parse", "--is-shallow-repository") == "true":
        return "the clone is shallow"
    return "" if beginning() else "the rules are not committed yet"


def beginning():
    """The commit that brought the rules."""
    return git("log", "--diff-filter=A", "--format=%H", "-n", "1", "--", BEGINNING)


def commits():
    """Each commit since the rules, as (short hash, message); merges are git's."""
    log = git(
        "log", "-z", "--no-merges", "--ancestry-path", "--format=%h%n%B", f"{beginning()}..HEAD"
    )
    for commit in filter(None, log.split("\0")):
        yield commit.split("\n", 1)
