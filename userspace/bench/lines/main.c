// SPDX-License-Identifier: GPL-2.0
/*
 * blink_lines: the operations that are counted. It fills an index, does one workload,
 * and checks each answer. Without QEMU and its plugin nothing is counted.
 *
 * One thread does all work, RCU callbacks included, and nothing depends on the time:
 * the same arguments cause the same instructions. Exit status 2 is wrong usage.
 */
#include <linux/blink_tree.h>
#include <linux/rcupdate.h>
#include <stdlib.h>

#include "indexes/kernel/init.h"
#include "lab/keys.h"
#include "lab/marks.h"
#include "lab/schemes/lab_index.h"
#include "tell.h"

static const char usage[] =
	"usage: blink_lines INDEX WORKLOAD KEYS BATCH OPERATIONS SEED\n"
	"       blink_lines --version\n";

#define SCAN 100
/* How many operations to do between two grace periods. */
#define PATIENCE 64

const struct lab_scheme lab_schemes[] = {
	{ "blink_tree", .ops = &lab_blink_ops },
	{ "maple_tree", .ops = &lab_maple_ops },
	{ "rbtree", .ops = &lab_rbtree_ops },
	{ "xarray", .ops = &lab_xarray_ops },
	LAB_SCHEMES_END,
};

/* Keys are the images of so many numbers, from the first one on; then come new ones. */
static const struct lab_scheme *scheme;
static struct lab_index map;
static u64 first;
static u64 nr_keys;
static u64 nr_new;
static u64 nr_batch;
static u64 nr_ops;
static u64 random_state;
static u64 done;
static u64 wrong;

static struct blink_tree_ioc_op op[LAB_BATCH_MAX];
static u64 number[LAB_BATCH_MAX];
static struct blink_tree_entry entry[SCAN];

static __always_inline void begin(void)
{
	blink_mark(BLINK_MARK_BEGIN | BLINK_CLASS_CALL);
}

static __always_inline void end(void)
{
	blink_mark(BLINK_MARK_END);
}

/* The number of a key that the index was filled with. */
static u64 pick(void)
{
	return first + lab_below(&random_state, nr_keys);
}

static u64 fresh(void)
{
	return first + nr_keys + nr_new++;
}

static void do_one(bool add)
{
	u64 n = add ? fresh() : pick(), key = lab_image(n), value = add ? n : 0;
	int ret;

	if (add) {
		begin();
		ret = map.ops->insert(map.data, key, n);
		end();
	} else {
		begin();
		ret = map.ops->lookup(map.data, key, &value);
		end();
	}
	wrong += ret || value != n;
}

/* Near the end of all keys there are fewer. */
static void judge_scan(u64 key, int got, bool descends)
{
	const u64 margin = LAB_KEY_MAX / nr_keys * 4 * SCAN;
	int i;

	wrong += got < 1 || entry[0].key != key;
	wrong += got < SCAN && key > margin && key < LAB_KEY_MAX - margin;
	for (i = 0; i < got; i++)
		wrong += lab_image(entry[i].value) != entry[i].key ||
			 (i && (entry[i].key > entry[i - 1].key) == descends);
}

static void scan(void)
{
	u64 key = lab_image(pick());
	unsigned int got;

	begin();
	got = map.ops->scan(map.data, key, entry, SCAN);
	end();
	judge_scan(key, got, false);
}

static int read_down(struct blink_scan *range)
{
	int got = 0, ret = 0;

	while (got < SCAN && !range->done && ret >= 0) {
		ret = blink_tree_scan(map.data, range, entry + got, SCAN - got);
		got += max(ret, 0);
	}
	return got;
}

static void scan_desc(void)
{
	u64 key = lab_image(pick());
	struct blink_scan range = { .last = key, .desc = true };
	int got;

	begin();
	got = read_down(&range);
	end();
	judge_scan(key, got, true);
}

