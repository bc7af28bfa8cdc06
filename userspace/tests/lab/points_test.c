// SPDX-License-Identifier: GPL-2.0
/*
 * The points of the laboratory: each scheme with each mix; the texts; the errors; that a
 * point notices each wrong answer of a scheme; and the way of a lock-free reader down.
 */
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/slab.h>
#include <linux/topology.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <tap.h>
#include <unistd.h>

#include "broken.h"
#include "core/core.h"
#include "indexes/kernel/init.h"
#include "keys.h"
#include "point/point.h"
#include "schemes/reading.h"

#define CASES 11

/* The sizes of nodes in OLFIT's figure 6 count on it (userspace/bench/lab/figures.py). */
static_assert(sizeof(struct plain_node) == 56);

/* clang-format off */
const struct lab_scheme lab_schemes[] = {
	{ "blink_tree", "", "", "", LAB_OF_BLINK, &lab_blink_ops },
	LAB_SCHEMES_OLFIT(LAB_SCHEME)
	LAB_SCHEMES_RCU(LAB_SCHEME)
	LAB_SCHEMES_MXKERNEL(LAB_SCHEME)
	{ "mckenzie:original", "", "", "", LAB_OF_MALBRAIN,
	  &lab_mckenzie_original_ops },
	{ "mckenzie:lock-free", "", "", "", LAB_OF_MALBRAIN,
	  &lab_mckenzie_lockfree_ops },
	{ "mckenzie:replicated-local", "", "", "", LAB_OF_LOCAL,
	  &lab_mckenzie_replicated_local_ops },
	{ "broken", "", "", "", LAB_OF_BLINK, &broken_ops },
	{ "bare", "", "", "", 0, &bare_ops },
	{ "batches", "", "", "", LAB_OF_TWO_PHASES, &broken_ops },
	{ "scanning", "", "", "", LAB_OF_SPIDERMAN | LAB_BATCHES,
	  &scanning_ops },
	LAB_SCHEMES_END,
};

/* clang-format on */

/* The kernel's own indexes are not here: there is nothing else to initialise. */
void standin_init(void)
{
	tap_check(!blink_core_init());
}

static char answer[LAB_POINT_ANSWER_MAX];

/* An order that must come to this. */
__printf(2, 3) static void check_order(int expected, const char *format, ...)
{
	char text[256];
	va_list args;
	int ret;

	*answer = '\0';
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	ret = lab_point_order(text, answer, sizeof(answer));
	if (!tap_check(ret == expected))
		printf("# %s: %d, %s\n", text, ret, answer);
}

/* The number after the first "NAME=" behind a place of the answer. */
static unsigned long long number_in(const char *text, const char *name)
{
	const char *found = text ? strstr(text, name) : NULL;

	return tap_check(found) ? strtoull(found + strlen(name), NULL, 10) : 0;
}

/* The operations and the time of each thread, which are those of all together. */
static void check_each(unsigned int threads)
{
	const char *text = strstr(answer, " each=");
	unsigned long long ops, ns, sum = 0, most = 0;
	unsigned int i;
	int used = 0;

	for (i = 0; text && i < threads; i++, text += used) {
		if (!tap_check(sscanf(text,
				      i ? ",%llu/%llu%n" : " each=%llu/%llu%n",
				      &ops, &ns, &used) == 2))
			return;
		sum += ops;
		most = max(most, ns);
	}
	tap_check(text && *text == '\n');
	tap_check(sum == number_in(answer, " ops="));
	tap_check(most && most <= number_in(answer, " ns="));
}

/* Each kind of operation of the mix occurs, and has the times of its operations. */
static void check_times(const struct lab_mix *mix, u64 ops)
{
	char name[64];
	u64 count = 0;
	unsigned int i;

	for (i = 0; i < LAB_OP_NR; i++) {
		snprintf(name, sizeof(name), "\nop=%s ", lab_op_names[i]);
		if (!strstr(answer, name))
			continue;
		count += number_in(strstr(answer, name), "count=");
		tap_check(mix->share[i] ||
			  (i == LAB_OP_INSERT && mix->share[LAB_OP_ERASE]));
	}
	tap_check(count == ops);
	tap_check(number_in(answer, "sum=") >= number_in(answer, "most="));
}

