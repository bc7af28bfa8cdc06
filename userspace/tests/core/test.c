// SPDX-License-Identifier: GPL-2.0
/*
 * The test program: runs the tests and prints TAP.
 *
 * Every random decision comes from the *seed*; a test's own seed is made of the
 * program's and its name, so that it is the same when the test runs alone.
 */
#include <getopt.h>
#include <linux/rcupdate.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../../../kunit/keys_bytes.h"
#include "../../../kunit/modes.h"
#include "../common/threads.h"
#include "core/core.h"
#include "test.h"

/* A test that takes longer hangs, in seconds. */
static unsigned int limit = 300;

/*
 * The files with tests: those for trees with keys of 64 bits alone; those that are compiled
 * for keys of 128 bits too, and of these the ones that strings have as well; the same for
 * all; and for strings alone. Those of all kinds have keys of 64 bits themselves
 * (kunit/keys.h).
 */
/* clang-format off */
#define SUITES(ONLY_64, EACH, EACH_KIND, SAME, ONLY_BYTES)                    \
	ONLY_64(shim) EACH(verify) ONLY_BYTES(verify_bytes) EACH(signs)       \
	ONLY_64(narrow) EACH(cohort) EACH(lifetime) EACH(limbo) EACH(limit)   \
	EACH(heat) EACH_KIND(nomem) EACH(rebuild) EACH_KIND(load) EACH(edge)  \
	EACH(root) EACH(sample) EACH(place) EACH(starve) EACH(bounds)         \
	EACH(cost) EACH(commit) SAME(race) SAME(interleave) EACH(mend)        \
	EACH_KIND(charge) EACH(finger) EACH(value) EACH(watch) EACH(refuse)   \
	ONLY_BYTES(string) EACH(hot)

/* clang-format on */

#define DECLARE(name) name##_tests[],
#define DECLARE_U128(name) name##_tests[], u128_##name##_tests[],

extern const struct test SUITES(DECLARE, DECLARE_U128, DECLARE_U128, DECLARE,
				DECLARE) shim_tests[];

#define ONLY_64(name) { .u64 = name##_tests },
#define EACH(name) { name##_tests, u128_##name##_tests },
#define EACH_KIND(name) { name##_tests, u128_##name##_tests, name##_tests },
#define SAME(name) { name##_tests, name##_tests, name##_tests },
#define ONLY_BYTES(name) { .bytes = name##_tests },

static const struct suite {
	const struct test *u64;
	const struct test *u128;
	const struct test *bytes;
} suites[] = { SUITES(ONLY_64, EACH, EACH_KIND, SAME, ONLY_BYTES) SAME(kunit) };

static const char usage[] =
	"usage: blink_test [OPTION]...\n"
	"Test the core of blink_tree in userspace; results as TAP.\n"
	"  -f, --fail-fast     end with the first test that fails\n"
	"  -l, --list          list the tests\n"
	"  -m, --mode NAME     what trees are like: plain (default), or another\n"
	"                      mode of kunit/modes.h\n"
	"  -o, --only PATTERN  run the tests whose names contain PATTERN\n"
	"  -s, --seed N        what random choices follow from (1); 0: the time\n"
	"  -t, --limit N       seconds after which a test hangs (300)\n"
	"  -w, --without SUITES  leave out those whose names begin with one of these\n"
	"                      words, which blanks separate, and a colon\n"
	"  -x, --scale N       percent of the usual number of rounds (100)\n"
	"  -h, --help          print this\n"
	"Exit status: 0 all passed, 1 some failed, 2 wrong usage.\n";

#define MODE_COMPRESS BLINK_TREE_COMPRESS
#define MODE(unused, word, text, nr, ...) \
	{ .name = (text), .nodes = (nr), .params = { __VA_ARGS__ } },

/*
 * The parameters of trees, and the number of NUMA nodes that the threads run on. In a
 * tree with an index for each node, a thread may use another index at each access.
 */
static const struct mode {
	const char *name;
	int nodes;
	struct blink_tree_params params;
} modes[] = { FOR_EACH_MODE(MODE, unused) };

struct blink_tree_params test_params;

static u64 base_seed = 1;
static u64 scale = 100;
static const char *only = "";
static const char *without = "";
static bool fail_fast;

static const struct test *current;
static unsigned int failures;
static const char *skipped;
static u64 leaf_bytes;

/* Of the running test; and of a thread, not yet among them. */
static u64 operations;
static __thread u64 did;

void test_fail(const char *file, int line, const char *format, ...)
{
	va_list args;

	/* The first ones tell the story. */
	if (__atomic_fetch_add(&failures, 1, __ATOMIC_RELAXED) >= 5)
		return;
	flockfile(stdout);
	printf("# %s:%d: ", file, line);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf("\n");
	funlockfile(stdout);
}

