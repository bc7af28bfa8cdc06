# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# Copies of the sources with one thing broken, for the scripts that source this.

# The files that a patch changes.
changed() {
	sed -n 's/^+++ \([^[:space:]]*\).*/\1/p' "$1"
}

# prepare TOP OUT MUTANT PART...: OUT/src gets the sources and parts of the
# userspace, and what the mutant breaks. Times are kept, so that only that is
# built again, and what was broken when it was last built: see built.
prepare() {
	top=$1
	to=$2
	patch=$top/userspace/tests/mutants/core/$3.patch
	shift 3
	mkdir -p "$to/src"
	rm -rf "$to/src/module" "$to/src/include" "$to/src/userspace"
	mkdir "$to/src/userspace"
	cp -rp "$top/module" "$top/include" "$to/src"
	(cd "$top/userspace" && cp -rp --parents shim "$@" "$to/src/userspace")
	if [ -e "$to/broken" ]; then
		(cd "$to/src" && xargs touch) <"$to/broken"
	fi
	changed "$patch" >>"$to/broken"
	patch -s -F0 -p0 -d "$to/src" <"$patch"
}

# built TOP OUT MUTANT: what prepare left has been built.
built() {
	changed "$1/userspace/tests/mutants/core/$3.patch" >"$2/broken"
}
