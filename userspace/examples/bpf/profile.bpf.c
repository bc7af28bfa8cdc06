// SPDX-License-Identifier: GPL-2.0
/* Count samples by symbol of the kernel. Only the counts go to the loader. */
#include <linux/ptrace.h>
#include <linux/bpf.h>
#include <linux/bpf_perf_event.h>
#include <linux/errno.h>

#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <blinktree/bpf.h>

#include "profile.h"

/* The loader sets @symbols. */
struct profile profile;

/* The samples of each symbol, by its number. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 65536);
	__type(key, __u64);
	__type(value, __u64);
} samples SEC(".maps");

static void count(__u64 number)
{
	const __u64 one = 1;
	__u64 *present = bpf_map_lookup_elem(&samples, &number);

	if (!present &&
	    bpf_map_update_elem(&samples, &number, &one, BPF_NOEXIST))
		present = bpf_map_lookup_elem(&samples, &number);
	if (present)
		__sync_fetch_and_add(present, 1);
}

SEC("perf_event")
int sample(struct bpf_perf_event_data *ctx)
{
	struct blink_tree_entry symbol;
	int err = bpf_blink_floor(profile.symbols, PT_REGS_IP(&ctx->regs),
				  &symbol);

	if (!err)
		count(symbol.value);
	else
		__sync_fetch_and_add(
			err == -ENOENT ? &profile.outside : &profile.busy, 1);
	return 0;
}

char _license[] SEC("license") = "GPL";
