// SPDX-License-Identifier: GPL-2.0
/*
 * The functions that BPF programs call, in contexts that tests in a kernel cannot
 * bring about: inside of a writer, and inside of many calls.
 */
#include <linux/blink_tree.h>
#include <linux/rcupdate.h>

#define TAP_ELSEWHERE
#include "../common/tap.h"
#include "contract.h"

#include "bpf/kfuncs.h"
#include "bpf/scratch.h"
#include "chardev/handle.h"
#include "core/core.h"
#include "core/tree/writer.h"

static __u64 handle_of(int tree)
{
	struct blink_tree_ioc_bpf_handle arg = {};

	tap_check(!call(tree, BLINK_TREE_IOC_BPF_HANDLE, &arg));
	return arg.handle;
}

static int create_kind(enum blink_tree_key kind)
{
	struct blink_tree_ioc_create arg = { .key = kind };

	return call(device, BLINK_TREE_IOC_CREATE, &arg);
}

/* A call that changed its context would have an effect on the next ones. */
static bool context_is_a_task(void)
{
	return !shim_self->atomic && !shim_self->irqs_off &&
	       !shim_self->rcu_depth;
}

void programs_read(void)
{
	int tree = create("", 0);
	__u64 handle = handle_of(tree), value = 0;
	struct blink_tree_entry entry = {};

	tap_check(!bpf_blink_insert(handle, 5, 50));
	fuzz_in_nmi = true;
	tap_check(!bpf_blink_lookup(handle, 5, &value) && value == 50);
	tap_check(!bpf_blink_floor(handle, 9, &entry) && entry.key == 5);
	tap_check(!bpf_blink_ceiling(handle, 1, &entry) && entry.value == 50);
	tap_check(bpf_blink_ceiling(handle, 6, &entry) == -ENOENT);
	fuzz_in_nmi = false;
	tap_check(context_is_a_task());
	fuzz_close(tree);
	tap_check(bpf_blink_lookup(handle, 5, &value) == -EBADF);
	tap_check(context_is_a_task());
	tap_case("programs read in NMIs");
}

#define PLACES 3

static bool finds(__u64 handle, int result)
{
	__u64 value;

	return bpf_blink_bytes_lookup(handle, "key", 3, &value) == result &&
	       context_is_a_task();
}

void programs_read_bytes(void)
{
	int tree = create_kind(BLINK_TREE_KEY_BYTES);
	__u64 handle = handle_of(tree);
	unsigned long flags;
	unsigned int i;

	tap_check(!blink_bpf_scratch_init() && finds(handle, -ENOENT));
	/* The programs whose calls this one is inside of. */
	local_irq_save(flags);
	for (i = 0; i < PLACES - 1; i++)
		tap_check(blink_bpf_scratch_get());
	local_irq_restore(flags);
	tap_check(finds(handle, -ENOENT));
	local_irq_save(flags);
	tap_check(blink_bpf_scratch_get());
	local_irq_restore(flags);
	tap_check(finds(handle, -EBUSY));
	local_irq_save(flags);
	for (i = 0; i < PLACES; i++)
		blink_bpf_scratch_put();
	local_irq_restore(flags);
	tap_check(finds(handle, -ENOENT));
	blink_bpf_scratch_exit();
	fuzz_close(tree);
	tap_case("three calls for strings are inside of each other");
}

/* Whether all functions that modify a tree return @result, or what they do elsewhere. */
static bool all_return(__u64 handle, int result)
{
	__u64 old = 50;
	int results[] = {
		bpf_blink_insert(handle, 5, 51),
		bpf_blink_store(handle, 5, 52, &old),
		bpf_blink_add(handle, 5, 1, &old),
		bpf_blink_add_saturate(handle, 5, -1, NULL),
		bpf_blink_replace(handle, 5, 53, NULL),
		bpf_blink_cmpxchg(handle, 5, &old, 54),
		bpf_blink_erase(handle, 5, NULL),
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(results); i++)
		if (results[i] != result)
			return false;
	return true;
}

static struct blink_tree *tree_of(__u64 handle)
{
	struct blink_tree *tree;

	rcu_read_lock();
	tree = blink_handle_find(handle, 0)->tree;
	rcu_read_unlock();
	return tree;
}

void programs_modify(void)
{
	int tree = create("", 0), another = create("", 0);
	__u64 handle = handle_of(tree), other = handle_of(another), value = 0;
	unsigned long flags;

	tap_check(!bpf_blink_store(handle, 5, 50, NULL));
	flags = blink_writer_begin(tree_of(other));
	tap_check(all_return(handle, -EBUSY));
	blink_writer_end(tree_of(other), flags);
	local_irq_save(flags);
	tap_check(all_return(handle, -EBUSY));
	local_irq_restore(flags);
	fuzz_in_hardirq = true;
	tap_check(all_return(handle, -EBUSY));
	fuzz_in_hardirq = false;
	fuzz_in_nmi = true;
	tap_check(all_return(handle, -EBUSY));
	fuzz_in_nmi = false;
	tap_check(context_is_a_task() && !blink_mark_is_set());
	tap_check(!bpf_blink_lookup(handle, 5, &value) && value == 50);
	tap_check(bpf_blink_store(handle, 5, 51, &value) == 1 && value == 50);
	tap_check(bpf_blink_add(handle, 5, -50ULL, &value) == 1 && value == 51);
	tap_check(bpf_blink_add_saturate(handle, 5, -2, &value) == 1);
	tap_check(value == 1 && !bpf_blink_erase(handle, 5, &value) && !value);
	tap_check(!bpf_blink_add(handle, 5, 7, &value));
	tap_check(!bpf_blink_erase(handle, 5, &value) && value == 7);
	tap_check(context_is_a_task() && !blink_mark_is_set());
	fuzz_close(another);
	fuzz_close(tree);
	tap_check(all_return(handle, -EBADF));
	tap_case("programs modify no tree inside of a writer");
}