static void check_mix(const struct lab_scheme *scheme,
		      const struct lab_mix *mix, unsigned int threads)
{
	check_order(
		0,
		"scheme=%s mix=%s threads=%u keys=500 ops=300 warm_up=30 node_bytes=%u timed=1 order=%s",
		scheme->name, mix->name, threads,
		scheme->promises & LAB_SIZES ? 512 : 0,
		scheme->promises & LAB_MULTI ? "ascending" : "random");
	tap_check(number_in(answer, "threads=") == threads);
	tap_check(number_in(answer, " ops=") == 300ULL * threads);
	check_each(threads);
	tap_check(!number_in(answer, " wrong="));
	check_times(mix, 300ULL * threads);
	if (tap_broken)
		printf("# %s, %s, %u threads: %s\n", scheme->name, mix->name,
		       threads, answer);
}

static void check_scheme(const struct lab_scheme *scheme, unsigned int most)
{
	const struct lab_mix *mix;
	unsigned int threads;

	if (!(scheme->promises & LAB_CONCURRENT))
		most = 1;
	for (mix = lab_mixes; mix->name; mix++) {
		if (scheme->promises & LAB_MULTI &&
		    (mix->share[LAB_OP_MISS] || mix->share[LAB_OP_FLOOR]))
			continue;
		/* Our tree alone has all operations. */
		if (!scheme->ops->count && mix >= lab_mix_find("get-or-insert"))
			break;
		for (threads = 1; threads <= most; threads++)
			check_mix(scheme, mix, threads);
	}
}

static void test_mixes(void)
{
	unsigned int most = sysconf(_SC_NPROCESSORS_ONLN) > 1 ? 2 : 1;
	const struct lab_scheme *scheme;

	for (scheme = lab_schemes; strcmp(scheme->name, "bare"); scheme++)
		check_scheme(scheme, most);
	tap_case("mixes: each scheme executes each mix");
}

static void test_answer(void)
{
	check_order(0,
		    "scheme=blink_tree mix=insert keys=100 ops=50 threads=1");
	tap_check(number_in(answer, "entries=") == 150);
	tap_check(number_in(answer, "bytes=") > 1000);
	tap_check(strstr(answer, " retries=- ") && !strstr(answer, "op="));
	check_order(
		0,
		"scheme=blink_tree mix=erase keys=100 ops=20 warm_up=5 threads=1");
	tap_check(number_in(answer, "entries=") == 75);
	check_order(
		0,
		"\nscheme=mckenzie:lock-free  mix=lookup keys=100 ops=5 threads=1\n");
	tap_check(strstr(answer, " retries=0 bytes="));
	check_order(0, "scheme=broken mix=lookup keys=100 ops=5 threads=1");
	tap_check(strstr(answer, " retries=- bytes=- "));
	check_order(
		0,
		"scheme=blink_tree mix=insert keys=100 ops=50 batch=8 threads=1 timed=1");
	tap_check(number_in(answer, "op=insert count=") == 50);
	tap_check(lab_point_order("scheme=blink_tree mix=lookup keys=100 ops=5",
				  answer, 20) == -ENOSPC);
	tap_case("answer: the numbers of the outcome");
}

static void test_orders(void)
{
	u64 key[200] = {}, i;

	for (i = 0; i < LAB_ORDER_NR; i++) {
		const char *name = lab_order_names[i];

		if (i == LAB_FILE)
			continue;
		check_order(
			0,
			"scheme=blink_tree mix=ycsb-e order=%s keys=100 ops=500",
			name);
		check_order(
			0,
			"scheme=blink_tree mix=floor order=%s keys=100 ops=500",
			name);
		check_order(
			0,
			"scheme=blink_tree mix=insert-erase order=%s keys=100 ops=500",
			name);
	}
	check_order(-ERANGE,
		    "scheme=blink_tree mix=lookup order=file keys=100 ops=100");
	for (i = 0; i < 200; i++)
		key[i] = LAB_KEY_MAX - i * i * 1000;
	tap_check(!lab_point_set_keys(key, 200));
	check_order(0,
		    "scheme=blink_tree mix=lookup order=file keys=200 ops=100");
	check_order(0,
		    "scheme=blink_tree mix=scan order=file keys=200 ops=100");
	check_order(
		0,
		"scheme=blink_tree mix=insert order=file keys=100 ops=100 threads=1");
	check_order(
		-ERANGE,
		"scheme=blink_tree mix=insert order=file keys=101 ops=100 threads=1");
	check_order(
		-ERANGE,
		"scheme=blink_tree mix=lookup-miss order=file keys=200 ops=100");
	key[150] = key[3];
	tap_check(lab_point_set_keys(key, 200) == -EINVAL);
	key[150] = LAB_KEY_MAX + 1;
	tap_check(lab_point_set_keys(key, 200) == -EINVAL);
	check_order(0,
		    "scheme=blink_tree mix=lookup order=file keys=200 ops=100");
	tap_check(!lab_point_set_keys(NULL, 0));
	tap_case("orders: of the keys, those of a file among them");
}

