// SPDX-License-Identifier: GPL-2.0
/*
 * A writer at each step of a reader. Each reading call runs once for each of its accesses
 * to shared memory. At this access a writer changes the tree, as it can on another CPU or
 * in an interrupt. The reader must read within its nodes (AddressSanitizer tells), follow
 * only addresses that a writer has stored, and return the answer of some moment.
 */
#include <linux/blink_tree.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>

#include "../../../kunit/keys_names.h"
#include "core/core.h"
#include "lock/node_lock.h"
#include "shim.h"
#include "steps.h"
#include "tap.h"

/* More entries than any root leaf has slots, for the search for their number. */
#define ENTRIES_MAX 1000
/* Leaves with at most so many entries are small. */
#define SMALL 16

static const struct kind *kind;
static struct blink_tree *tree;

/* Entries that a tree has at first, and how many others can be added between them. */
static unsigned int entries;

/* Entries have even numbers; those of odd numbers are absent at first. */
static void erase_first(void)
{
	kind->erase(tree, 0);
}

static void erase_middle(void)
{
	kind->erase(tree, entries / 2 * 2);
}

static void erase_last(void)
{
	kind->erase(tree, 2 * (entries - 1));
}

static void erase_most(void)
{
	unsigned int i;

	for (i = 1; i < entries; i++)
		kind->erase(tree, 2 * i);
}

static void insert_below(void)
{
	kind->put(tree, entries / 2 * 2 - 1);
}

static void replace_last(void)
{
	kind->erase(tree, 2 * (entries - 1));
	kind->put(tree, 2 * (entries - 1) + 1);
}

static const struct change {
	const char *name;
	void (*run)(void);
} changes[] = {
	{ "the first entry is erased", erase_first },
	{ "the middle entry is erased", erase_middle },
	{ "the last entry is erased", erase_last },
	{ "all entries but one are erased", erase_most },
	{ "an entry is inserted", insert_below },
	{ "the last entry is replaced", replace_last },
};

static const struct change *change;
static unsigned int steps_left;

/* The hook at each access: it changes the tree at one of those where a writer can run. */
static void at_access(void)
{
	static bool inside;

	if (inside || shim_self->atomic || shim_holds_locks() || !steps_left ||
	    --steps_left)
		return;
	inside = true;
	change->run();
	inside = false;
}

/* The tree as it is at first. An emptied tree is one leaf again. */
static void refill(void)
{
	unsigned int i;

	for (i = 0; i <= 2 * entries; i++)
		kind->erase(tree, i);
	for (i = 0; i < entries; i++)
		kind->put(tree, 2 * i);
}

static bool same(struct answer a, struct answer b)
{
	return a.ret == b.ret &&
	       (a.ret < 0 || (a.key == b.key && a.value == b.value));
}

static void run_call(const struct call *call)
{
	struct answer before, after, answer;
	unsigned int step;

	refill();
	before = call->run(tree, entries);
	change->run();
	after = call->run(tree, entries);
	for (step = 1; !tap_broken; step++) {
		refill();
		steps_left = step;
		shim_hooks.point = at_access;
		answer = call->run(tree, entries);
		shim_hooks.point = NULL;
		/* The call has ended before this step. */
		if (steps_left)
			break;
		if (call->atomic && !same(answer, before) &&
		    !same(answer, after)) {
			printf("# %s, %s, %u entries, step %u: %d, %llu, %llu\n",
			       call->name, change->name, entries, step,
			       answer.ret, answer.key, answer.value);
			tap_check(false);
		}
	}
	/* Otherwise no step was tried. */
	tap_check(step > 2);
}

/* The most entries of a tree that is one leaf. */
static unsigned int leaf_room(void)
{
	unsigned int i;

	tree = kind->create();
	for (i = 0; blink_tree_height(tree) == 1 && i < ENTRIES_MAX; i++)
		kind->put(tree, 2 * i);
	blink_tree_destroy(tree);
	return i - 1;
}

static void run_kind(const struct kind *of)
{
	unsigned int room, leaves, most;
	const struct call *call;

	kind = of;
	room = leaf_room();
	/* Each step of a scan of three large leaves would take minutes. */
	most = room <= SMALL ? 3 : 1;
	for (leaves = 1; leaves <= most; leaves += 2) {
		entries = leaves * room;
		tree = kind->create();
		for (call = kind->calls; call->name; call++)
			for (change = changes;
			     change < changes + ARRAY_SIZE(changes); change++)
				run_call(call);
		blink_tree_destroy(tree);
	}
	rcu_barrier();
	rcu_barrier();
	tap_case(kind->name);
}

/* Numbers, of both sizes; with the functions that strings have not. */
static u64 key_of(unsigned int i)
{
	return 1000ULL * (i + 1);
}

static void number_put(struct blink_tree *to, unsigned int i)
{
	int ret = blink_tree_insert(to, key_of(i), i, NULL, GFP_NOWAIT);

	tap_check(!ret || ret == -EEXIST);
}

static void number_erase(struct blink_tree *from, unsigned int i)
{
	int ret = blink_tree_erase(from, key_of(i), NULL);

	tap_check(!ret || ret == -ENOENT);
}

static struct answer found(int ret, const struct blink_tree_entry *entry)
{
	return (struct answer){ ret, entry->key, entry->value };
}

static struct answer number_lookup(struct blink_tree *in, unsigned int nr)
{
	struct answer answer = { .key = 0 };

	answer.ret = blink_tree_lookup(in, key_of(nr / 2 * 2), &answer.value);
	return answer;
}

