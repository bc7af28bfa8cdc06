// SPDX-License-Identifier: GPL-2.0
/* Handles of trees for BPF programs: how to get one, and which tree it leads to. */
#include <linux/blink_tree.h>
#include <linux/rcupdate.h>

#define TAP_ELSEWHERE
#include "../common/tap.h"
#include "contract.h"

#include "chardev/handle.h"

#define NOBODY 65534

/* A number ends with its slot. */
#define SLOT_BITS 10

static __u64 slot_of(__u64 handle)
{
	return handle & ((1 << SLOT_BITS) - 1);
}

static long get(int tree, __u64 *handle)
{
	struct blink_tree_ioc_bpf_handle arg = {};
	long ret = call(tree, BLINK_TREE_IOC_BPF_HANDLE, &arg);

	*handle = arg.handle;
	return ret;
}

/* Whether a handle leads to a tree that it may use so. */
static bool leads(__u64 handle, fmode_t mode)
{
	const struct blink_handle *found;

	rcu_read_lock();
	found = blink_handle_find(handle, mode);
	rcu_read_unlock();
	return found;
}

void handles_malformed(void)
{
	struct blink_tree_ioc_bpf_handle arg = { .flags = 1 };
	int tree = create("", 0);
	__u64 handle;

	tap_check(call(tree, BLINK_TREE_IOC_BPF_HANDLE, &arg) == -EINVAL);
	arg = (struct blink_tree_ioc_bpf_handle){ .__reserved = 1 };
	tap_check(call(tree, BLINK_TREE_IOC_BPF_HANDLE, &arg) == -EINVAL);
	tap_check(get(device, &handle) == -ENOTTY);
	fuzz_uid = NOBODY;
	tap_check(get(tree, &handle) == -EPERM && !handle);
	fuzz_uid = 0;
	fuzz_close(tree);
	tap_case("a handle needs zeroes and a capability");
}

void handles_end(void)
{
	int tree = create("", 0), copy = fuzz_dup(tree), other = create("", 0);
	__u64 handle, again, next;

	tap_check(!get(tree, &handle) && handle);
	tap_check(!get(copy, &again) && again == handle);
	tap_check(!get(other, &next) && next != handle);
	tap_check(leads(handle, FMODE_READ | FMODE_WRITE));
	tap_check(!leads(0, 0) && !leads(handle + (1ULL << SLOT_BITS), 0));
	tap_check(!leads(handle ^ 1, 0) && !leads(handle ^ 1ULL << 63, 0));
	fuzz_close(tree);
	tap_check(leads(handle, FMODE_READ));
	fuzz_close(copy);
	tap_check(!leads(handle, 0) && leads(next, FMODE_READ));
	/* The slot is used again, the number is not. */
	tree = create("", 0);
	tap_check(!get(tree, &again) && slot_of(again) == slot_of(handle));
	tap_check(again != handle && !leads(handle, 0) && leads(again, 0));
	fuzz_close(tree);
	fuzz_close(other);
	tap_check(!leads(again, 0) && !leads(next, 0));
	tap_case("a handle ends with its descriptor");
}

/* The middle one of three descriptors goes, and what comes in its place is another. */
void handles_unforeseeable(void)
{
	static const unsigned long drawn[] = { 70,	  1ul << 53, 9, 0,
					       1ul << 53, 1ul << 53, 70 };
	__u64 handles[4];
	int trees[3];
	unsigned int i;

	fuzz_random = drawn;
	for (i = 0; i < 3; i++) {
		trees[i] = create("", 0);
		tap_check(!get(trees[i], &handles[i]));
		tap_check(handles[i] >> SLOT_BITS == drawn[i]);
	}
	fuzz_close(trees[1]);
	tap_check(leads(handles[0], 0) && leads(handles[2], 0));
	tap_check(!leads(handles[1], 0));
	/* Neither 0, nor the last number of the slot; that of another slot is fine. */
	trees[1] = create("", 0);
	tap_check(!get(trees[1], &handles[3]));
	tap_check(slot_of(handles[3]) == slot_of(handles[1]));
	tap_check(handles[3] >> SLOT_BITS == 70 && !leads(handles[1], 0));
	for (i = 0; i < 3; i++)
		fuzz_close(trees[i]);
	tap_check(!leads(handles[0], 0) && !leads(handles[2], 0) &&
		  !leads(handles[3], 0));
	fuzz_random = NULL;
	tap_case("the number of a handle is random above its slot");
}

void handles_have_access(void)
{
	int tree = create("a", 0600);
	int reader = open_tree("a", BLINK_TREE_OPEN_READ);
	int writer = open_tree("a", BLINK_TREE_OPEN_WRITE);
	__u64 handle;

	tap_check(!get(reader, &handle) && leads(handle, FMODE_READ));
	tap_check(!leads(handle, FMODE_WRITE));
	tap_check(!get(writer, &handle) && leads(handle, FMODE_WRITE));
	tap_check(!leads(handle, FMODE_READ));
	/* One descriptor of three is closed, and the tree is not. */
	fuzz_close(writer);
	tap_check(!leads(handle, FMODE_WRITE) && !unlink_tree("a"));
	tap_check(!get(tree, &handle) &&
		  leads(handle, FMODE_READ | FMODE_WRITE));
	fuzz_close(reader);
	fuzz_close(tree);
	tap_case("a handle has the access of its descriptor");
}
