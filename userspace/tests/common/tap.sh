# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# TAP for test scripts that source this: check() as often as needed within a case,
# ends() after it; or result() for a case that is one command. all_good() at the end.

cases=0
failures=0
wrong=0

# check TEXT...: the case fails, and says why.
check() {
	wrong=1
	echo "# not as expected: $*"
}

# ends NAME [COMMENT]: report the case; the comment is for a failure.
ends() {
	cases=$((cases + 1))
	if [ "$wrong" = 0 ]; then
		echo "ok $cases - $1"
	else
		echo "not ok $cases - $1${2:+ # $2}"
		failures=$((failures + 1))
	fi
	wrong=0
}

# result STATUS NAME: report a case by the exit status of its command.
result() {
	wrong=$1
	ends "$2" "exit status $1"
}

# soon SECONDS WORD...: whether a command succeeds within a time.
soon() {
	soon_end=$(($(date +%s) + $1))
	shift
	until "$@"; do
		[ "$(date +%s)" -lt "$soon_end" ] || return 1
		sleep 0.2
	done
}

# sleeps PID: whether a process waits for something, until that or a signal comes.
sleeps() {
	grep -q '^State:.S' "/proc/$1/status"
}

# stopped PID: whether each of its threads stands still.
stopped() {
	! grep -h '^State:' "/proc/$1/task/"*/status | grep -qv 'T (stopped)'
}

# pause PID: stop a process, and wait until it stands still; kill -CONT lets it go on.
pause() {
	kill -STOP "$1"
	soon 60 stopped "$1" || check "$1 goes on"
}

# Whether no case has failed.
all_good() {
	[ "$failures" = 0 ]
}