static void test_errors(void)
{
	check_order(-EINVAL, "mix=lookup");
	check_order(-EINVAL, "scheme=blink_tree");
	check_order(-EINVAL, "scheme=none mix=lookup");
	check_order(-EINVAL, "scheme=blink_tree mix=none");
	check_order(-EINVAL, "scheme=blink_tree mix=read=1,write=1");
	check_order(-EINVAL, "scheme=blink_tree mix=lookup order=none");
	check_order(-EINVAL, "scheme=blink_tree mix=lookup word=1");
	check_order(-EINVAL, "scheme=blink_tree mix=lookup keys");
	check_order(-EINVAL, "scheme=blink_tree mix=lookup keys=");
	check_order(-EINVAL, "scheme=blink_tree mix=lookup keys=-1");
	check_order(-EINVAL, "scheme=blink_tree mix=lookup keys=10x");
	check_order(-ERANGE, "scheme=blink_tree mix=lookup keys=0");
	check_order(-ERANGE, "scheme=blink_tree mix=lookup keys=99999999999");
	check_order(-ERANGE, "scheme=blink_tree mix=lookup ops=0");
	check_order(-ERANGE, "scheme=blink_tree mix=lookup batch=0");
	check_order(-ERANGE, "scheme=blink_tree mix=lookup batch=65");
	check_order(-ERANGE, "scheme=blink_tree mix=lookup timed=2");
	check_order(-ERANGE, "scheme=blink_tree mix=lookup threads=1000");
	check_order(-ERANGE, "scheme=blink_tree mix=lookup keys=1 threads=1");
	check_order(-EINVAL,
		    "scheme=blink_tree mix=lookup threads=1 node_bytes=512");
	/* Keys that are loaded do not count. */
	check_order(0, "scheme=broken mix=lookup keys=200001 ops=9");
	check_order(
		-EFBIG,
		"scheme=broken mix=update=1 keys=9999 threads=1 ops=200001");
	check_order(
		-EFBIG,
		"scheme=broken mix=read=99,update=1 keys=9999 threads=2 writers=1 ops=200001");
	check_order(0, "scheme=olfit:no mix=lookup threads=2");
	check_order(-EOPNOTSUPP, "scheme=olfit:no mix=50/50 threads=2");
	check_order(-EOPNOTSUPP, "scheme=olfit:ol mix=lookup batch=2");
	check_order(-EOPNOTSUPP, "scheme=blink_tree mix=insert-erase batch=2");
	check_order(-EOPNOTSUPP, "scheme=blink_tree mix=lookup-miss batch=2");
	check_order(-EOPNOTSUPP, "scheme=blink_tree mix=ycsb-d batch=2");
	check_order(-EOPNOTSUPP, "scheme=batches mix=spiderman-d");
	check_order(-EOPNOTSUPP, "scheme=olfit:ol-multi mix=lookup");
	check_order(-EOPNOTSUPP,
		    "scheme=olfit:ol-multi mix=floor order=ascending");
	check_order(-EOPNOTSUPP, "scheme=blink_tree mix=count order=ascending");
	check_order(-EOPNOTSUPP, "scheme=bare mix=erase-range threads=1");
	check_order(-EOPNOTSUPP, "scheme=bare mix=scan threads=1");
	check_order(-EOPNOTSUPP, "scheme=bare mix=floor threads=1");
	check_order(-EOPNOTSUPP, "scheme=bare mix=erase threads=1");
	check_order(0, "scheme=bare mix=ycsb-f threads=1 keys=100 ops=100");
	tap_case("errors: an order that cannot be done is refused");
}

