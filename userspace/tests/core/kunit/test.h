/* SPDX-License-Identifier: GPL-2.0 */
/*
 * KUnit in userspace: as much of it as the suites of kunit/ use, which are compiled
 * here unchanged. A case, or each parameter of one, is a test of the program's
 * (../kunit.c). As in the kernel, KUNIT_*() are for the test's own thread.
 */
#ifndef TESTS_KUNIT_TEST_H
#define TESTS_KUNIT_TEST_H

#include <linux/err.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/spinlock.h>
#include <linux/slab.h>
#include <stdarg.h>

#include "../test.h"

#define KUNIT_PARAM_DESC_SIZE 128

/**
 * struct kunit - a test while it runs
 * @param_value: its parameter
 */
struct kunit {
	const void *param_value;
};

struct kunit_case {
	void (*run_case)(struct kunit *test);
	const char *name;
	const void *(*generate_params)(const void *last, char *name);
};

struct kunit_suite {
	const char *name;
	int (*suite_init)(struct kunit_suite *suite);
	void (*suite_exit)(struct kunit_suite *suite);
	int (*init)(struct kunit *test);
	struct kunit_case *test_cases;
};

#define KUNIT_CASE(fn) { .run_case = (fn), .name = #fn }
#define KUNIT_CASE_SLOW(fn) KUNIT_CASE(fn)
#define KUNIT_CASE_PARAM_ATTR(fn, params, ...) \
	{ .run_case = (fn), .name = #fn, .generate_params = (params) }

/* @member is a string. */
#define KUNIT_ARRAY_PARAM_DESC(id, array, member)                              \
	static const void *id##_gen_params(const void *last, char *name)       \
	{                                                                      \
		return kunit_next_param(last, name, array, sizeof((array)[0]), \
					ARRAY_SIZE(array),                     \
					offsetof(typeof((array)[0]), member)); \
	}

const void *kunit_next_param(const void *last, char *name, const void *array,
			     size_t size, size_t nr, size_t member);
void kunit_register(struct kunit_suite *suite);

/* The suites of a file are known before the program begins. */
#define kunit_test_suite(suite)                                         \
	__attribute__((constructor)) static void register_##suite(void) \
	{                                                               \
		kunit_register(&(suite));                               \
	}

void __noreturn kunit_end(struct kunit *test);
void kunit_skip(struct kunit *test, const char *why);
void kunit_info(struct kunit *test, const char *format, ...) __printf(2, 3);

int kunit_add_action(struct kunit *test, void (*action)(void *data),
		     void *data);
#define kunit_add_action_or_reset(test, action, data) \
	kunit_add_action(test, action, data)
void *kunit_kcalloc(struct kunit *test, size_t nr, size_t size, gfp_t gfp);
/* It is freed with the test. */
#define kunit_kfree(test, p) ((void)(p))

#define KUNIT_FAIL(test, format, ...) \
	test_fail(__FILE__, __LINE__, format, ##__VA_ARGS__)
#define KUNIT_FAIL_AND_ABORT(test, ...)        \
	do {                                   \
		KUNIT_FAIL(test, __VA_ARGS__); \
		kunit_end(test);               \
	} while (0)

/* Report by @fail, which is one of the two above, unless @good. */
#define kunit_check(fail, test, good, text, format, ...)               \
	do {                                                           \
		if (!(good))                                           \
			fail(test, "%s " format, text, ##__VA_ARGS__); \
	} while (0)
#define kunit_compare(fail, test, a, op, b, format, ...)                 \
	do {                                                             \
		__auto_type kunit_a = (a);                               \
		__auto_type kunit_b = (b);                               \
		kunit_check(fail, test, kunit_a op kunit_b,              \
			    #a " " #op " " #b ":", "%lld, %lld " format, \
			    (long long)kunit_a, (long long)kunit_b,      \
			    ##__VA_ARGS__);                              \
	} while (0)
#define kunit_compare_ptr(fail, test, a, op, b)                       \
	kunit_check(fail, test, (const void *)(a)op(const void *)(b), \
		    #a " " #op " " #b, "")

#define KUNIT_EXPECT_EQ(t, a, b) kunit_compare(KUNIT_FAIL, t, a, ==, b, "")
#define KUNIT_EXPECT_NE(t, a, b) kunit_compare(KUNIT_FAIL, t, a, !=, b, "")
#define KUNIT_EXPECT_LE(t, a, b) kunit_compare(KUNIT_FAIL, t, a, <=, b, "")
#define KUNIT_EXPECT_GE(t, a, b) kunit_compare(KUNIT_FAIL, t, a, >=, b, "")
#define KUNIT_EXPECT_GT(t, a, b) kunit_compare(KUNIT_FAIL, t, a, >, b, "")
#define KUNIT_EXPECT_EQ_MSG(t, a, b, ...) \
	kunit_compare(KUNIT_FAIL, t, a, ==, b, __VA_ARGS__)
#define KUNIT_EXPECT_LE_MSG(t, a, b, ...) \
	kunit_compare(KUNIT_FAIL, t, a, <=, b, __VA_ARGS__)
#define KUNIT_EXPECT_GE_MSG(t, a, b, ...) \
	kunit_compare(KUNIT_FAIL, t, a, >=, b, __VA_ARGS__)
#define KUNIT_EXPECT_TRUE(t, c) kunit_check(KUNIT_FAIL, t, c, #c, "")
#define KUNIT_EXPECT_TRUE_MSG(t, c, ...) \
	kunit_check(KUNIT_FAIL, t, c, #c, __VA_ARGS__)
#define KUNIT_EXPECT_FALSE(t, c) KUNIT_EXPECT_TRUE(t, !(c))
#define KUNIT_EXPECT_PTR_EQ(t, a, b) kunit_compare_ptr(KUNIT_FAIL, t, a, ==, b)
#define KUNIT_EXPECT_NULL(t, p) KUNIT_EXPECT_PTR_EQ(t, p, NULL)

#define KUNIT_ASSERT_EQ(t, a, b) \
	kunit_compare(KUNIT_FAIL_AND_ABORT, t, a, ==, b, "")
#define KUNIT_ASSERT_LE(t, a, b) \
	kunit_compare(KUNIT_FAIL_AND_ABORT, t, a, <=, b, "")
#define KUNIT_ASSERT_GE(t, a, b) \
	kunit_compare(KUNIT_FAIL_AND_ABORT, t, a, >=, b, "")
#define KUNIT_ASSERT_GT(t, a, b) \
	kunit_compare(KUNIT_FAIL_AND_ABORT, t, a, >, b, "")
#define KUNIT_ASSERT_TRUE(t, c) kunit_check(KUNIT_FAIL_AND_ABORT, t, c, #c, "")
#define KUNIT_ASSERT_NOT_NULL(t, p) \
	kunit_compare_ptr(KUNIT_FAIL_AND_ABORT, t, p, !=, NULL)
#define KUNIT_ASSERT_NOT_ERR_OR_NULL(t, p) \
	KUNIT_ASSERT_TRUE(t, (p) && !IS_ERR(p))

#define DIV_ROUND_UP(n, d) (((n) + (d) - 1) / (d))
/* @step is a power of two. */
#define round_down(n, step) ((n) & ~((__typeof__(n))(step) - 1))
#define round_up(n, step) round_down((n) + (step) - 1, step)
#define DEFINE_SPINLOCK(lock) arch_spinlock_t lock = __ARCH_SPIN_LOCK_UNLOCKED
#define spin_lock_bh(lock) (local_bh_disable(), arch_spin_lock(lock))
#define spin_unlock_bh(lock) (arch_spin_unlock(lock), local_bh_enable())
#define vscnprintf vsnprintf
#define scnprintf snprintf

#endif /* TESTS_KUNIT_TEST_H */
