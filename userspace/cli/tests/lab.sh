# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# The threads of the laboratory, for scripts that let it work and end it.

# The number of its threads.
hands() {
	cat /proc/[0-9]*/comm 2> /dev/null | grep -cE '^blink_(lab|mx)'
}

# at_work N: whether there are so many.
at_work() {
	[ "$(hands)" -eq "$1" ]
}