/* The faults, and a mix that shows each. */
static const struct {
	enum fault fault;
	const char *mix;
	unsigned int batch;
	int error;
} faults[] = {
	{ NOTHING, "ycsb-e", 1, 0 },
	{ LOOKUP_VALUE, "lookup", 1, -EIO },
	{ LOOKUP_ABSENT, "ycsb-f", 1, -EIO },
	{ LOOKUP_ERROR, "lookup", 1, -EIO },
	{ LOOKUP_ERROR, "lookup-miss", 1, -EIO },
	{ MISS_FOUND, "lookup-miss", 1, -EIO },
	{ INSERT_ERROR, "insert", 1, -EIO },
	{ INSERT_LOST, "insert-erase", 1, -EIO },
	{ INSERT_MEMORY, "insert", 1, -ENOMEM },
	{ STORE_VALUE, "95/5", 1, -EIO },
	{ ERASE_LOST, "erase", 1, -EIO },
	{ SCAN_EMPTY, "scan", 1, -EIO },
	{ SCAN_SHORT, "scan", 1, -EIO },
	{ SCAN_FIRST, "scan", 1, -EIO },
	{ SCAN_TWICE, "scan", 1, -EIO },
	{ SCAN_VALUE, "scan", 1, -EIO },
	{ SCAN_MANY, "scan", 1, -EIO },
	{ FLOOR_ABSENT, "floor", 1, -EIO },
	{ FLOOR_FIRST, "floor", 1, -EIO },
	{ FLOOR_VALUE, "floor", 1, -EIO },
	{ FLOOR_AFTER, "floor", 1, -EIO },
	{ BATCH_ERROR, "lookup", 8, -EIO },
	{ BATCH_VALUE, "lookup", 8, -EIO },
	{ BATCH_MEMORY, "insert", 8, -ENOMEM },
	{ LOAD_LOST, "lookup", 1, -EIO },
	{ GET_VALUE, "get-or-insert", 1, -EIO },
	{ GET_LOST, "get-or-insert", 1, -EIO },
	{ COUNT_MANY, "count", 1, -EIO },
	{ POP_VALUE, "pop", 1, -EIO },
	{ POP_LOST, "pop", 1, -EIO },
	{ RANGE_FEW, "erase-range", 1, -EIO },
};

/* A scheme that only differs in batches executes an operation alone as a batch. */
static void check_alone(void)
{
	static const char order[] =
		"scheme=batches mix=lookup keys=100 ops=100 threads=1 batch=1";

	fault = LOOKUP_VALUE;
	check_order(0, "%s", order);
	fault = BATCH_VALUE;
	check_order(-EIO, "%s", order);
	fault = NOTHING;
}

/* One that has scans in batches executes these too, and its answers are checked. */
static void check_scanning(void)
{
	static const char order[] = "scheme=scanning keys=200 ops=200";

	scanning_init();
	check_order(0, "%s mix=scan threads=1", order);
	check_order(0, "%s mix=scan batch=7", order);
	check_order(0, "%s mix=spiderman-d batch=16", order);
	for (fault = BATCH_SCAN_FEW; fault <= BATCH_SCAN_VALUE; fault++) {
		check_order(-EIO, "%s mix=scan", order);
		check_order(-EIO, "%s mix=scan batch=64", order);
	}
	fault = NOTHING;
}

static void test_faults(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(faults); i++) {
		fault = faults[i].fault;
		check_order(faults[i].error,
			    "scheme=broken mix=%s batch=%u keys=200 ops=%u",
			    faults[i].mix, faults[i].batch,
			    faults[i].fault == RANGE_FEW ? 1 : 2000);
		if (faults[i].error == -EIO)
			tap_check(number_in(answer, " wrong="));
		if (tap_broken)
			printf("# fault %u\n", fault);
	}
	fault = NOTHING;
	check_alone();
	check_scanning();
	tap_case("faults: each wrong answer of a scheme is noticed");
}

static void test_seeds(void)
{
	static const char *const seed[] = { "1", "1", "2" };
	u64 entries[3];
	unsigned int i;

	for (i = 0; i < 3; i++) {
		check_order(
			0,
			"scheme=blink_tree mix=50/50 keys=1000 ops=1000 threads=1 seed=%s",
			seed[i]);
		entries[i] = number_in(answer, "entries=");
	}
	tap_check(entries[0] == entries[1] && entries[0] != entries[2]);
	tap_case("seeds: the same one makes the same choices");
}

/* All operations together, whatever each thread has done, and no key twice. */
static void check_shared(const char *scheme, unsigned int threads,
			 unsigned int batch)
{
	check_order(
		0,
		"scheme=%s mix=insert keys=100 ops=1000 warm_up=100 shared=1 threads=%u batch=%u",
		scheme, threads, batch);
	tap_check(number_in(answer, " ops=") == 1000);
	check_each(threads);
	tap_check(number_in(answer, "entries=") == 1200);
}