static struct answer number_floor(struct blink_tree *in, unsigned int nr)
{
	struct blink_tree_entry entry;
	int ret = blink_tree_floor(in, key_of(2 * nr) + 5, &entry);

	return found(ret, &entry);
}

static struct answer number_ceiling(struct blink_tree *in, unsigned int nr)
{
	struct blink_tree_entry entry;
	int ret = blink_tree_ceiling(in, key_of(nr / 2 * 2 - 1), &entry);

	return found(ret, &entry);
}

static struct answer number_scan(struct blink_tree *in, bool desc)
{
	struct blink_scan scan = { .last = U64_MAX, .desc = desc };
	struct blink_tree_entry entry[16];
	struct answer answer = {};
	u64 last = 0;
	int i, n;

	while (!scan.done) {
		n = blink_tree_scan(in, &scan, entry, ARRAY_SIZE(entry));
		tap_check(n >= 0);
		for (i = 0; i < n; i++) {
			tap_check(!last || (desc ? entry[i].key < last :
						   entry[i].key > last));
			last = entry[i].key;
			answer.key += last;
		}
		answer.ret += n;
	}
	return answer;
}

static struct answer number_ascend(struct blink_tree *in, unsigned int nr)
{
	return number_scan(in, false);
}

static struct answer number_descend(struct blink_tree *in, unsigned int nr)
{
	return number_scan(in, true);
}

static struct answer number_count(struct blink_tree *in, unsigned int nr)
{
	struct blink_scan scan = { .first = key_of(1), .last = key_of(2 * nr) };
	struct answer answer = {};

	while (!scan.done)
		answer.ret += blink_tree_count_range(in, &scan, 1);
	return answer;
}

static struct answer number_batch(struct blink_tree *in, unsigned int nr)
{
	struct blink_tree_ioc_op op[] = {
		{ .opcode = BLINK_TREE_OP_LOOKUP, .key = key_of(nr / 2 * 2) },
		{ .opcode = BLINK_TREE_OP_FLOOR, .key = key_of(2 * nr) },
		{ .opcode = BLINK_TREE_OP_CEILING,
		  .key = key_of(nr / 2 * 2 - 1) },
		{ .opcode = BLINK_TREE_OP_LOOKUP, .key = key_of(0) },
	};

	blink_tree_batch(in, op, ARRAY_SIZE(op), GFP_KERNEL);
	return (struct answer){ op[0].result, op[1].key, op[2].key };
}

static struct answer number_finger(struct blink_tree *in, unsigned int nr)
{
	struct blink_tree_entry entry;
	struct blink_finger finger;
	struct answer answer = {};
	u64 last;

	blink_finger_init(&finger, in);
	rcu_read_lock();
	answer.ret = blink_finger_floor(&finger, key_of(2 * nr), &entry);
	for (last = U64_MAX; !blink_finger_prev(&finger, &entry);
	     last = entry.key)
		tap_check(entry.key < last);
	for (last = 0; !blink_finger_next(&finger, &entry); last = entry.key)
		tap_check(entry.key > last);
	rcu_read_unlock();
	return answer;
}

static struct answer tree_verify(struct blink_tree *in, unsigned int nr)
{
	struct blink_tree_ioc_verify report;
	struct answer answer = {};

	answer.ret = blink_tree_verify(in, &report);
	tap_check(!answer.ret && !report.violation);
	return answer;
}

static const struct call number_calls[] = {
	{ "lookup", number_lookup, true },   { "floor", number_floor, true },
	{ "ceiling", number_ceiling, true }, { "scan", number_ascend },
	{ "scan down", number_descend },     { "count", number_count },
	{ "batch", number_batch },	     { "finger", number_finger },
	{ "verify", tree_verify },	     {}
};

static struct blink_tree *create(enum blink_tree_key key, u32 flags)
{
	struct blink_tree_params params = { .key = key, .flags = flags };
	struct blink_tree *made = blink_tree_create(&params, GFP_KERNEL);

	if (IS_ERR(made))
		shim_die(__FILE__, __LINE__, "no tree");
	return made;
}

static struct blink_tree *create_u64(void)
{
	keys_kind = BLINK_TREE_KEY_U64;
	return create(BLINK_TREE_KEY_U64, 0);
}

static struct blink_tree *create_compressed(void)
{
	keys_kind = BLINK_TREE_KEY_U64;
	return create(BLINK_TREE_KEY_U64, BLINK_TREE_COMPRESS);
}

static struct blink_tree *create_u128(void)
{
	keys_kind = BLINK_TREE_KEY_U128;
	return create(BLINK_TREE_KEY_U128, 0);
}

#define NUMBERS(title, fn)       \
	{ .name = title,         \
	  .create = fn,          \
	  .put = number_put,     \
	  .erase = number_erase, \
	  .calls = number_calls }

static const struct kind numbers[] = {
	NUMBERS("steps: keys of 64 bits", create_u64),
	NUMBERS("steps: compressed leaves", create_compressed),
	NUMBERS("steps: keys of 128 bits", create_u128),
};

int main(void)
{
	const unsigned int cases = ARRAY_SIZE(numbers) + 2;
	unsigned int i;

	if (blink_core_init())
		shim_die(__FILE__, __LINE__, "no memory");
	tap_begin(cases);
	run_kind(&kind_strings);
	steps_strings_sections();
	for (i = 0; i < ARRAY_SIZE(numbers); i++)
		run_kind(&numbers[i]);
	blink_core_exit();
	return tap_exit(cases);
}
