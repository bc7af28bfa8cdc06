#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# What libblinktree shows of itself, in TAP: the header, the version map, the
# shared library and the man pages must name the same functions, and the header
# must be fit for any C or C++ compiler.
#
#   symbols.sh SRC LIB TOP
set -eu
# shellcheck source=userspace/tests/common/tap.sh
. "$(dirname "$0")/../../tests/common/tap.sh"

src=$1 lib=$2 top=$3
cc=${CC:-cc}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# same FILE FILE NAME: do both lists agree?
same() {
	if diff "$1" "$2" > "$work/diff"; then
		result 0 "$3"
	else
		sed 's/^/# /' "$work/diff"
		result 1 "$3"
	fi
}

echo "TAP version 13"
echo "1..6"

sed -n '/visibility push/,/visibility pop/p' "$src"/blinktree*.h |
	grep -v '^ \*' | grep -o 'blinktree_[a-z_]*(' | tr -d '(' |
	sort -u > "$work/header"
sed -n 's/^\t\(blinktree_[a-z_]*\);/\1/p' "$src/libblinktree.map" |
	sort > "$work/map"
nm -D --defined-only "$lib/libblinktree.so" | awk '$2 == "T" { print $3 }' |
	sed 's/@@LIBBLINKTREE_[0-9]*$//' | sort > "$work/so"
for page in "$top"/Documentation/man/*.3.rst; do
	"$top/Documentation/man/expand" "$page"
done > "$work/pages"
sed -n '/^SYNOPSIS/,/^DESCRIPTION/p' "$work/pages" |
	grep -o 'blinktree_[a-z_]*(' | tr -d '(' | sort -u > "$work/man"

same "$work/header" "$work/map" "the version map lists what the header declares"
same "$work/map" "$work/so" "the shared library exports what the map lists"
comm -23 "$work/header" "$work/man" > "$work/missing"
same /dev/null "$work/missing" "a man page declares every function"

soname=$(objdump -p "$lib/libblinktree.so" | awk '$1 == "SONAME" { print $2 }')
[ "$soname" = libblinktree.so.0 ] && ok=0 || ok=1
result $ok "the soname is libblinktree.so.0"

ok=0
echo '#include "blinktree_bytes.h"' > "$work/use.c"
for std in c99 c11 gnu17; do
	$cc -std=$std -pedantic -Wall -Wextra -Werror -fsyntax-only -I"$lib" \
		-I"$top/include/uapi" "$work/use.c" || ok=1
done
if command -v c++ > /dev/null; then
	c++ -Wall -Wextra -Werror -fsyntax-only -I"$lib" \
		-I"$top/include/uapi" -x c++ "$work/use.c" || ok=1
fi
result $ok "the installed header stands alone in C and C++"

# version INCLUDE-DIRECTORY: what the header there calls the version
version() {
	echo BLINKTREE_VERSION | $cc -E -P -I"$1" -I"$top/include/uapi" \
		-include blinktree.h -xc - | tail -n 1
}
version "$src" > "$work/version"
version "$lib" > "$work/installed"
same "$work/version" "$work/installed" "the installed header has the project's version"

all_good
