// SPDX-License-Identifier: GPL-2.0
/* Programs that modify a tree: one that a process runs, and others on packets. */
#include <linux/bpf.h>
#include <linux/errno.h>
#include <linux/types.h>

#include <bpf/bpf_helpers.h>
#include <blinktree/bpf.h>

#include "change.h"

struct traffic shared;

static int make_blind(const struct change *c)
{
	if (c->kind == CHANGE_STORE)
		return bpf_blink_store(c->handle, c->key, c->value, NULL);
	if (c->kind == CHANGE_ADD)
		return bpf_blink_add(c->handle, c->key, c->value, NULL);
	if (c->kind == CHANGE_ADD_SATURATE)
		return bpf_blink_add_saturate(c->handle, c->key, c->value,
					      NULL);
	if (c->kind == CHANGE_REPLACE)
		return bpf_blink_replace(c->handle, c->key, c->value, NULL);
	return bpf_blink_erase(c->handle, c->key, NULL);
}

static int make(struct change *c, __u64 *old)
{
	switch (c->kind) {
	case CHANGE_INSERT:
		return bpf_blink_insert(c->handle, c->key, c->value);
	case CHANGE_STORE:
		return bpf_blink_store(c->handle, c->key, c->value, old);
	case CHANGE_ADD:
		return bpf_blink_add(c->handle, c->key, c->value, old);
	case CHANGE_ADD_SATURATE:
		return bpf_blink_add_saturate(c->handle, c->key, c->value, old);
	case CHANGE_REPLACE:
		return bpf_blink_replace(c->handle, c->key, c->value, old);
	case CHANGE_CMPXCHG:
		return bpf_blink_cmpxchg(c->handle, c->key, old, c->value);
	default:
		return bpf_blink_erase(c->handle, c->key, old);
	}
}

SEC("syscall")
int run_change(struct change *c)
{
	__u64 old = c->old;

	c->result = c->blind ? make_blind(c) : make(c, &old);
	c->old = old;
	return 0;
}

/* Add a key, or remove it if it is there. Its value follows from it. */
static int toggle(__u64 key)
{
	__u64 old = 0;
	int ret = bpf_blink_insert(shared.handle, key, ~key);

	if (!ret) {
		__sync_fetch_and_add(&shared.inserted, 1);
		return 0;
	}
	if (ret == -EEXIST)
		ret = bpf_blink_erase(shared.handle, key, &old);
	if (!ret && old == ~key)
		__sync_fetch_and_add(&shared.erased, 1);
	else if (!ret)
		__sync_fetch_and_add(&shared.errors, 1);
	return ret;
}

static int on_any_packet(int verdict)
{
	__u64 turn = __sync_fetch_and_add(&shared.turn, 1);
	int ret = toggle(turn * 0x9e3779b97f4a7c15ULL % shared.keys);

	if (ret == -EBUSY)
		__sync_fetch_and_add(&shared.busy, 1);
	else if (ret && ret != -ENOENT)
		__sync_fetch_and_add(&shared.errors, 1);
	return verdict;
}

SEC("xdp")
int on_packet(void *ctx)
{
	return on_any_packet(XDP_PASS);
}

SEC("cgroup_skb/egress")
int on_egress(void *ctx)
{
	return on_any_packet(1);
}

char _license[] SEC("license") = "GPL";
