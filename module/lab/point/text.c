// SPDX-License-Identifier: GPL-2.0
/*
 * The texts of a point. Words of the order, and the default of each:
 *
 *	scheme=NAME mix=NAME		there is none: the order needs both; a mix can also
 *					be written out: mix=read=90,insert=10 (mixes.c)
 *	order=random			or ascending, descending, clustered, file
 *	threads=0			one on each CPU
 *	keys=100000 ops=100000 warm_up=0 batch=1 node_bytes=0 seed=1 timed=0
 *	shared=0			1: operations of all threads together
 *	writers=0			threads that change the index while the others read
 *	replication=none locking=plain	or inner, full; or cohort: of the scheme blink_tree
 *	turns=0				1: one thread at a time is in a call
 *
 * The answer is a line; "-" is what the scheme does not tell:
 *
 *	number=N threads=N ops=N ns=N wrong=N retries=N|- bytes=N|- entries=N each=OPS/NS,...
 *
 * with the operations and the time of each thread; and, if timed=1, a line for each kind
 * of operation that occurred:
 *
 *	op=NAME count=N sum=N least=N most=N times=LOW:COUNT,LOW:COUNT,...
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/seq_file.h>

#include "../words.h"
#include "point.h"

static const char *const replications[] = { "none", "inner", "full", NULL };
static const char *const lockings[] = { "plain", "cohort", NULL };

static const struct lab_point default_point = {
	.keys = 100000,
	.ops = 100000,
	.batch = 1,
	.seed = 1,
};

/* Read an order; the text is changed. Returns 0; -EINVAL or -ERANGE if it makes no sense. */
int lab_point_parse(char *text, struct lab_point *point)
{
	const struct lab_word words[] = {
		{ "scheme", .scheme = &point->scheme },
		{ "mix", .mix = &point->mix },
		{ "order", &point->order, lab_order_names },
		{ "threads", &point->threads, NULL, 0, U32_MAX },
		{ "keys", &point->keys, NULL, 1, 1U << 30 },
		{ "ops", &point->ops, NULL, 1, 1U << 30 },
		{ "warm_up", &point->warm_up, NULL, 0, 1U << 30 },
		{ "writers", &point->writers, NULL, 0, U32_MAX },
		{ "shared", &point->shared, NULL, 0, 1 },
		{ "batch", &point->batch, NULL, 1, LAB_BATCH_MAX },
		{ "node_bytes", &point->node_bytes, NULL, 0, 1U << 20 },
		{ "seed", &point->seed, NULL, 0, U32_MAX },
		{ "timed", &point->timed, NULL, 0, 1 },
		{ "replication", &point->replication, replications },
		{ "locking", &point->locking, lockings },
		{ "turns", &point->turns, NULL, 0, 1 },
	};
	int ret;

	*point = default_point;
	ret = lab_words_parse(text, words, ARRAY_SIZE(words));
	if (ret)
		return ret;
	return point->scheme && point->mix.name ? 0 : -EINVAL;
}

static void show_times(struct seq_file *m, const char *name,
		       const struct lab_times *times)
{
	const char *comma = "";
	unsigned int i;

	if (!times->count)
		return;
	seq_printf(m, "op=%s count=%llu sum=%llu least=%llu most=%llu times=",
		   name, times->count, times->sum, times->least, times->most);
	for (i = 0; i < LAB_TIMES_BUCKETS; i++) {
		if (!times->bucket[i])
			continue;
		seq_printf(m, "%s%llu:%llu", comma, lab_times_low(i),
			   times->bucket[i]);
		comma = ",";
	}
	seq_puts(m, "\n");
}

static void show_known(struct seq_file *m, const char *name, bool known,
		       u64 value)
{
	if (known)
		seq_printf(m, " %s=%llu", name, value);
	else
		seq_printf(m, " %s=-", name);
}

static void show_each(struct seq_file *m, const struct lab_point *point)
{
	const struct lab_share *one = point->each;
	u32 i;

	for (i = 0; one && i < point->threads; i++, one++)
		seq_printf(m, "%s%llu/%llu", i ? "," : "", one->ops, one->ns);
}

/* Write the answer. */
void lab_point_show(struct seq_file *m, const struct lab_point *point)
{
	const struct lab_index_ops *ops = point->scheme->ops;
	unsigned int kind;

	seq_printf(m, "number=%u threads=%u ops=%llu ns=%llu wrong=%llu",
		   point->number, point->threads, point->done, point->ns,
		   point->wrong);
	show_known(m, "retries", ops->retries, point->retries);
	show_known(m, "bytes", ops->bytes, point->bytes);
	seq_printf(m, " entries=%llu each=", point->entries);
	show_each(m, point);
	seq_puts(m, "\n");
	for (kind = 0; point->times && kind < LAB_OP_NR; kind++)
		show_times(m, lab_op_names[kind], &point->times[kind]);
}
