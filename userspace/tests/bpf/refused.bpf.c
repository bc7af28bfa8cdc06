// SPDX-License-Identifier: GPL-2.0
/*
 * Programs that the verifier has to refuse: they would let a function write to address 0,
 * or to memory that the program uses for something else. The one whose name begins with
 * "good" differs by what makes it right.
 */
#include <linux/bpf.h>
#include <linux/types.h>

#include <bpf/bpf_helpers.h>
#include <blinktree/bpf.h>

__u64 handle;

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 4);
	__type(key, __u32);
	__type(value, __u64);
} places SEC(".maps");

SEC("syscall")
int good_place(void *ctx)
{
	__u32 key = 0;
	__u64 *place = bpf_map_lookup_elem(&places, &key);

	return place && bpf_blink_lookup(handle, 1, place);
}

/* The element may be absent. */
SEC("syscall")
int value_in_no_place(void *ctx)
{
	__u32 key = 0;
	__u64 *place = bpf_map_lookup_elem(&places, &key);

	return bpf_blink_lookup(handle, 1, place);
}

SEC("syscall")
int string_in_no_place(void *ctx)
{
	__u32 key = 0;
	__u64 *place = bpf_map_lookup_elem(&places, &key), value;

	return bpf_blink_bytes_lookup(handle, place, sizeof(*place), &value);
}

SEC("syscall")
int entry_in_no_place(void *ctx)
{
	return bpf_blink_floor(handle, 1, NULL);
}

SEC("syscall")
int wide_entry_in_no_place(void *ctx)
{
	return bpf_blink_u128_ceiling(handle, 1, 1, NULL);
}

SEC("syscall")
int expected_value_in_no_place(void *ctx)
{
	return bpf_blink_cmpxchg(handle, 1, NULL, 1);
}

static __always_inline int step(int destroy_first)
{
	const struct blink_tree_entry *entry;
	struct bpf_iter_blink it;
	__u64 key = 0;

	bpf_iter_blink_new(&it, handle, 0, ~0ULL, 0);
	entry = blink_next(&it);
	if (destroy_first)
		bpf_iter_blink_destroy(&it);
	if (entry)
		key = entry->key;
	if (!destroy_first)
		bpf_iter_blink_destroy(&it);
	return key;
}

SEC("syscall")
int good_step(void *ctx)
{
	return step(0);
}

SEC("syscall")
int entry_of_no_iterator(void *ctx)
{
	return step(1);
}

/* The entry is memory of the iterator. */
SEC("syscall")
int overwritten_entry(void *ctx)
{
	struct bpf_iter_blink it;
	void *entry;

	bpf_iter_blink_new(&it, handle, 0, ~0ULL, 0);
	entry = bpf_iter_blink_next(&it);
	if (entry)
		bpf_blink_floor(handle, 1, entry);
	bpf_iter_blink_destroy(&it);
	return 0;
}

SEC("syscall")
int entry_overwritten_by_a_string(void *ctx)
{
	struct bpf_iter_blink it;
	char key[] = "key";
	void *entry;

	bpf_iter_blink_new(&it, handle, 0, ~0ULL, 0);
	entry = bpf_iter_blink_next(&it);
	if (entry)
		bpf_blink_bytes_floor(handle, key, sizeof(key), entry,
				      sizeof(struct blink_bytes_entry));
	bpf_iter_blink_destroy(&it);
	return 0;
}

SEC("syscall")
int overwritten_wide_entry(void *ctx)
{
	const struct blink_u128 bound = {};
	struct bpf_iter_blink_u128 it;
	void *entry;

	bpf_iter_blink_u128_new(&it, handle, &bound, &bound, 0);
	entry = bpf_iter_blink_u128_next(&it);
	if (entry)
		bpf_blink_u128_floor(handle, 1, 1, entry);
	bpf_iter_blink_u128_destroy(&it);
	return 0;
}

SEC("fentry/blink_tree_erase_range")
int good_trace(__u64 *ctx)
{
	struct blink_tree_entry entry = { .key = ctx[2] };

	bpf_blink_floor(handle, 1, &entry);
	return 0;
}

/* It would write where an argument of the function points to. */
SEC("fentry/blink_tree_erase_range")
int argument_of_a_function(__u64 *ctx)
{
	bpf_blink_floor(handle, 1, (struct blink_tree_entry *)ctx[2]);
	return 0;
}

char _license[] SEC("license") = "GPL";