static void test_shared(void)
{
	unsigned int most = sysconf(_SC_NPROCESSORS_ONLN) > 1 ? 2 : 1, threads;
	u64 key[200], i;

	for (threads = 1; threads <= most; threads++) {
		check_shared("blink_tree", threads, 1);
		check_shared("blink_tree", threads, 48);
		check_shared("mxkernel:cores", threads, 1);
		check_shared("mxkernel:sync", threads, 64);
	}
	/* They insert the keys of one array, and no others. */
	for (i = 0; i < 200; i++)
		key[i] = i * i;
	tap_check(!lab_point_set_keys(key, 200));
	check_order(
		0,
		"scheme=rcu:path mix=insert order=file keys=100 ops=100 shared=1");
	tap_check(number_in(answer, "entries=") == 200);
	check_order(
		-ERANGE,
		"scheme=rcu:path mix=insert order=file keys=100 ops=101 shared=1");
	tap_check(!lab_point_set_keys(NULL, 0));
	check_order(-ERANGE, "scheme=blink_tree mix=lookup shared=2");
	check_order(-EOPNOTSUPP, "scheme=blink_tree mix=erase shared=1");
	check_order(-EOPNOTSUPP, "scheme=blink_tree mix=ycsb-d shared=1");
	check_order(-EOPNOTSUPP, "scheme=blink_tree mix=erase-range shared=1");
	tap_case("shared: threads take the operations from one number");
}

/* The writer ends with the reader: each of its operations waits for a grace period. */
static void test_roles(void)
{
	unsigned long long updates = 0, ops;
	unsigned int i;

	check_order(
		sysconf(_SC_NPROCESSORS_ONLN) > 1 ? 0 : -EOPNOTSUPP,
		"scheme=rcu:replace mix=rcu-project keys=500 ops=300 warm_up=30 writers=1 timed=1");
	if (sysconf(_SC_NPROCESSORS_ONLN) > 1) {
		check_order(
			0,
			"scheme=rcu:replace mix=rcu-project keys=500 ops=50000 threads=2 writers=1 timed=1");
		check_each(2);
		ops = number_in(answer, " each=");
		tap_check(ops < 50000 && number_in(answer, ",") == 50000);
		for (i = 0; i < LAB_OP_NR; i++) {
			char name[64];

			snprintf(name, sizeof(name),
				 "\nop=%s count=", lab_op_names[i]);
			if (BIT(i) & LAB_OPS_CHANGE && strstr(answer, name))
				updates += number_in(answer, name);
		}
		tap_check(updates == ops);
	}
	check_order(-EOPNOTSUPP,
		    "scheme=blink_tree mix=50/50 threads=1 writers=1");
	check_order(-EOPNOTSUPP, "scheme=blink_tree mix=lookup writers=1");
	check_order(-EOPNOTSUPP, "scheme=blink_tree mix=insert writers=1");
	check_order(-EOPNOTSUPP,
		    "scheme=blink_tree mix=50/50 writers=1 shared=1");
	tap_case("roles: writers change the index while readers read");
}

/* A child has no threads but its own, and frees memory behind grace periods. */
static void test_child(void)
{
	pid_t pid = fork();
	int status = -1;

	if (!pid)
		_exit(lab_point_order("scheme=rcu:path mix=50/50 ops=1000",
				      answer, sizeof(answer)) != 0);
	tap_check(pid > 0 && waitpid(pid, &status, 0) == pid);
	tap_check(!status);
	tap_case("child: a forked process measures a point");
}

/* A bound was removed, and the high key is still to be lowered. */
static void test_reading(void)
{
	struct plain_tree tree = {};
	struct plain_node *node;
	u64 low = 0;

	tap_check(!plain_tree_init(&tree, 256, 0, NULL));
	node = rcu_dereference_protected(tree.root, true);
	plain_entry_insert(&tree, node, 0, 10, 1);
	plain_entry_insert(&tree, node, 1, 20, 2);
	plain_entry_remove(&tree, node, 1);
	tap_check((uintptr_t)reading_down(&tree, node, 15, &low) == 1);
	plain_entry_remove(&tree, node, 0);
	tap_check((uintptr_t)reading_down(&tree, node, 15, &low) == 1);
	plain_tree_end(&tree);
	tap_case("reading: no child behind the last one is followed");
}

/* The slab allocator accepts any NUMA node, but these nodes are not from it. */
static void test_replicas(void)
{
	shim_far = 2;
	shim_bare = 1;
	check_order(
		0,
		"scheme=mckenzie:replicated-local mix=insert keys=2000 ops=2000 node_bytes=16384 threads=1");
	shim_far = 0;
	shim_bare = NUMA_NO_NODE;
	tap_case("replicas: none asks for memory where a node has none");
}

int main(void)
{
	tap_begin(CASES);
	test_child();
	test_mixes();
	test_answer();
	test_orders();
	test_errors();
	test_faults();
	test_seeds();
	test_shared();
	test_roles();
	test_reading();
	test_replicas();
	return tap_exit(CASES);
}
