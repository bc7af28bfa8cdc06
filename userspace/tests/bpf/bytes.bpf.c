// SPDX-License-Identifier: GPL-2.0
/* Programs that read a tree whose keys are strings of bytes. */
#include <linux/bpf.h>
#include <linux/errno.h>
#include <linux/types.h>

#include <bpf/bpf_helpers.h>
#include <blinktree/bpf.h>

#include "bytes.h"

struct bytes_query shared;

#define ENTRIES_MAX 100000

static int find(__u32 kind, __u32 length, __u32 size)
{
	switch (kind) {
	case BYTES_FLOOR:
		return bpf_blink_bytes_floor(shared.handle, shared.key, length,
					     &shared.entry, size);
	case BYTES_CEILING:
		return bpf_blink_bytes_ceiling(shared.handle, shared.key,
					       length, &shared.entry, size);
	case BYTES_LOWER:
		return bpf_blink_bytes_lower(shared.handle, shared.key, length,
					     &shared.entry, size);
	default:
		return bpf_blink_bytes_higher(shared.handle, shared.key, length,
					      &shared.entry, size);
	}
}

/* The entry beside the last one; its key is in the buffer of the next one. */
static int step(__u32 number, void *ctx)
{
	__u32 length = shared.entry.length;

	if (length > BLINK_BYTES_KEY_MAX)
		return 1;
	shared.sum = bytes_sum(shared.sum, shared.entry.value);
	shared.count++;
	if (shared.kind == BYTES_UP)
		shared.result = bpf_blink_bytes_higher(shared.handle,
						       shared.found, length,
						       &shared.entry,
						       BYTES_BUFFER);
	else
		shared.result = bpf_blink_bytes_lower(shared.handle,
						      shared.found, length,
						      &shared.entry,
						      BYTES_BUFFER);
	return shared.result != 0;
}

static void walk(__u32 length)
{
	if (shared.kind == BYTES_UP)
		shared.result = find(BYTES_CEILING, 0, BYTES_BUFFER);
	else
		shared.result = find(BYTES_FLOOR, length, BYTES_BUFFER);
	if (!shared.result)
		bpf_loop(ENTRIES_MAX, step, NULL, 0);
}

SEC("syscall")
int run_query(void *ctx)
{
	__u32 length = shared.length & (BYTES_BUFFER - 1);
	__u32 size = shared.size;

	if (size > BYTES_BUFFER)
		return 1;
	if (shared.kind == BYTES_LOOKUP)
		shared.result = bpf_blink_bytes_lookup(
			shared.handle, shared.key, length, &shared.entry.value);
	else if (shared.kind < BYTES_UP)
		shared.result = find(shared.kind, length, size);
	else
		walk(length);
	return 0;
}

/* These run inside of the call of another program, and of each other. */
static int look_inside(void)
{
	char key[4] = "abc";
	__u64 *counter = &shared.errors;
	__u64 value;
	int ret =
		bpf_blink_bytes_lookup(shared.handle, key, sizeof(key), &value);

	if (!ret || ret == -ENOENT)
		counter = &shared.answers;
	else if (ret == -EBUSY)
		counter = &shared.busy;
	__sync_fetch_and_add(counter, 1);
	return 0;
}

SEC("fentry/blink_tree_bytes_lookup")
int inside_1(void *ctx)
{
	return look_inside();
}

SEC("fentry/blink_tree_bytes_lookup")
int inside_2(void *ctx)
{
	return look_inside();
}

SEC("fentry/blink_tree_bytes_lookup")
int inside_3(void *ctx)
{
	return look_inside();
}

char _license[] SEC("license") = "GPL";
