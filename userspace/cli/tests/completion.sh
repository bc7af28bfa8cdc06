#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The completion for bash, in TAP: what it offers after some words.
#
#   completion.sh BLINKTREE
set -u

blinktree=$1
cases=0
failures=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Bash has none outside of a completion.
compopt() { :; }

# The program that the completion asks for the names of trees.
cat > "$work/blinktree" <<'END'
#!/bin/sh
[ "$*" = "list --names" ] && printf 'symbols\nsizes\nother\n'
END
chmod +x "$work/blinktree"
cd "$work" || exit 1
touch some_file

# offers NAME EXPECTED WORD...: what is offered for the last word?
offers() {
	local name=$1 expected=$2
	shift 2
	COMP_WORDS=("$work/blinktree" "$@")
	COMP_CWORD=$#
	_blinktree
	cases=$((cases + 1))
	if [ "${COMPREPLY[*]}" = "$expected" ]; then
		echo "ok $cases $name"
	else
		echo "# '${COMPREPLY[*]}' is not '$expected'"
		echo "not ok $cases $name"
		failures=$((failures + 1))
	fi
}

echo "TAP version 13"
echo "1..25"

"$blinktree" completion bash > "$work/completion" &&
	bash -n "$work/completion"
status=$?
cases=1
[ $status -eq 0 ] && echo "ok 1 it is a script" || echo "not ok 1 it is a script"
# shellcheck disable=SC1091
. "$work/completion"

offers "commands" "scan stat" s
offers "commands after an option" "load" -j lo
offers "commands after a value" "info" --device /dev/x i
offers "options before a command" "--device" --dev
offers "options of a command" "--reverse" scan --r
offers "options of every command too" "--json" scan --j
offers "options anywhere" "--limit" scan tree --l
offers "trees" "symbols sizes" get s
offers "trees after an option" "other" scan -n 5 o
offers "several trees" "symbols sizes" rm other s
offers "no trees where there are keys" "" get symbols s
offers "no trees for a new name" "" create s
offers "files" "some_file" load symbols some
offers "files only once" "" load symbols some_file some
offers "formats" "csv" load --format c
offers "formats after a letter" "text csv binary" dump -F ""
offers "formats after =" "binary" load --format = b
offers "formats right after =" "text csv binary" load --format =
offers "words of an option" "inner" create -R i
offers "words after a long option" "plain cohort" create --locking ""
offers "words of an option without a letter" "interleave" create t --placement i
offers "words of an option that takes several" "rbtree rhashtable" bench --index r
offers "nothing for a number" "" scan --from s
offers "shells" "bash" completion ""

[ $failures -eq 0 ] && [ $status -eq 0 ]