/**
 * struct workload - something to do
 * @name: its name
 * @scan: an operation, if it is a scan
 * @adds: otherwise, one of so many operations is an insertion; 0: all are lookups
 */
static const struct workload {
	const char *name;
	void (*scan)(void);
	unsigned int adds;
} workloads[] = {
	{ "lookup" },	  { "insert", .adds = 1 },    { "50/50", .adds = 2 },
	{ "scan", scan }, { "scan-desc", scan_desc }, {},
};

static bool is_insertion(const struct workload *workload, u64 i)
{
	return workload->adds && i % workload->adds == workload->adds - 1;
}

static void batch(const struct workload *workload)
{
	unsigned int i;

	for (i = 0; i < nr_batch; i++) {
		bool add = is_insertion(workload, done + i);

		number[i] = add ? fresh() : pick();
		op[i] = (struct blink_tree_ioc_op){
			.opcode = add ? BLINK_TREE_OP_INSERT :
					BLINK_TREE_OP_LOOKUP,
			.key = lab_image(number[i]),
			.value = add ? number[i] : 0,
		};
	}
	begin();
	map.ops->batch(map.data, op, nr_batch);
	end();
	for (i = 0; i < nr_batch; i++)
		wrong += op[i].result || op[i].value != number[i];
}

static void __noreturn wrong_usage(void)
{
	fputs(usage, stderr);
	exit(2);
}

static const struct workload *find_workload(const char *name)
{
	const struct workload *workload;

	for (workload = workloads; workload->name; workload++)
		if (!strcmp(workload->name, name))
			return workload;
	wrong_usage();
}

static void check_usage(const struct workload *workload)
{
	bool batches = nr_batch > 1;

	if (!scheme || !nr_keys || !nr_batch || nr_batch > LAB_BATCH_MAX ||
	    (batches && (!scheme->ops->batch || workload->scan)) ||
	    (workload->scan == scan_desc && scheme->ops != &lab_blink_ops))
		wrong_usage();
}

static void fill(void)
{
	const struct lab_params params = { .keys = nr_keys + nr_ops };
	u64 i;

	if (lab_index_create(&map, scheme, &params))
		shim_die(__FILE__, __LINE__, "no memory");
	for (i = 0; i < nr_keys; i++) {
		wrong += !!map.ops->insert(map.data, lab_image(first + i),
					   first + i);
		if (!(i % PATIENCE))
			rcu_barrier();
	}
	rcu_barrier();
}

static void run(const struct workload *workload)
{
	u64 calls = 0;

	for (; done < nr_ops; done += nr_batch) {
		if (workload->scan)
			workload->scan();
		else if (nr_batch > 1)
			batch(workload);
		else
			do_one(is_insertion(workload, done));
		if (!(++calls % PATIENCE))
			rcu_barrier();
	}
}

/* There is no thread for RCU callbacks. */
static void shim_attribute(__constructor__(101)) start_alone(void)
{
	shim_forks = true;
	shim_rcu_waits = true;
}

int main(int argc, char **argv)
{
	const struct workload *workload;

	if (argc == 2 && !strcmp(argv[1], "--version")) {
		puts("gcc " __VERSION__ ", Linux " LAB_LINUX);
		return 0;
	}
	if (argc != 7)
		wrong_usage();
	scheme = lab_scheme_find(argv[1]);
	workload = find_workload(argv[2]);
	nr_keys = strtoull(argv[3], NULL, 10);
	nr_batch = strtoull(argv[4], NULL, 10);
	nr_ops = strtoull(argv[5], NULL, 10);
	random_state = strtoull(argv[6], NULL, 10);
	/* Keys of different seeds are different. */
	first = random_state << 32;
	check_usage(workload);
	standin_init();
	shim_stay(0);
	fill();
	lines_begin();
	run(workload);
	lines_end();
	if (wrong)
		fprintf(stderr, "blink_lines: %llu wrong answers\n", wrong);
	return !!wrong;
}
