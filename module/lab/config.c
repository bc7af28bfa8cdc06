// SPDX-License-Identifier: GPL-2.0
/*
 * Reading what to do: words "name=value", with blanks between. What is not
 * mentioned stays as it was. Where a value is a set of words there are commas
 * between them.
 */
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/string.h>

#include "lab.h"

/* Each stands at the place of its number. */
#define LOCAL_ONLY (BLINK_TREE_REPLICATE_FULL + 1)
static const char *const replications[] = { "none", "inner", "full",
					    "local-only", NULL };
static const char *const postings[] = { "default", "sync", "lazy", NULL };
static const char *const lockings[] = { "plain", "cohort", NULL };
static const char *const locks[] = { "plain", "cohort", "textbook", NULL };
static const char *const placements[] = { "local", "interleave", NULL };

/**
 * struct word - a name and what its value may be
 * @name: the name
 * @place: where the value goes
 * @choices: its words, or NULL for a number
 * @several: it may be several of them: a bit for each
 * @least: of a number
 * @most: of a number
 * @scheme: where a scheme goes whose name it is, or NULL
 */
struct word {
	const char *name;
	u32 *place;
	const char *const *choices;
	bool several;
	u32 least;
	u32 most;
	const struct lab_scheme **scheme;
};

static int set_several(const struct word *word, char *values)
{
	u32 bits = 0;
	char *value;
	int ret;

	while ((value = strsep(&values, ","))) {
		ret = match_string(word->choices, -1, value);
		if (ret < 0)
			return ret;
		bits |= BIT(ret);
	}
	*word->place = bits;
	return 0;
}

static int set_scheme(const struct word *word, const char *value)
{
	*word->scheme = lab_scheme_find(value);
	return *word->scheme ? 0 : -EINVAL;
}

static int set(const struct word *word, char *value)
{
	u32 number;
	int ret;

	if (word->scheme)
		return set_scheme(word, value);
	if (word->several)
		return set_several(word, value);
	if (word->choices) {
		ret = match_string(word->choices, -1, value);
		number = ret;
	} else {
		ret = kstrtou32(value, 0, &number);
		if (!ret && (number < word->least || number > word->most))
			ret = -ERANGE;
	}
	if (ret < 0)
		return ret;
	*word->place = number;
	return 0;
}

static int parse(char *text, const struct word *words, unsigned int nr)
{
	char *name, *value;
	unsigned int i;
	int ret = 0;

	while (!ret && (name = strsep(&text, "\n "))) {
		if (!*name)
			continue;
		value = strchr(name, '=');
		if (!value)
			return -EINVAL;
		*value++ = '\0';
		for (i = 0; i < nr && strcmp(name, words[i].name); i++)
			;
		ret = i < nr ? set(&words[i], value) : -EINVAL;
	}
	return ret;
}

/**
 * lab_run_parse() - read what a run is to be
 * @text: the text, which is changed
 * @run: set to it
 *
 * Context: any.
 * Return: 0; -EINVAL or -ERANGE if that is no text that makes sense.
 */
int lab_run_parse(char *text, struct lab_run *run)
{
	u32 replication = run->params.replication;
	u32 posting = run->params.posting;
	u32 locking = run->params.locking;
	u32 placement = run->params.placement;
	u32 limit = run->params.max_entries;
	const struct word words[] = {
		{ "replication", &replication, replications },
		{ "posting", &posting, postings },
		{ "locking", &locking, lockings },
		{ "placement", &placement, placements },
		{ "limit", &limit, NULL, false, 0, U32_MAX },
		{ "keys", &run->keys, NULL, false, 1, 1U << 30 },
		{ "ops", &run->ops, NULL, false, 1, 1U << 28 },
		{ "lookups", &run->lookups, NULL, false, 0, 100 },
		{ "drain", &run->drain, NULL, false, 0, 1 },
		{ "seed", &run->seed, NULL, false, 0, U32_MAX },
	};
	int ret = parse(text, words, ARRAY_SIZE(words));

	if (ret)
		return ret;
	run->apart = replication == LOCAL_ONLY;
	run->params.replication = run->apart ? BLINK_TREE_REPLICATE_NONE :
					       replication;
	run->params.posting = posting;
	run->params.locking = locking;
	run->params.placement = placement;
	run->params.max_entries = limit;
	return 0;
}

/**
 * lab_probe_parse() - read what a probe is to be
 * @text: the text, which is changed
 * @probe: set to it
 *
 * Context: any.
 * Return: 0; -EINVAL or -ERANGE if that is no text that makes sense.
 */
int lab_probe_parse(char *text, struct lab_probe *probe)
{
	const struct word words[] = {
		{ "cpu", &probe->cpu, NULL, false, 0, U32_MAX },
		{ "node", &probe->node, NULL, false, 0, U32_MAX },
		{ "loads", &probe->loads, NULL, false, 0, 1U << 20 },
		{ "stores", &probe->stores, NULL, false, 0, 1U << 20 },
	};

	return parse(text, words, ARRAY_SIZE(words));
}

/**
 * lab_lock_bench_parse() - read the parameters of a lock bench
 * @text: the text, which is changed
 * @bench: set to it
 *
 * Context: any.
 * Return: 0; -EINVAL or -ERANGE if that is no text that makes sense.
 */
int lab_lock_bench_parse(char *text, struct lab_lock_bench *bench)
{
	const struct word words[] = {
		{ "lock", &bench->kind, locks },
		{ "alone", &bench->alone, NULL, false, 0, 1 },
		{ "rounds", &bench->rounds, NULL, false, 1, 1U << 28 },
	};

	return parse(text, words, ARRAY_SIZE(words));
}

/**
 * lab_bench_parse() - read what a round of the benchmark is to be
 * @text: the text, which is changed
 * @bench: set to it
 *
 * Context: any.
 * Return: 0; -EINVAL or -ERANGE if that is no text that makes sense.
 */
int lab_bench_parse(char *text, struct lab_bench *bench)
{
	u32 replication = bench->params.replication;
	u32 locking = bench->params.locking;
	const struct word words[] = {
		{ "index", .scheme = &bench->scheme },
		{ "workload", &bench->works, lab_work_names, true },
		{ "replication", &replication, replications },
		{ "locking", &locking, lockings },
		{ "threads", &bench->threads, NULL, false, 0, U32_MAX },
		/* With fewer, few entries of a scan are no mistake. */
		{ "keys", &bench->keys, NULL, false, 1000, 1U << 30 },
		{ "ops", &bench->ops, NULL, false, 1, 1U << 30 },
		{ "batch", &bench->batch, NULL, false, 1, LAB_BATCH_MAX },
	};
	int ret = parse(text, words, ARRAY_SIZE(words));

	if (ret)
		return ret;
	if (replication == LOCAL_ONLY)
		return -EINVAL;
	bench->params.replication = replication;
	bench->params.locking = locking;
	return 0;
}

/**
 * lab_check_parse() - read the parameters of a check
 * @text: the text, which is changed
 * @check: set to it
 *
 * Context: any.
 * Return: 0; -EINVAL or -ERANGE if the text makes no sense.
 */
int lab_check_parse(char *text, struct lab_check *check)
{
	const struct word words[] = {
		{ "scheme", .scheme = &check->scheme },
		{ "threads", &check->threads, NULL, false, 1,
		  LAB_CHECK_THREADS_MAX },
		{ "ops", &check->ops, NULL, false, 1, 1U << 30 },
		{ "seed", &check->seed, NULL, false, 0, U32_MAX },
	};

	return parse(text, words, ARRAY_SIZE(words));
}
