// SPDX-License-Identifier: GPL-2.0
/* The userspace build of the core, used by threads. */
#include <errno.h>
#include <linux/kernel.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>

#include "../../../kunit/keys_names.h"
#include "../common/threads.h"
#include "core/core.h"
#include "history.h"
#include "target.h"

static struct blink_tree *tree;
static bool has_strings;

void target_init(void)
{
	if (blink_core_init())
		history_die("the core does not start", ENOMEM);
}

void target_new_tree(const struct mode *mode)
{
	const struct blink_tree_params params = {
		.flags = mode->how.flags ? BLINK_TREE_COMPRESS : 0,
		.replication = mode->how.replication,
		.locking = mode->how.locking,
		.placement = mode->how.placement,
		.key = mode->how.key,
	};

	if (tree) {
		blink_tree_destroy(tree);
		rcu_barrier();
	}
	shim_nodes = mode->nodes;
	has_strings = mode->how.key == BLINK_TREE_KEY_BYTES;
	tree = blink_tree_create(&params, GFP_KERNEL);
	if (IS_ERR(tree))
		history_die("no tree", ENOMEM);
}

void target_run(unsigned int nr, void (*fn)(unsigned int id))
{
	threads_of_program(nr, fn);
}

/* A floor or ceiling by a finger, which is at an entry close to the key. */
static void finger_op(struct blink_tree_ioc_op *op)
{
	struct blink_tree_entry entry;
	struct blink_finger finger;

	blink_finger_init(&finger, tree);
	rcu_read_lock();
	blink_finger_floor(&finger, op->key, &entry);
	if (op->opcode == BLINK_TREE_OP_FLOOR)
		op->result = blink_finger_floor(&finger, op->key, &entry);
	else
		op->result = blink_finger_ceiling(&finger, op->key, &entry);
	rcu_read_unlock();
	if (op->result)
		return;
	op->key = entry.key;
	op->value = entry.value;
}

void target_op(struct blink_tree_ioc_op *op)
{
	static __thread bool finger;

	finger = !finger;
	if (finger && (op->opcode == BLINK_TREE_OP_FLOOR ||
		       op->opcode == BLINK_TREE_OP_CEILING))
		finger_op(op);
	else
		blink_tree_op(tree, op, GFP_KERNEL);
}

void target_batch(struct blink_tree_ioc_op *ops, unsigned int nr)
{
	blink_tree_batch(tree, ops, nr, GFP_KERNEL);
}

int target_commit(struct blink_tree_ioc_op *ops, unsigned int nr)
{
	return blink_tree_commit(tree, ops, nr, NULL, GFP_KERNEL);
}

int target_load(const struct blink_tree_entry *entries, unsigned int nr,
		unsigned int *done)
{
	return blink_tree_load(tree, entries, nr, 100, GFP_KERNEL, done);
}

/* -EBUSY: another client is at it; -ENODEV: the only index. */
void target_rebuild(unsigned int any)
{
	int ret = blink_tree_rebuild(tree, any % shim_nodes, GFP_KERNEL);

	if (ret && ret != -EBUSY && ret != -ENODEV)
		history_die("a rebuild fails", -ret);
}

/* Without room a cursor scans, and each step of one over strings is a search. */
bool target_scans_at_once(unsigned int room)
{
	return room || !has_strings;
}

static unsigned int scan_all(struct range *range,
			     struct blink_tree_entry *entries)
{
	struct blink_cursor cursor;
	unsigned int n = 0;

	if (range->desc)
		blink_cursor_init_desc(&cursor, tree, range->first,
				       range->last);
	else
		blink_cursor_init(&cursor, tree, range->first, range->last);
	while (blink_cursor_next(&cursor, &entries[n]) > 0)
		n++;
	range->done = true;
	return n;
}

unsigned int target_scan(struct range *range, struct blink_tree_entry *entries,
			 unsigned int room)
{
	struct blink_scan scan = {
		.first = range->first,
		.last = range->last,
		.desc = range->desc,
	};
	int n;

	if (!room)
		return scan_all(range, entries);
	n = blink_tree_scan(tree, &scan, entries, room);
	if (n < 0)
		history_die("a scan fails", -n);
	range->first = scan.first;
	range->last = scan.last;
	range->done = scan.done;
	return n;
}

void target_stats(struct blink_tree_ioc_stats *stats)
{
	blink_tree_stats(tree, stats);
}
