// SPDX-License-Identifier: GPL-2.0
/* The device, used by processes through the library. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "blinktree.h"
#include "device_bytes.h"
#include "history.h"
#include "target.h"

static struct blinktree_ctl *ctl;
static struct blinktree *tree;
/* Its keys are strings. */
static bool strings;

void target_init(void)
{
	int ret = blinktree_ctl_open(NULL, &ctl);

	if (ret)
		history_die("no device", -ret);
}

void target_new_tree(const struct mode *mode)
{
	int ret;

	strings = mode->how.key == BLINK_TREE_KEY_BYTES;
	if (mode->how.key && !strings)
		history_die("no keys of 128 bits", EOPNOTSUPP);
	blinktree_close(tree);
	tree = NULL;
	ret = blinktree_create_as(ctl, &mode->how, sizeof(mode->how), &tree);
	if (ret)
		history_die("no tree", -ret);
}

static bool in_child(unsigned int id, void (*fn)(unsigned int id))
{
	pid_t pid = fork();

	if (pid < 0)
		history_die("no process", errno);
	if (pid)
		return false;
	fn(id);
	/* The buffered output belongs to the parent: exit() would write it as well. */
	_exit(0);
}

void target_run(unsigned int nr, void (*fn)(unsigned int id))
{
	unsigned int i;
	int status;

	for (i = 0; i < nr; i++)
		in_child(i, fn);
	for (i = 0; i < nr; i++)
		if (wait(&status) < 0 || status)
			history_die("a client failed", ECHILD);
}

static int do_nearest(struct blink_tree_ioc_op *op)
{
	struct blink_tree_entry entry = { .key = op->key, .value = op->value };
	int ret;

	if (op->opcode == BLINK_TREE_OP_FLOOR)
		ret = blinktree_floor(tree, op->key, &entry);
	else
		ret = blinktree_ceiling(tree, op->key, &entry);
	op->key = entry.key;
	op->value = entry.value;
	return ret;
}

static int do_get_or_insert(struct blink_tree_ioc_op *op)
{
	__u64 value = op->value;
	int ret = blinktree_get_or_insert(tree, op->key, &value);

	if (ret == 1)
		op->old = value;
	return ret;
}

static int do_pop(struct blink_tree_ioc_op *op)
{
	struct blink_tree_entry entry = { .key = op->key, .value = op->old };
	int ret;

	if (op->opcode == BLINK_TREE_OP_POP_MIN)
		ret = blinktree_pop_min(tree, op->key, &entry);
	else
		ret = blinktree_pop_max(tree, op->key, &entry);
	op->key = entry.key;
	op->old = entry.value;
	return ret;
}

static int do_op(struct blink_tree_ioc_op *op)
{
	switch (op->opcode) {
	case BLINK_TREE_OP_LOOKUP:
		return blinktree_get(tree, op->key, &op->value);
	case BLINK_TREE_OP_INSERT:
		return blinktree_insert(tree, op->key, op->value, &op->old);
	case BLINK_TREE_OP_STORE:
		return blinktree_store(tree, op->key, op->value, &op->old);
	case BLINK_TREE_OP_ADD:
		return blinktree_add(tree, op->key, op->value, &op->old);
	case BLINK_TREE_OP_REPLACE:
		return blinktree_replace(tree, op->key, op->value, &op->old);
	case BLINK_TREE_OP_ERASE:
		return blinktree_erase(tree, op->key, &op->old);
	case BLINK_TREE_OP_CMPXCHG:
		return blinktree_cmpxchg(tree, op->key, &op->old, op->value);
	case BLINK_TREE_OP_CMPERASE:
		return blinktree_cmperase(tree, op->key, &op->old);
	case BLINK_TREE_OP_GET_OR_INSERT:
		return do_get_or_insert(op);
	case BLINK_TREE_OP_POP_MIN:
	case BLINK_TREE_OP_POP_MAX:
		return do_pop(op);
	default:
		return do_nearest(op);
	}
}

void target_op(struct blink_tree_ioc_op *op)
{
	if (strings)
		bytes_batch(tree, op, 1);
	else
		op->result = do_op(op);
}

void target_batch(struct blink_tree_ioc_op *ops, unsigned int nr)
{
	size_t done;
	int ret;

	if (strings) {
		bytes_batch(tree, ops, nr);
		return;
	}
	ret = blinktree_batch(tree, ops, nr, &done);
	if (ret || done != nr)
		history_die("a batch fails", -ret);
}

int target_commit(struct blink_tree_ioc_op *ops, unsigned int nr)
{
	return strings ? bytes_commit(tree, ops, nr) :
			 blinktree_commit(tree, ops, nr, NULL);
}

int target_load(const struct blink_tree_entry *entries, unsigned int nr,
		unsigned int *done)
{
	size_t added;
	int ret = strings ? bytes_load(tree, entries, nr, &added) :
			    blinktree_load(tree, entries, nr, 100, &added);

	*done = added;
	return ret;
}

/* The device has no such call. */
void target_rebuild(unsigned int any)
{
	(void)any;
}

bool target_scans_at_once(unsigned int room)
{
	return !room;
}

static int numbers_scan(const struct range *range,
			struct blink_tree_entry *entries, unsigned int room)
{
	struct blinktree_scan *scan;
	unsigned int n = 0;
	int ret;

	ret = blinktree_scan_open(tree, range->first, range->last,
				  range->desc ? BLINK_TREE_SCAN_DESC : 0, room,
				  &scan);
	while (!ret) {
		ret = blinktree_scan_next(scan, &entries[n]);
		if (ret <= 0)
			break;
		n++;
		ret = 0;
	}
	blinktree_scan_close(scan);
	return ret ? ret : (int)n;
}

/* A scan of the library's is always a whole one. */
unsigned int target_scan(struct range *range, struct blink_tree_entry *entries,
			 unsigned int room)
{
	int n = strings ? bytes_scan(tree, range, entries, room) :
			  numbers_scan(range, entries, room);

	if (n < 0)
		history_die("a scan fails", -n);
	range->done = true;
	return n;
}

void target_stats(struct blink_tree_ioc_stats *stats)
{
	struct blinktree_stats *read;
	int ret = blinktree_stats_read(tree, 0, &read);

	if (ret)
		history_die("no statistics", -ret);
	*stats = *blinktree_stats_counters(read);
	blinktree_stats_free(read);
}
