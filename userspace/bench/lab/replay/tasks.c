// SPDX-License-Identifier: GPL-2.0
/*
 * Tasks on nodes (replay.h). Each CPU has a queue of *items*. An item is a task, on a node
 * that belongs to the CPU, or else a node: its Synchronize-Task, which the CPU executes.
 */
#include "replay.h"

/* Tasks on a node that a CPU executes before others have their turn (mx_sync.c). */
#define BOUND 16
#define NO_ITEM (~0U)

/* A list of items: the first and the last one, or NO_ITEM. */
struct list {
	__u32 first;
	__u32 last;
};

/**
 * struct core - a CPU that executes tasks
 * @queue: its items
 * @taken: those that it took from there at once, and has not executed
 * @node: the line of the node on which it works, or NO_ITEM
 * @ran: how many tasks it executed there in turn
 * @left: the tasks of its own operation that have not ended
 */
struct core {
	struct list queue;
	struct list taken;
	__u32 node;
	__u32 ran;
	__u32 left;
};

/* A node: tasks that wait for it; whether it is in a CPU's queue, or a CPU works on it. */
struct node {
	struct list waiting;
	bool ready;
};

static const struct replay_machine *m;
static struct core *cores;
static struct node *nodes;
/* Of each item, the next one in its list. Nodes follow the tasks. */
static __u32 *behind;
/* Of each task, the CPU that waits for its end. */
static __u16 *client_of;
static __u32 tasks;

static void add(struct list *list, __u32 item)
{
	behind[item] = NO_ITEM;
	if (list->first == NO_ITEM)
		list->first = item;
	else
		behind[list->last] = item;
	list->last = item;
}

static __u32 take(struct list *list)
{
	__u32 item = list->first;

	if (item != NO_ITEM)
		list->first = behind[item];
	return item;
}

void tasks_init(const struct replay_machine *machine,
		const struct replay_trace *trace)
{
	const struct list empty = { .first = NO_ITEM };
	__u32 i;

	m = machine;
	tasks = trace->tasks;
	cores = replay_alloc(m->cpus, sizeof(*cores));
	for (i = 0; i < m->cpus; i++)
		cores[i] = (struct core){
			.queue = empty,
			.taken = empty,
			.node = NO_ITEM,
		};
	nodes = replay_alloc(trace->lines, sizeof(*nodes));
	for (i = 0; i < trace->lines; i++)
		nodes[i].waiting = empty;
	behind = replay_alloc((size_t)tasks + trace->lines, sizeof(*behind));
	client_of = replay_alloc(tasks, sizeof(*client_of));
}

/* The CPU to which a node belongs, by the hash of its address (mx_core.c). */
unsigned int tasks_core(__u32 hash)
{
	return (__u64)hash * m->cpus >> 32;
}

static void own(unsigned int client, __u32 task)
{
	client_of[task] = client;
	cores[client].left++;
}

/* Add a task to the queue of a CPU. @client: the CPU whose operation it is of */
void tasks_add(unsigned int cpu, unsigned int client, __u32 task)
{
	own(client, task);
	add(&cores[cpu].queue, task);
}

/* Add a task to those of a node; the first one makes it an item of this CPU. */
void tasks_add_to_node(unsigned int cpu, unsigned int client, __u32 task,
		       __u32 line)
{
	own(client, task);
	add(&nodes[line].waiting, task);
	if (!nodes[line].ready)
		add(&cores[cpu].queue, tasks + line);
	nodes[line].ready = true;
}

/* The CPU works on a node. */
static enum replay_work next_of_node(struct core *core, __u32 *next)
{
	struct node *node = &nodes[core->node];

	*next = core->node;
	if (node->waiting.first != NO_ITEM && core->ran < BOUND) {
		core->ran++;
		*next = take(&node->waiting);
		return WORK_TASK;
	}
	node->ready = node->waiting.first != NO_ITEM;
	if (node->ready)
		add(&core->queue, tasks + core->node);
	core->node = NO_ITEM;
	return WORK_NODE;
}

/*
 * The next work of a CPU whose operation waits for tasks. @next becomes the task, or the line of
 * the node.
 */
enum replay_work tasks_next(unsigned int cpu, __u32 *next)
{
	struct core *core = &cores[cpu];

	if (core->node != NO_ITEM)
		return next_of_node(core, next);
	*next = take(&core->taken);
	if (*next != NO_ITEM && *next < tasks)
		return WORK_TASK;
	if (*next != NO_ITEM) {
		*next -= tasks;
		core->node = *next;
		core->ran = 0;
		return WORK_NODE;
	}
	if (!core->left)
		return WORK_NONE;
	if (core->queue.first == NO_ITEM)
		return WORK_LATER;
	core->taken = core->queue;
	core->queue.first = NO_ITEM;
	return WORK_QUEUE;
}

unsigned int tasks_client(__u32 task)
{
	return client_of[task];
}

/* A task has ended; whether it was the last one of its client's operation. */
bool tasks_end(__u32 task)
{
	return !--cores[client_of[task]].left;
}
