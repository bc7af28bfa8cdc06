# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2154
# Servers, publishers and followers of a test. The caller has set "blinktree" and "nats",
# the commands, and "work", a directory.

# The processes that run, by name.
declare -A pids

# start NAME WORD...: run blinktree-nats in the background.
start() {
	local name=$1
	shift
	"$nats" "$@" > "$work/$name.log" 2>&1 &
	pids[$name]=$!
}

publish() {
	start publisher publish symbols
}

# follow TREE: keep a copy of the symbols.
follow() {
	start "follower_$1" follow symbols --tree "$1" --state "$work/$1.json"
}

# server: start nats-server, with what it had stored.
server() {
	nats-server -js -sd "$work/store" -a 127.0.0.1 -p "${server_port:-4222}" \
		> "$work/server.log" 2>&1 &
	pids[server]=$!
	soon 60 grep -q 'Server is ready' "$work/server.log" || check "$(cat "$work/server.log")"
}

kill_hard() {
	kill -KILL "${pids[$1]}"
	wait "${pids[$1]}" 2> /dev/null
	unset "pids[$1]"
}

# stop NAME: by SIGTERM; its exit status has to be 0, or that of the server.
stop() {
	kill -TERM "${pids[$1]}"
	wait "${pids[$1]}"
	case $1,$? in
	*,0 | server,1) ;;
	*) check "$1 ended with a failure: $(tail -n 3 "$work/$1.log")" ;;
	esac
	unset "pids[$1]"
}

stop_all() {
	rm -f "$work/write"
	[ ${#pids[@]} = 0 ] || kill -KILL "${pids[@]}"
	wait
	rm -rf "$work"
}

# same TREE TREE: whether two trees have the same entries.
same() {
	cmp -s <("$blinktree" scan "$1") <("$blinktree" scan "$2")
}

# dumps TREE LINES: whether a tree has these entries.
dumps() {
	[ "$("$blinktree" scan "$1")" = "$2" ]
}

# random_operations SEED N: change the symbols, and keys beside them.
random_operations() {
	awk -v seed="$1" -v n="$2" 'BEGIN {
		srand(seed)
		for (i = 0; i < n; i++) {
			key = sprintf("0xffffffff8%07x", int(rand() * 40000) * 64)
			print rand() < 0.3 ? "del " key : "put " key " " int(rand() * 1e9)
		}
	}' | "$blinktree" batch symbols > /dev/null
}

# number_of FIELD VALUE NAME: a number that the first program with this value of a field,
# its role or its host, tells of itself.
number_of() {
	"$nats" status symbols --json 2> /dev/null | grep "\"$1\":\"$2\"" |
		sed -n "1s/.*\"$3\":\([0-9]*\).*/\1/p"
}

# passed FIELD VALUE SEQUENCE: whether this program has the message.
passed() {
	local sequence
	sequence=$(number_of "$1" "$2" sequence)
	[ "${sequence:-0}" -ge "$3" ]
}

# learn WORD...: wait until a command prints something, which is $last then.
learn() {
	soon 60 prints "$@" || check "no answer: $*"
}

prints() {
	last=$("$@")
	[ -n "$last" ]
}
