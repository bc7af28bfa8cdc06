#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The completion for bash, in TAP: what it offers after some words.
#
#   completion.sh BLINKTREE
set -u
# shellcheck source=userspace/tests/common/tap.sh
. "$(dirname "$0")/../../tests/common/tap.sh"

blinktree=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Bash has neither outside of a completion.
compopt() { :; }
COMP_WORDBREAKS=$' \t\n"\'@><=;|&(:'

# The program that the completion asks for the names of trees.
cat > "$work/blinktree" <<'END'
#!/bin/sh
[ "$*" = "list --names" ] && cat names
END
chmod +x "$work/blinktree"
cd "$work" || exit 1
touch some_file
printf '%s\n' symbols sizes other user@host:1 user@host:2 > names

# offers NAME EXPECTED WORD...: what is offered for the last word?
offers() {
	local name=$1 expected=$2
	shift 2
	COMP_WORDS=("$work/blinktree" "$@")
	COMP_CWORD=$#
	_blinktree
	[ "${COMPREPLY[*]}" = "$expected" ] || check "'${COMPREPLY[*]}' is not '$expected'"
	ends "$name"
}

# Names that no module gives a tree: each would leave a file if it were executed,
# here or, being put into the line, by the user who presses return.
hostile() {
	local name
	cat > names <<-'END'
		$(touch executed)
		`touch executed`
		x$(touch executed)
		a;touch executed
		${x:=$(touch executed)}
		$((a[$(touch executed)]))
		' $(touch executed)
		" $(touch executed)
		\$(touch executed)
		*
		-x
		~
		some_*
		symbols
	END
	for name in '' x '$' '`' '~'; do
		offers "no hostile name after '$name'" \
			"$([ -n "$name" ] || echo symbols)" get "$name"
	done
	[ ! -e executed ]
	result $? "nothing is executed"
}

echo "TAP version 13"
echo "1..39"

"$blinktree" completion bash > "$work/completion" &&
	bash -n "$work/completion"
result $? "it is a script"
# shellcheck disable=SC1091
. "$work/completion"

offers "commands" 'scan stat save' s
offers "commands after an option" "load" -j lo
offers "commands after a value" "info" --device /dev/x i
offers "options before a command" "--device" --dev
offers "options of a command" "--reverse" scan --r
offers "options of every command too" "--json" scan --j
offers "options anywhere" "--limit" scan tree --l
offers "trees" "symbols sizes" get s
offers "options that set an attribute" "--max-entries --max-bytes" attr t --max
offers "trees of attr" "other" attr -m 600 o
offers "trees after an option" "other" scan -n 5 o
offers "several trees" "symbols sizes" rm other s
offers "trees of a host" "1 2" get user @ host :
offers "a tree of a host" "2" get user @ host : 2
offers "trees by half a name" "@host:1 @host:2" get user @ ho
offers "trees after another" "symbols sizes" rm user @ host : 1 s
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
offers "kinds of values" "u64 bytes" create t --value ""
offers "an option of create" "--compress" create t --com
offers "words of an option that takes several" "rbtree rhashtable" bench --index r
offers "nothing for a number" "" scan --from s
offers "shells" "bash" completion ""
hostile

all_good
