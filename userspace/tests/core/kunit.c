// SPDX-License-Identifier: GPL-2.0
/*
 * The suites of kunit/ as tests of this program: see kunit/test.h.
 *
 * Those named after a mode are left out, as the program runs each suite in every
 * mode.
 */
#include <kunit/test.h>
#include <setjmp.h>
#include <stdlib.h>

#define SUITES_MAX 64
#define TESTS_MAX 512

/* A test that the program runs. */
struct entry {
	struct kunit_suite *suite;
	const struct kunit_case *kase;
	const void *param;
};

struct action {
	struct action *next;
	void (*fn)(void *data);
	void *data;
};

/* The last one has no name. */
struct test kunit_tests[TESTS_MAX + 1];
static struct entry entries[TESTS_MAX];
static char names[TESTS_MAX][KUNIT_PARAM_DESC_SIZE + 64];
static unsigned int nr_tests;

static struct kunit_suite *suites[SUITES_MAX];
static unsigned int nr_suites;

/* Of the test that runs: the last action is the first one to be done. */
static struct action *actions;
static jmp_buf end;

void kunit_register(struct kunit_suite *suite)
{
	if (nr_suites < SUITES_MAX && !strchr(suite->name, '-'))
		suites[nr_suites++] = suite;
}

const void *kunit_next_param(const void *last, char *name, const void *array,
			     size_t size, size_t nr, size_t member)
{
	const char *next = last ? (const char *)last + size : array;

	if (next == (const char *)array + nr * size)
		return NULL;
	snprintf(name, KUNIT_PARAM_DESC_SIZE, "%s",
		 *(const char *const *)(next + member));
	return next;
}

static void do_actions(void)
{
	struct action *action;

	while ((action = actions)) {
		actions = action->next;
		action->fn(action->data);
		free(action);
	}
}

static void run_case(void)
{
	const struct entry *entry = &entries[test_current() - kunit_tests];
	struct kunit test = { .param_value = entry->param };

	if (!setjmp(end) && !entry->suite->init(&test))
		entry->kase->run_case(&test);
	do_actions();
}

static void add_test(struct kunit_suite *suite, const struct kunit_case *kase,
		     const void *param, const char *what)
{
	if (nr_tests == TESTS_MAX)
		shim_die(__FILE__, __LINE__, "too many tests");
	snprintf(names[nr_tests], sizeof(names[0]), "%s: %s%s%s",
		 suite->name + strlen("blink_tree_"), kase->name,
		 *what ? ": " : "", what);
	entries[nr_tests] = (struct entry){ suite, kase, param };
	kunit_tests[nr_tests] = (struct test){ names[nr_tests], run_case };
	nr_tests++;
}

static void add_case(struct kunit_suite *suite, const struct kunit_case *kase)
{
	char what[KUNIT_PARAM_DESC_SIZE] = "";
	const void *param = NULL;

	if (!kase->generate_params) {
		add_test(suite, kase, NULL, what);
		return;
	}
	while ((param = kase->generate_params(param, what)))
		add_test(suite, kase, param, what);
}

void kunit_list_tests(void)
{
	const struct kunit_case *kase;
	unsigned int i;

	for (i = 0; i < nr_suites; i++)
		for (kase = suites[i]->test_cases; kase->name; kase++)
			add_case(suites[i], kase);
}

void kunit_end(struct kunit *test)
{
	(void)test;
	longjmp(end, 1);
}

void kunit_skip(struct kunit *test, const char *why)
{
	test_skip(why);
	kunit_end(test);
}

void kunit_info(struct kunit *test, const char *format, ...)
{
	va_list args;

	(void)test;
	va_start(args, format);
	printf("# ");
	vprintf(format, args);
	va_end(args);
}

int kunit_add_action(struct kunit *test, void (*fn)(void *data), void *data)
{
	struct action *action = malloc(sizeof(*action));

	(void)test;
	if (!action)
		shim_die(__FILE__, __LINE__, "no memory");
	*action = (struct action){ actions, fn, data };
	actions = action;
	return 0;
}

void *kunit_kcalloc(struct kunit *test, size_t nr, size_t size, gfp_t gfp)
{
	void *p = calloc(nr, size);

	(void)gfp;
	if (!p)
		shim_die(__FILE__, __LINE__, "no memory");
	kunit_add_action(test, free, p);
	return p;
}