bool test_failed(void)
{
	return __atomic_load_n(&failures, __ATOMIC_RELAXED);
}

void test_skip(const char *why)
{
	skipped = why;
}

const struct test *test_current(void)
{
	return current;
}

void test_did(u64 nr)
{
	did += nr;
}

static void sum_up(void)
{
	__atomic_fetch_add(&operations, did, __ATOMIC_RELAXED);
	did = 0;
}

u64 test_seed(void)
{
	u64 seed = base_seed;
	const char *c;

	for (c = current->name; *c; c++)
		seed = seed * 31 + (unsigned char)*c;
	return random_next(&seed);
}

u64 test_scale(u64 rounds)
{
	return max(rounds * scale / 100, 1ULL);
}

static void (*thread_work)(unsigned int id);

static void work_and_sum_up(unsigned int id)
{
	thread_work(id);
	sum_up();
}

void run_threads(unsigned int nr, void (*fn)(unsigned int id))
{
	thread_work = fn;
	threads_of_program(nr, work_and_sum_up);
}

struct blink_tree *tree_create(void)
{
	struct blink_tree *tree = blink_tree_create(&test_params, GFP_KERNEL);

	if (IS_ERR(tree))
		shim_die(__FILE__, __LINE__, "no tree");
	return tree;
}

void expect_sound(struct blink_tree *tree)
{
	struct blink_tree_ioc_verify report;

	if (!EXPECT_EQ(blink_tree_verify(tree, &report), 0))
		test_fail(__FILE__, __LINE__,
			  "violation %u at level %u, low key 0x%llx",
			  report.violation, report.level, report.key);
	EXPECT_EQ(report.violation, BLINK_TREE_OK);
	EXPECT_EQ(report.entries, blink_tree_count(tree));
	EXPECT_EQ(report.height, blink_tree_height(tree));
}

void tree_end(struct blink_tree *tree)
{
	expect_sound(tree);
	blink_tree_destroy(tree);
}

struct blink_tree_ioc_verify tree_verified(struct blink_tree *tree)
{
	struct blink_tree_ioc_verify report;

	EXPECT_EQ(blink_tree_verify(tree, &report), 0);
	return report;
}

void expect_one_leaf(struct blink_tree *tree)
{
	struct blink_tree_ioc_verify report;
	struct blink_tree_ioc_stats stats;

	/* This lets the indexes catch up, too. */
	expect_sound(tree);
	/*
	 * Only then is the sum of what is in limbo exact. The callbacks of nodes can
	 * queue those of strings.
	 */
	rcu_barrier();
	rcu_barrier();
	EXPECT_EQ(blink_tree_verify(tree, &report), 0);
	EXPECT_EQ(report.height, 1);
	EXPECT_EQ(report.leaves, 1);
	EXPECT_EQ(report.inner, 0);
	EXPECT_EQ(report.entries, 0);
	blink_tree_stats(tree, &stats);
	EXPECT_EQ(stats.limbo_bytes, 0);
	EXPECT(stats.bytes >= leaf_bytes);
	EXPECT(stats.bytes <= leaf_bytes + keys_bytes_kept(&stats));
}

/* The memory of a tree that nothing was ever added to. */
static void measure_leaf(void)
{
	struct blink_tree *tree = tree_create();

	leaf_bytes = tree_stats(tree).bytes;
	blink_tree_destroy(tree);
}

static void on_alarm(int sig)
{
	static const char text[] = "Bail out! a test hangs: ";

	(void)sig;
	if (write(STDOUT_FILENO, text, sizeof(text) - 1) < 0 ||
	    write(STDOUT_FILENO, current->name, strlen(current->name)) < 0 ||
	    write(STDOUT_FILENO, "\n", 1) < 0)
		_exit(1);
	abort();
}

static bool run_test(const struct test *test, unsigned int number)
{
	const struct blink_tree_params params = test_params;
	struct timespec begin, end;
	long live;

	current = test;
	failures = 0;
	skipped = NULL;
	operations = 0;
	clock_gettime(CLOCK_MONOTONIC, &begin);
	live = shim_live_objects();
	alarm(limit);
	shim_self->random = test_seed();
	if (test->plain)
		test_params.flags &= ~BLINK_TREE_COMPRESS;
	test->run();
	test_params = params;
	rcu_barrier();
	alarm(0);
	EXPECT_EQ(shim_live_objects(), live);
	EXPECT(!shim_work_left());
	sum_up();
	clock_gettime(CLOCK_MONOTONIC, &end);
	if (failures)
		printf("# reproduce: --seed %llu --scale %llu --only '%s'\n",
		       base_seed, scale, test->name);
	if (operations)
		printf("# operations %llu\n", operations);
	printf("%sok %u - %s # %s%s%s%.2f s\n", failures ? "not " : "", number,
	       test->name, skipped ? "SKIP " : "", skipped ?: "",
	       skipped ? ", " : "",
	       (double)(end.tv_sec - begin.tv_sec) +
		       (double)(end.tv_nsec - begin.tv_nsec) / 1e9);
	fflush(stdout);
	return !failures;
}

