// SPDX-License-Identifier: GPL-2.0
/* The three schemes of the B-link tree of MxTasks (mx_tree.h). */
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/processor.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "lab_index.h"
#include "mx.h"
#include "mx_cores.h"

/* Looks at an empty queue between two offers to give up the CPU. */
#define PATIENCE 128

static void start(struct mx_tree *mx, struct mx_core *core,
		  struct mx_task *task)
{
	if (mx->kind == MX_CORE)
		mx_core_enqueue(mx, task, mx_root(mx));
	else
		mx_sync_enqueue(mx, core, task, mx_root(mx));
}

static bool run(struct mx_core *core)
{
	return core->mx->kind == MX_CORE ? mx_core_run(core) :
					   mx_sync_run(core);
}

static void start_all(struct mx_tree *mx, struct mx_core *core,
		      struct mx_call *call, struct mx_task *task,
		      unsigned int nr)
{
	unsigned int i;

	init_completion(&call->done);
	atomic_set(&call->left, nr);
	for (i = 0; i < nr; i++) {
		task[i].call = call;
		start(mx, core, &task[i]);
	}
}

#ifdef SHIM_TRACED
/*
 * A program that is recorded has one core, and no thread keeps it: the thread of each call
 * executes all tasks of the call, and tells where each belongs (marks.h). So they have
 * lines of their own, where no frame of this thread is.
 */
static __thread struct own {
	struct mx_call call;
	struct mx_task task[LAB_BATCH_MAX];
} own __aligned(BLINK_LINE_BYTES);

/* Hold the core. NULL if another thread does, as while the index is loaded. */
static struct mx_core *prepare(struct mx_tree *mx, unsigned int nr)
{
	const char *line = (const char *)&own;
	struct mx_core *core;

	mx_hide();
	core = mx_cores_hold(mx->cores);
	for (; line < (const char *)&own.task[nr]; line += BLINK_LINE_BYTES)
		blink_tell(line, BLINK_TAG_OWN);
	blink_mark(BLINK_MARK_HIDE | 1);
	return core;
}

static void execute_tasks(struct mx_tree *mx, struct mx_task *task,
			  unsigned int nr)
{
	struct mx_core *core;

	/* Not the scheme's. */
	blink_mark(BLINK_MARK_WAIT);
	core = prepare(mx, nr);
	memcpy(own.task, task, nr * sizeof(*task));
	blink_mark(BLINK_MARK_WAIT | 1);
	start_all(mx, core, &own.call, own.task, nr);
	mx_hide();
	while (core && atomic_read(&own.call.left))
		run(core);
	blink_mark(BLINK_MARK_JOIN);
	wait_for_completion(&own.call.done);
	blink_mark(BLINK_MARK_WAIT);
	memcpy(task, own.task, nr * sizeof(*task));
	mx_hide();
	mx_cores_leave(mx->cores);
	blink_mark(BLINK_MARK_HIDE | 1);
	blink_mark(BLINK_MARK_WAIT | 1);
}
#else
/* Be a core until a call has ended; the tasks are those of all clients. */
static void work(struct mx_core *core, struct mx_call *call)
{
	unsigned int idle = 0;

	while (!try_wait_for_completion(&call->done)) {
		cond_resched();
		if (run(core))
			continue;
		cpu_relax();
		if (!(++idle % PATIENCE))
			schedule();
	}
}

/* Start operations, and execute tasks, or sleep, until the last one has ended. */
static void execute_tasks(struct mx_tree *mx, struct mx_task *task,
			  unsigned int nr)
{
	struct mx_core *core = mx_cores_hold(mx->cores);
	struct mx_call call;

	start_all(mx, core, &call, task, nr);
	if (core)
		work(core, &call);
	else
		wait_for_completion(&call.done);
}
#endif /* SHIM_TRACED */

static void execute(struct mx_tree *mx, struct mx_task *task, unsigned int nr)
{
	unsigned int i;

	if (mx->kind != MX_SPIN) {
		execute_tasks(mx, task, nr);
		return;
	}
	for (i = 0; i < nr; i++)
		mx_spin_execute(mx, &task[i]);
}

static int insert_key(void *data, u64 key, u64 value)
{
	struct mx_task task = { .op = MX_INSERT, .key = key, .value = value };

	execute(data, &task, 1);
	return task.result;
}

