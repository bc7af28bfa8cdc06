// SPDX-License-Identifier: GPL-2.0
/* Programs of several types, which read a tree in the contexts that they run in. */
#include <linux/bpf.h>
#include <linux/errno.h>
#include <linux/types.h>

#include <bpf/bpf_helpers.h>
#include <blinktree/bpf.h>

#include "contexts.h"

struct contexts shared;

static void note(int result)
{
	__u64 *counter = &shared.errors;

	if (!result || result == -ENOENT)
		counter = &shared.answers;
	else if (result == -EAGAIN)
		counter = &shared.busy;
	__sync_fetch_and_add(counter, 1);
}

static int walk(__u64 first, __u64 last)
{
	struct bpf_iter_blink it;
	int error;

	bpf_iter_blink_new(&it, shared.handle, first, last, 0);
	while (blink_next(&it))
		;
	error = bpf_blink_iter_error(&it);
	bpf_iter_blink_destroy(&it);
	return error;
}

static int read_tree(void)
{
	struct blink_tree_entry entry;
	__u64 key = shared.key, value;

	note(bpf_blink_lookup(shared.handle, key, &value));
	note(bpf_blink_floor(shared.handle, key, &entry));
	note(bpf_blink_ceiling(shared.handle, key, &entry));
	note(walk(key, key + 100));
	__sync_fetch_and_add(&shared.runs, 1);
	return 0;
}

/* Under the lock of a leaf. */
SEC("raw_tp/blink_tree_split")
int at_split(void *ctx)
{
	return read_tree();
}

SEC("raw_tp/blink_tree_merge")
int at_merge(void *ctx)
{
	return read_tree();
}

/* In a write section. */
SEC("kprobe/blink_narrow_insert")
int in_section(void *ctx)
{
	return read_tree();
}

SEC("raw_tp/nmi_handler")
int in_nmi(void *ctx)
{
	return read_tree();
}

SEC("perf_event")
int in_interrupt(void *ctx)
{
	return read_tree();
}

SEC("xdp")
int on_packet(void *ctx)
{
	read_tree();
	return XDP_PASS;
}

char _license[] SEC("license") = "GPL";
