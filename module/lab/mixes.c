// SPDX-License-Identifier: GPL-2.0
/*
 * The table of mixes (workloads.h). The shares of a line are in the order of enum
 * lab_op_kind: reads, insertions, updates, erasures, scans, read-modify-writes, reads of
 * absent keys, searches for a floor, and those that our tree alone has.
 *
 * The updates of McKenzie's thesis are insertions: "focus on Reads and Inserts only"
 * (section 3.3). OLFIT's are half insertions, half deletions (section 6.3). Vu gives
 * the length of scans as 48 with a deviation of 30.12, and not their distribution: here
 * all lengths from 1 to 95 are alike, with a deviation of 27.4. Patil, Dodeja and Jain
 * have 10000 readers with 10 iterations, and 100 writers. They do not say what an iteration
 * is: in their program it is a point query, each reader also has one range query for 100
 * neighbouring keys, and each writer has an insertion and a removal.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include "workloads.h"

#define MCKENZIE "McKenzie 2015"
#define OLFIT "Cha et al. 2001"
#define SPIDERMAN "Vu 2023"
#define RCU "Patil, Dodeja, Jain 2023"
#define MXKERNEL "Mühlig 2018"
#define YCSB "YCSB"
#define OURS "blink_tree"

const struct lab_mix lab_mixes[] = {
	{ "numa-100-0", MCKENZIE, { 100 } },
	{ "numa-95-5", MCKENZIE, { 95, 5 } },
	{ "numa-90-10", MCKENZIE, { 90, 10 } },
	{ "numa-85-15", MCKENZIE, { 85, 15 } },
	{ "numa-80-20", MCKENZIE, { 80, 20 } },
	{ "numa-75-25", MCKENZIE, { 75, 25 } },
	{ "olfit-search", OLFIT, { 100 } },
	{ "olfit-insert", OLFIT, { 0, 100 } },
	{ "olfit-20", OLFIT, { 80, 10, 0, 10 } },
	{ "olfit-40", OLFIT, { 60, 20, 0, 20 } },
	{ "olfit-60", OLFIT, { 40, 30, 0, 30 } },
	{ "olfit-80", OLFIT, { 20, 40, 0, 40 } },
	{ "olfit-update", OLFIT, { 0, 50, 0, 50 } },
	{ "spiderman-a", SPIDERMAN, { 50, 50 } },
	{ "spiderman-b", SPIDERMAN, { 0, 100 } },
	{ "spiderman-c", SPIDERMAN, { 100 } },
	{ "spiderman-d", SPIDERMAN, { 0, 5, 0, 0, 95 }, LAB_UNIFORM, 1, 95 },
	{ "rcu-ycsb", RCU, { 90, 5, 5 }, LAB_ZIPFIAN },
	{ "rcu-project", RCU, { 1000, 1, 0, 1, 100 }, LAB_UNIFORM, 100, 100 },
	{ "mxkernel", MXKERNEL, { 0, 100 } },
	{ "ycsb-a", YCSB, { 50, 0, 50 }, LAB_ZIPFIAN },
	{ "ycsb-b", YCSB, { 95, 0, 5 }, LAB_ZIPFIAN },
	{ "ycsb-c", YCSB, { 100 }, LAB_ZIPFIAN },
	{ "ycsb-d", YCSB, { 95, 5 }, LAB_LATEST },
	{ "ycsb-e", YCSB, { 0, 5, 0, 0, 95 }, LAB_ZIPFIAN, 1, 100 },
	{ "ycsb-f", YCSB, { 50, 0, 0, 0, 0, 50 }, LAB_ZIPFIAN },
	{ "insert", OURS, { 0, 100 } },
	{ "lookup", OURS, { 100 } },
	{ "lookup-miss", OURS, { 0, 0, 0, 0, 0, 0, 100 } },
	{ "lookup-zipf", OURS, { 100 }, LAB_ZIPFIAN },
	{ "scan", OURS, { 0, 0, 0, 0, 100 }, LAB_UNIFORM, 48, 48 },
	{ "floor", OURS, { 0, 0, 0, 0, 0, 0, 0, 100 } },
	{ "95/5", OURS, { 95, 0, 5 } },
	{ "insert-erase", OURS, { 0, 50, 0, 50 } },
	{ "50/50", OURS, { 50, 50 } },
	{ "erase", OURS, { 0, 0, 0, 100 } },
	{ "get-or-insert", OURS, { [LAB_OP_GET_OR_INSERT] = 100 } },
	{ "count", OURS, { [LAB_OP_COUNT] = 100 } },
	{ "pop", OURS, { [LAB_OP_POP] = 100 } },
	{ "erase-range", OURS, { [LAB_OP_ERASE_RANGE] = 100 } },
	{},
};

/* The mix of a name, or NULL. */
const struct lab_mix *lab_mix_find(const char *name)
{
	const struct lab_mix *mix;

	for (mix = lab_mixes; mix->name; mix++) {
		if (!strcmp(mix->name, name))
			return mix;
	}
	return NULL;
}

/* A word of a mix: a popularity, the entries of a scan, or the share of an operation. */
static int read_word(char *word, struct lab_mix *mix)
{
	char *value = strchr(word, '=');
	u32 number;
	int kind;

	if (!value) {
		kind = match_string(lab_popularity_names, LAB_POPULARITY_NR,
				    word);
		mix->popularity = max(kind, 0);
		return min(kind, 0);
	}
	*value++ = '\0';
	if (kstrtou32(value, 10, &number) || number > U16_MAX)
		return -EINVAL;
	if (!strcmp(word, "entries")) {
		mix->scan_least = number;
		mix->scan_most = number;
		return number && number <= LAB_MIX_SCAN_MAX ? 0 : -ERANGE;
	}
	kind = match_string(lab_op_names, LAB_OP_NR, word);
	if (kind < 0)
		return kind;
	mix->share[kind] = number;
	return 0;
}

/*
 * Read a mix: its name, or words such as "read=90,insert=10,zipfian", which are
 * changed. Scans have 48 entries, unless there is another number:
 * "scan=1,entries=10".
 *
 * Returns 0; -EINVAL if there is no such mix; -ERANGE for a number out of range.
 */
int lab_mix_read(char *text, struct lab_mix *mix)
{
	const struct lab_mix *known = lab_mix_find(text);
	char *word;
	u32 shares;
	int ret = 0;

	if (known) {
		*mix = *known;
		return 0;
	}
	*mix = (struct lab_mix){
		.name = "written out",
		.source = OURS,
		.scan_least = 48,
		.scan_most = 48,
	};
	while (!ret && (word = strsep(&text, ",")))
		ret = read_word(word, mix);
	shares = lab_mix_shares(mix, LAB_OPS_ALL);
	if (ret || !shares)
		return ret ?: -EINVAL;
	/*
	 * A key that was inserted last could be erased, and others be absent. A count is
	 * known while no key is added or erased.
	 */
	if ((mix->popularity == LAB_LATEST && mix->share[LAB_OP_ERASE]) ||
	    (mix->share[LAB_OP_COUNT] && lab_mix_shares(mix, LAB_OPS_ADD)) ||
	    mix->share[LAB_OP_POP] % shares ||
	    mix->share[LAB_OP_ERASE_RANGE] % shares)
		return -EINVAL;
	return ret;
}

/* The sum of the shares of some kinds. An operation that has nothing to erase inserts. */
u32 lab_mix_shares(const struct lab_mix *mix, u32 kinds)
{
	u32 shares = 0, kind;

	for (kind = 0; kind < LAB_OP_NR; kind++)
		shares += kinds & BIT(kind) ? mix->share[kind] : 0;
	return shares;
}