static int lookup_key(void *data, u64 key, u64 *value)
{
	struct mx_task task = { .op = MX_LOOKUP, .key = key };

	execute(data, &task, 1);
	if (!task.result)
		*value = task.value;
	return task.result;
}

static int store_key(void *data, u64 key, u64 value)
{
	struct mx_task task = { .op = MX_STORE, .key = key, .value = value };

	execute(data, &task, 1);
	return task.result;
}

static int erase_key(void *data, u64 key)
{
	struct mx_task task = { .op = MX_ERASE, .key = key };

	execute(data, &task, 1);
	return task.result;
}

static unsigned int scan_keys(void *data, u64 key,
			      struct blink_tree_entry *entry, unsigned int nr)
{
	struct mx_task task = {
		.op = MX_SCAN,
		.key = key,
		.entry = entry,
		.nr = nr,
	};

	execute(data, &task, 1);
	return task.got;
}

static int floor_key(void *data, u64 key, struct blink_tree_entry *entry)
{
	struct mx_task task = { .op = MX_FLOOR, .key = key, .entry = entry };

	execute(data, &task, 1);
	return task.result;
}

static void execute_batch(void *data, struct blink_tree_ioc_op *op,
			  unsigned int nr)
{
	struct mx_task *task = kcalloc(nr, sizeof(*task), LAB_GFP);
	unsigned int i;

	for (i = 0; task && i < nr; i++) {
		task[i].op = op[i].opcode == BLINK_TREE_OP_INSERT ? MX_INSERT :
								    MX_LOOKUP;
		task[i].key = op[i].key;
		task[i].value = op[i].value;
	}
	if (task)
		execute(data, task, nr);
	for (i = 0; i < nr; i++) {
		op[i].result = task ? task[i].result : -ENOMEM;
		if (task && op[i].opcode == BLINK_TREE_OP_LOOKUP)
			op[i].value = task[i].value;
	}
	kfree(task);
}

static void leave(void *data)
{
	struct mx_tree *mx = data;

	if (mx->cores)
		mx_cores_leave(mx->cores);
}

static int init_nodes(struct mx_tree *mx, u32 bytes)
{
	switch (mx->kind) {
	case MX_SYNC:
		return plain_tree_init(&mx->tree, bytes, mx_sync_head,
				       mx_sync_init);
	case MX_SPIN:
		return plain_tree_init(&mx->tree, bytes, mx_spin_head,
				       mx_spin_init);
	default:
		return plain_tree_init(&mx->tree, bytes, 0, NULL);
	}
}

static void destroy(void *data)
{
	struct mx_tree *mx = data;

	if (mx->cores)
		mx_cores_destroy(mx->cores);
	plain_tree_end(&mx->tree);
	kfree(mx);
}

static void *create(const struct lab_index_ops *ops,
		    const struct lab_params *params)
{
	struct mx_tree *mx = kzalloc(sizeof(*mx), LAB_GFP);
	int ret;

	if (!mx)
		return NULL;
	mx->kind = ops->variant;
	ret = init_nodes(mx, params->node_bytes ?: MX_NODE_BYTES);
	if (ret) {
		kfree(mx);
		return ERR_PTR(ret);
	}
	if (mx->kind == MX_CORE)
		ret = mx_core_start(mx, params->threads);
	if (mx->kind == MX_SYNC)
		ret = mx_sync_start(mx, params->threads);
	if (ret) {
		destroy(mx);
		return ERR_PTR(ret);
	}
	return mx;
}

#define MX_OPS(kind)                       \
	{                                  \
		.variant = kind,           \
		.create = create,          \
		.destroy = destroy,        \
		.leave = leave,            \
		.insert = insert_key,      \
		.lookup = lookup_key,      \
		.store = store_key,        \
		.erase = erase_key,        \
		.scan = scan_keys,         \
		.floor = floor_key,        \
		.batch = execute_batch,    \
		.verify = plain_verify,    \
		.bytes = plain_tree_bytes, \
	}

const struct lab_index_ops lab_mx_core_ops = MX_OPS(MX_CORE);
const struct lab_index_ops lab_mx_sync_ops = MX_OPS(MX_SYNC);
const struct lab_index_ops lab_mx_spin_ops = MX_OPS(MX_SPIN);