static const struct test *tests_of(const struct suite *suite)
{
	switch (keys_kind) {
	case BLINK_TREE_KEY_U128:
		return suite->u128;
	case BLINK_TREE_KEY_BYTES:
		return suite->bytes;
	default:
		return suite->u64;
	}
}

/* Whether the word before the colon of a name is one of the suites to leave out. */
static bool left_out(const struct test *test)
{
	const size_t length = strcspn(test->name, ":");
	const char *word = without;

	while (*word) {
		if (strcspn(word, " ") == length &&
		    !strncmp(word, test->name, length))
			return true;
		word += strcspn(word, " ");
		word += strspn(word, " ");
	}
	return false;
}

typedef void (*test_fn)(const struct test *test, unsigned int number);

static unsigned int each_test(test_fn fn)
{
	const struct test *test;
	unsigned int i, n = 0;

	for (i = 0; i < ARRAY_SIZE(suites); i++) {
		test = tests_of(&suites[i]);
		for (; test && test->name; test++)
			if (strstr(test->name, only) && !left_out(test))
				fn(test, ++n);
	}
	return n;
}

static void count_test(const struct test *test, unsigned int number)
{
	(void)test;
	(void)number;
}

static void list_test(const struct test *test, unsigned int number)
{
	(void)number;
	puts(test->name);
}

static unsigned int failed_tests;

static void run_and_count(const struct test *test, unsigned int number)
{
	if (fail_fast && failed_tests)
		return;
	failed_tests += !run_test(test, number);
}

static u64 parse_number(const char *text)
{
	char *end;
	u64 n = strtoull(text, &end, 10);

	if (!*text || *end) {
		fprintf(stderr, "blink_test: not a number: %s\n", text);
		exit(2);
	}
	return n;
}

static void set_mode(const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(modes); i++) {
		if (strcmp(modes[i].name, name))
			continue;
		test_params = modes[i].params;
		shim_nodes = modes[i].nodes;
		keys_kind = modes[i].params.key;
		return;
	}
	fprintf(stderr, "blink_test: no such mode: %s\n", name);
	exit(2);
}

static void parse_options(int argc, char **argv)
{
	static const struct option options[] = {
		{ "fail-fast", no_argument, NULL, 'f' },
		{ "list", no_argument, NULL, 'l' },
		{ "limit", required_argument, NULL, 't' },
		{ "mode", required_argument, NULL, 'm' },
		{ "only", required_argument, NULL, 'o' },
		{ "seed", required_argument, NULL, 's' },
		{ "scale", required_argument, NULL, 'x' },
		{ "without", required_argument, NULL, 'w' },
		{ "help", no_argument, NULL, 'h' },
		{}
	};
	bool list = false;
	int c;

	while ((c = getopt_long(argc, argv, "flm:o:s:t:w:x:h", options,
				NULL)) != -1) {
		switch (c) {
		case 'f':
			fail_fast = true;
			break;
		case 'l':
			list = true;
			break;
		case 'm':
			set_mode(optarg);
			break;
		case 'o':
			only = optarg;
			break;
		case 's':
			base_seed = parse_number(optarg);
			break;
		case 't':
			limit = parse_number(optarg);
			break;
		case 'w':
			without = optarg;
			break;
		case 'x':
			scale = parse_number(optarg);
			break;
		case 'h':
			fputs(usage, stdout);
			exit(0);
		default:
			fputs(usage, stderr);
			exit(2);
		}
	}
	if (optind < argc) {
		fputs(usage, stderr);
		exit(2);
	}
	if (list) {
		each_test(list_test);
		exit(0);
	}
}

int main(int argc, char **argv)
{
	unsigned int nr;

	kunit_list_tests();
	parse_options(argc, argv);
	if (!base_seed)
		base_seed = time(NULL);
	signal(SIGALRM, on_alarm);
	if (blink_core_init())
		shim_die(__FILE__, __LINE__, "no memory");
	measure_leaf();
	nr = each_test(count_test);
	printf("TAP version 13\n1..%u\n# seed %llu, scale %llu %%\n", nr,
	       base_seed, scale);
	fflush(stdout);
	each_test(run_and_count);
	blink_core_exit();
	return failed_tests ? 1 : 0;
}
