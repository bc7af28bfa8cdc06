// SPDX-License-Identifier: GPL-2.0
/* The words that say what to do (words.h). */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/limits.h>

#include "lab.h"
#include "words.h"

/* Each stands at the place of its number. */
#define LOCAL_ONLY (BLINK_TREE_REPLICATE_FULL + 1)
static const char *const replications[] = { "none", "inner", "full",
					    "local-only", NULL };
static const char *const lockings[] = { "plain", "cohort", NULL };
static const char *const locks[] = { "plain", "cohort", "textbook", NULL };
static const char *const placements[] = { "local", "interleave", NULL };

/* The parsers change the text. They return -EINVAL or -ERANGE if it makes no sense. */
int lab_run_parse(char *text, struct lab_run *run)
{
	u32 replication = run->params.replication;
	u32 locking = run->params.locking;
	u32 placement = run->params.placement;
	u32 limit = run->params.max_entries;
	const struct lab_word words[] = {
		{ "replication", &replication, replications },
		{ "locking", &locking, lockings },
		{ "placement", &placement, placements },
		{ "limit", &limit, NULL, 0, U32_MAX },
		{ "keys", &run->keys, NULL, 1, 1U << 30 },
		{ "ops", &run->ops, NULL, 1, 1U << 28 },
		{ "lookups", &run->lookups, NULL, 0, 100 },
		{ "drain", &run->drain, NULL, 0, 1 },
		{ "seed", &run->seed, NULL, 0, U32_MAX },
	};
	int ret = lab_words_parse(text, words, ARRAY_SIZE(words));

	if (ret)
		return ret;
	run->apart = replication == LOCAL_ONLY;
	run->params.replication = run->apart ? BLINK_TREE_REPLICATE_NONE :
					       replication;
	run->params.locking = locking;
	run->params.placement = placement;
	run->params.max_entries = limit;
	return 0;
}

int lab_probe_parse(char *text, struct lab_probe *probe)
{
	const struct lab_word words[] = {
		{ "cpu", &probe->cpu, NULL, 0, U32_MAX },
		{ "node", &probe->node, NULL, 0, U32_MAX },
		{ "loads", &probe->loads, NULL, 0, 1U << 20 },
		{ "stores", &probe->stores, NULL, 0, 1U << 20 },
	};

	return lab_words_parse(text, words, ARRAY_SIZE(words));
}

int lab_lock_bench_parse(char *text, struct lab_lock_bench *bench)
{
	const struct lab_word words[] = {
		{ "lock", &bench->kind, locks },
		{ "alone", &bench->alone, NULL, 0, 1 },
		{ "rounds", &bench->rounds, NULL, 1, 1U << 28 },
	};

	return lab_words_parse(text, words, ARRAY_SIZE(words));
}

int lab_check_parse(char *text, struct lab_check *check)
{
	const struct lab_word words[] = {
		{ "scheme", .scheme = &check->scheme },
		{ "threads", &check->threads, NULL, 1, LAB_CHECK_THREADS_MAX },
		{ "ops", &check->ops, NULL, 1, 1U << 30 },
		{ "seed", &check->seed, NULL, 0, U32_MAX },
	};

	return lab_words_parse(text, words, ARRAY_SIZE(words));
}
