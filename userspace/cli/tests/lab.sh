# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034
# The begin of each test of the laboratory in the kernel, as root, blink_tree loaded and
# blink_tree_lab not yet. BLINK_MODDIR names the directory of module/lab: "module" is the
# file, "lab" its directory in debugfs, and "work" a directory for files.
# shellcheck source=userspace/tests/common/tap.sh
. "$(dirname "$0")/../../tests/common/tap.sh"

module=${BLINK_MODDIR-}/module/lab/blink_tree_lab.ko
lab=/sys/kernel/debug/blink_tree_lab
if [ ! -e "$module" ]; then
	echo "1..0 # SKIP there is no $module"
	exit 4
fi

work=$(mktemp -d)
trap 'rmmod blink_tree_lab 2> /dev/null; rm -rf "$work"' EXIT

# The number of its threads.
hands() {
	cat /proc/[0-9]*/comm 2> /dev/null | grep -cE '^blink_(lab|mx)'
}

# at_work N: whether there are so many.
at_work() {
	[ "$(hands)" -eq "$1" ]
}
