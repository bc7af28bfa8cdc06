#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The loaders of userspace/examples/bpf, in TAP. As root, module loaded.
#
#   examples.sh DIR BLINKTREE
#     DIR  where they were built
set -u
# shellcheck source=userspace/tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"

dir=$1
blinktree=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [ ! -e /sys/kernel/btf/blink_tree ]; then
	echo "1..0 # SKIP the kernel does not know the module's types"
	exit 4
fi
ip link set lo up

# It tells of each SOURCE PORT SECONDS whether a packet gets through the interface in time. One
# process for all of them: python takes seconds to start in an emulated guest.
coproc packets {
	python3 -u -c '
import socket, sys
for line in sys.stdin:
    source, port, seconds = line.split()
    family = socket.AF_INET6 if ":" in source else socket.AF_INET
    with (
        socket.socket(family, socket.SOCK_DGRAM) as to,
        socket.socket(family, socket.SOCK_DGRAM) as sender,
    ):
        to.settimeout(float(seconds))
        to.bind(("::1" if ":" in source else "127.0.0.1", int(port)))
        sender.bind((source, 0))
        sender.sendto(b"x", to.getsockname())
        try:
            print("arrived" if to.recv(1) == b"x" else "changed")
        except TimeoutError:
            print("lost")
'
}

# send SOURCE PORT SECONDS: what becomes of a packet is in $fate
send() {
	echo "$@" >&"${packets[1]}"
	read -r fate <&"${packets[0]}"
}

# passes SOURCE PORT, is_dropped SOURCE PORT
passes() {
	send "$@" 60
	[ "$fate" = arrived ] || check "a packet from $1 to port $2 is lost"
}

is_dropped() {
	send "$@" 0.5
	[ "$fate" = lost ] || check "a packet from $1 to port $2 arrives"
}

# begin PROGRAM WORD...: run a loader, which prints to 3
begin() {
	exec 3< <(exec "$dir/$1" "${@:2}" 2> "$work/err")
	loader=$!
}

# says LINE: wait for what the loader prints next
says() {
	local line
	read -rt 300 line <&3
	[ "$line" = "$1" ] || check "the loader printed: $line $(cat "$work/err")"
}

# end: end the loader
end() {
	kill $loader
	wait $loader || check "the loader ended with $?: $(cat "$work/err")"
}

echo "TAP version 13"
echo "1..4"

cat > "$work/list" <<-END
	# a comment
	127.0.0.2	# one address
	127.1.0.0/16
	127.1.2.0/24
	::2/127
END
ip -6 addr add ::3/128 dev lo
ip -6 addr add ::5/128 dev lo
begin xdp_filter lo "$work/list"
says "2 prefixes of IPv4, 1 of IPv6"
passes 127.0.0.1 2000
is_dropped 127.0.0.2 2000
passes 127.0.0.3 2000
is_dropped 127.1.2.3 2000
passes 127.2.0.0 2000
is_dropped ::3 2000
passes ::5 2000
ends "xdp_filter drops the packets of a list"

printf '%s\n' 127.0.0.3 127.1.2.0/24 ::4/126 > "$work/list"
kill -HUP $loader
says "2 prefixes of IPv4, 1 of IPv6"
passes 127.0.0.2 2000
is_dropped 127.0.0.3 2000
passes 127.1.3.3 2000
is_dropped 127.1.2.3 2000
passes ::3 2000
is_dropped ::5 2000
echo "127.0.0.1/33" >> "$work/list"
kill -HUP $loader
soon 60 grep -q "list:4: no prefix" "$work/err" || check "$(cat "$work/err")"
is_dropped 127.0.0.3 2000
end
passes 127.0.0.3 2000
"$dir/xdp_filter" lo "$work/list" 2> "$work/err" && check "a list with a mistake"
printf '127.0.0.3\n127.0.0.4\0 127.0.0.5\n' > "$work/list"
"$dir/xdp_filter" lo "$work/list" 2> "$work/err" && check "a list with a zero byte"
grep -q "list:2: no prefix" "$work/err" || check "$(cat "$work/err")"
"$dir/xdp_filter" lo "$work/none" 2> "$work/err" && check "no list"
grep -q "No such file" "$work/err" || check "$(cat "$work/err")"
ends "it reads a list again, and refuses one with a mistake"

tree=ports_$$
"$blinktree" create $tree
"$blinktree" range $tree put 1000 1999 1
begin port_rules lo $tree
says ready
passes 127.0.0.1 1000
passes 127.0.0.1 1999
is_dropped 127.0.0.1 2000
"$blinktree" range $tree put 2000 2000 1
passes 127.0.0.1 2000
"$blinktree" rm $tree
passes 127.0.0.1 2000
end
"$dir/port_rules" lo $tree 2> "$work/err" && check "no tree"
ends "port_rules opens the ports of a tree"

dd if=/dev/zero of=/dev/null bs=1 count=100000000 2> /dev/null &
writer=$!
"$dir/profile" 3 > "$work/out" 2> "$work/err" || check "$(cat "$work/err")"
kill $writer
[ "$(wc -l < "$work/out")" -ge 5 ] || check "few symbols: $(cat "$work/out")"
sort -s -n -r -k 1,1 "$work/out" | cmp - "$work/out" || check "no order"
awk 'NR == FNR { unknown[$2] } $2 ~ /^[tTwW]$/ { delete unknown[$3] }
	END { for (symbol in unknown) print symbol }' "$work/out" /proc/kallsyms > "$work/unknown"
[ -s "$work/unknown" ] && check "no symbols: $(cat "$work/unknown")"
# A task that reads and writes single bytes is in these functions most of the time.
grep -qE ' (vfs_read|vfs_write|read_zero|write_null|ksys_read|ksys_write|do_syscall_64|el0_svc.*|entry_SYSCALL_64.*|syscall_.*)$' \
	"$work/out" || check "not the functions of dd: $(cat "$work/out")"
ends "profile finds the functions that dd runs"

all_good
