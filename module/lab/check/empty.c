// SPDX-License-Identifier: GPL-2.0
/*
 * The check of an index that is empty and has one key by turns: one thread adds and
 * removes the key, and the others look for it. The root comes and goes each time, which
 * it does only a few times in the check of many keys.
 */
#include <linux/errno.h>
#include <linux/sched.h>

#include "../threads.h"
#include "check.h"

#define KEY 1000
/* Operations between two offers to give up the CPU. */
#define PATIENCE 64

/**
 * struct stand - the data that the threads of a check share
 * @index: the index
 * @ops: operations of each thread; values are below this number
 * @stop: set to make them end early
 */
struct stand {
	struct lab_index index;
	u32 ops;
	bool stop;
};

/**
 * struct checker - a thread of a check
 * @stand: the stand
 * @check: its function for one round; @value is the number of the round
 * @failure: the operation that was wrong, or NULL
 */
struct checker {
	struct stand *stand;
	const char *(*check)(const struct lab_index *index, u32 value, u32 ops);
	const char *failure;
};

static const char *add_and_remove(const struct lab_index *index, u32 value,
				  u32 ops)
{
	if (lab_check_insert(index, KEY, value))
		return "insert into an empty index";
	if (lab_check_erase(index, KEY))
		return "erase of the only key";
	return NULL;
}

/* The index is empty, or has the key. */
static const char *look(const struct lab_index *index, u32 value, u32 ops)
{
	struct blink_tree_entry entry = { .key = KEY };

	if (!index->ops->lookup(index->data, KEY, &entry.value) &&
	    entry.value >= ops)
		return "lookup of the only key";
	if (index->ops->scan && index->ops->scan(index->data, KEY, &entry, 1) &&
	    (entry.key != KEY || entry.value >= ops))
		return "scan of the only key";
	if (index->ops->floor &&
	    !index->ops->floor(index->data, KEY + 1, &entry) &&
	    (entry.key != KEY || entry.value >= ops))
		return "floor of the only key";
	return NULL;
}

static int check_thread(void *arg)
{
	struct checker *me = arg;
	struct stand *stand = me->stand;
	u32 i;

	for (i = 0; i < stand->ops && !READ_ONCE(stand->stop); i++) {
		me->failure = me->check(&stand->index, i, stand->ops);
		if (me->failure)
			WRITE_ONCE(stand->stop, true);
		if (!(i % PATIENCE))
			cond_resched();
	}
	if (stand->index.ops->leave)
		stand->index.ops->leave(stand->index.data);
	return me->failure ? -EUCLEAN : 0;
}

static int run_threads(struct lab_check *check, struct stand *stand)
{
	struct checker checker[LAB_CHECK_THREADS_MAX];
	u32 i;
	int ret;

	for (i = 0; i < check->threads; i++)
		checker[i] = (struct checker){
			.stand = stand,
			.check = i ? look : add_and_remove,
		};
	ret = lab_threads_run_spread(check_thread, checker, sizeof(*checker),
				     check->threads, &stand->stop);
	for (i = 0; i < check->threads && !check->failure; i++)
		check->failure = checker[i].failure;
	return ret;
}

/* Check a scheme while its index is empty and is not, by turns; as lab_check(). */
int lab_check_empty(struct lab_check *check)
{
	const struct lab_params params = { .keys = 1 };
	struct stand stand = { .ops = check->ops };
	int ret;

	if (!(check->scheme->promises & LAB_CONCURRENT) ||
	    !check->scheme->ops->erase)
		return 0;
	ret = lab_index_create(&stand.index, check->scheme, &params);
	if (ret)
		return ret;
	ret = run_threads(check, &stand);
	stand.index.ops->destroy(stand.index.data);
	return ret;
}
