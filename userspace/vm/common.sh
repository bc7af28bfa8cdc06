# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2034
#
# What the scripts of this directory share; each sources it as its first step.
#
# TOP    the project's folder
# VM     this directory
# CACHE  where kernels and tools are kept between runs, outside the project
#
# Whatever a script says about its work goes to stderr: stdout is for answers.

VM=$(cd "$(dirname "$0")" && pwd)
TOP=$(cd "$VM/../.." && pwd)
CACHE=${BLINK_CACHE:-${XDG_CACHE_HOME:-${HOME:?HOME or BLINK_CACHE must be set}/.cache}/blink_tree}
export TOP VM CACHE

say()
{
	printf '%s\n' "$*" >&2
}

die()
{
	say "${0##*/}: $*"
	exit 1
}

# usage: print the comment that opens the script, less its first two lines
usage()
{
	sed -n '3,/^$/s/^# \{0,1\}//p' "$0"
}

as_root()
{
	if [ "$(id -u)" = 0 ]; then
		"$@"
	else
		sudo "$@"
	fi
}

# What the package manager and pip print goes to this file.
PACKAGES_LOG=$CACHE/packages.log

# logged LOG COMMAND...: append all that a command prints to LOG
logged()
{
	log=$1
	shift
	mkdir -p "${log%/*}"
	printf '\n$ %s\n' "$*" >>"$log"
	"$@" >>"$log" 2>&1 </dev/null
}

# quietly LOG COMMAND...: the same; if the command fails, show how it ended
quietly()
{
	logged "$@" && return
	tail -n 12 "$1" | sed 's/^/  /' >&2
	say "${0##*/}: this failed: $(shift && echo "$*")
Its last lines are above, all of them in $1."
	return 1
}

update_lists()
{
	say "${0##*/}: fetching the lists of packages"
	quietly "$PACKAGES_LOG" as_root apt-get update -q
}

# need CMD GROUP: CMD must exist; GROUP of ./deps provides it
need()
{
	command -v "$1" >/dev/null ||
		die "$1 is missing; run userspace/vm/deps $2"
}

# in_cache NAME CMD...: make $CACHE/NAME by CMD, unless it is there already
#
# CMD gets the path of an empty directory to fill, as its last argument. The
# name appears only when CMD has succeeded, and two runs never do it at once.
in_cache()
{
	entry=$CACHE/$1
	shift
	test -d "$entry" && return
	mkdir -p "$CACHE"
	(
		flock 9
		test -d "$entry" && exit
		rm -rf "$entry.new"
		mkdir "$entry.new"
		"$@" "$entry.new"
		mv "$entry.new" "$entry"
	) 9>"$entry.lock"
}
