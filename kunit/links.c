// SPDX-License-Identifier: GPL-2.0
/*
 * Trees whose entries are objects of the caller (struct blink_bytes_link): the results
 * of searches, the objects that the tree refuses, the release of each object, once, and
 * readers that use the objects that they find.
 */
#define KEYS_OWN_NAMES
#include <linux/err.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "strings.h"
#include "threads.h"

#define SET_SIZE 2000

#define ALIVE 0x616c697665ULL
#define GONE 0x676f6e65ULL

/**
 * struct object - an object of the caller
 * @state: ALIVE until it is released
 * @number: the number of its key
 * @link: its link
 */
struct object {
	u64 state;
	unsigned int number;
	struct blink_bytes_link link;
};

static atomic_t released;

static void release(struct blink_bytes_link *link)
{
	struct object *object = container_of(link, struct object, link);

	WRITE_ONCE(object->state, GONE);
	kfree(object);
	atomic_inc(&released);
}

static struct object *make(struct blink_bytes_key key, unsigned int number)
{
	struct object *object =
		kmalloc(sizeof(*object) + key.length, GFP_KERNEL);

	if (!object)
		return NULL;
	object->state = ALIVE;
	object->number = number;
	memcpy(object->link.key, key.data, key.length);
	return object;
}

static struct object *object_of(u64 value)
{
	return container_of(blink_bytes_link(value), struct object, link);
}

static struct blink_tree *links_tree(struct kunit *test)
{
	struct blink_tree_params params = {
		.key = BLINK_TREE_KEY_BYTES,
		.release = release,
	};

	atomic_set(&released, 0);
	return fixture_tree_with(test, &params);
}

/* Add the object of a key. Returns as blink_tree_bytes_link(). */
static int add(struct blink_tree *tree, const struct strings *set,
	       unsigned int i)
{
	struct object *object = make(set->key[i], i);
	int ret;

	if (!object)
		return -ENOMEM;
	ret = blink_tree_bytes_link(tree, &object->link, set->key[i].length,
				    GFP_KERNEL);
	if (ret)
		kfree(object);
	return ret;
}

/* Look at an object for a while, so that others are likely to remove it meanwhile. */
static bool intact(const struct object *object, struct blink_bytes_key key,
		   unsigned int number)
{
	unsigned int i;

	for (i = 0; i < 50; i++) {
		if (READ_ONCE(object->state) != ALIVE ||
		    READ_ONCE(object->number) != number ||
		    memcmp(object->link.key, key.data, key.length))
			return false;
		cpu_relax();
	}
	return true;
}

/* Find the object of a key, and remove it or not. Returns 0 or a negative errno. */
static int visit(struct blink_tree *tree, const struct strings *set,
		 unsigned int i, bool removes)
{
	struct object *object;
	u64 value;
	int ret;

	rcu_read_lock();
	ret = blink_tree_bytes_lookup(tree, set->key[i], &value);
	if (!ret) {
		object = object_of(value);
		if (!intact(object, set->key[i], i))
			ret = -EUCLEAN;
		else if (removes)
			ret = blink_tree_bytes_unlink(tree, &object->link);
	}
	rcu_read_unlock();
	return ret;
}

static void found_and_released(struct kunit *test)
{
	struct blink_tree *tree = links_tree(test);
	struct rnd_state rnd;
	struct strings *set;
	unsigned int i;

	fixture_seed(test, &rnd);
	set = strings_create(test, STRINGS_PATHS, SET_SIZE, &rnd);
	for (i = 0; i < set->nr; i++)
		if (add(tree, set, i))
			fixture_fail_at(test, i, "not added");
	for (i = 0; i < set->nr; i++) {
		if (add(tree, set, i) != -EEXIST)
			fixture_fail_at(test, i, "added twice");
		if (visit(tree, set, i, false))
			fixture_fail_at(test, i, "not found");
	}
	fixture_content(test, tree, set->nr);
	KUNIT_EXPECT_EQ(test, atomic_read(&released), 0);
	for (i = 0; i < set->nr; i++)
		if (visit(tree, set, i, true) ||
		    visit(tree, set, i, true) != -ENOENT)
			fixture_fail_at(test, i, "not removed once");
	fixture_content(test, tree, 0);
	/* Some are low keys of nodes that are left, or that an index leads to. */
	KUNIT_EXPECT_GT(test, atomic_read(&released), set->nr / 2);
}

/* A tree of a test that destroys it, with the objects of a set. */
static struct blink_tree *filled_tree(struct kunit *test, struct strings **set)
{
	struct blink_tree_params params = world_params(test);
	struct blink_tree *tree;
	struct rnd_state rnd;
	unsigned int i;

	params.flags &= ~BLINK_TREE_COMPRESS;
	params.key = BLINK_TREE_KEY_BYTES;
	params.release = release;
	atomic_set(&released, 0);
	fixture_seed(test, &rnd);
	*set = strings_create(test, STRINGS_SHORT, SET_SIZE, &rnd);
	tree = blink_tree_create(&params, GFP_KERNEL);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, tree);
	for (i = 0; i < (*set)->nr; i++)
		KUNIT_EXPECT_EQ(test, add(tree, *set, i), 0);
	return tree;
}

/* A tree that is destroyed releases what it contains, each object once. */
static void released_at_the_end(struct kunit *test)
{
	struct strings *set;
	struct blink_tree *tree = filled_tree(test, &set);
	unsigned int i;

	for (i = 0; i < set->nr; i += 3)
		KUNIT_EXPECT_EQ(test, visit(tree, set, i, true), 0);
	blink_tree_destroy(tree);
	blink_tree_barrier();
	KUNIT_EXPECT_EQ(test, atomic_read(&released), set->nr);
}

/* Without dead nodes no object waits for a grace period: low keys do not, either. */
static void released_at_once(struct kunit *test)
{
	struct strings *set;
	struct blink_tree *tree = filled_tree(test, &set);

	blink_tree_barrier();
	KUNIT_EXPECT_EQ(test, blink_tree_limbo(tree), 0);
	KUNIT_EXPECT_EQ(test, atomic_read(&released), 0);
	blink_tree_destroy(tree);
	KUNIT_EXPECT_EQ(test, atomic_read(&released), set->nr);
}

/* An object with an equal key is another object. */
static void other_object(struct kunit *test)
{
	struct blink_bytes_key key = blink_bytes_key("key", 3);
	struct blink_tree *tree = links_tree(test);
	struct object *first = make(key, 1), *second = make(key, 2);
	struct blink_bytes_scan *scan;

	KUNIT_ASSERT_NOT_NULL(test, first);
	KUNIT_ASSERT_NOT_NULL(test, second);
	scan = fixture_alloc(test, 1, sizeof(*scan));
	KUNIT_EXPECT_EQ(
		test, blink_tree_bytes_link(tree, &first->link, 3, GFP_KERNEL),
		0);
	KUNIT_EXPECT_EQ(
		test, blink_tree_bytes_link(tree, &second->link, 3, GFP_KERNEL),
		-EEXIST);
	KUNIT_EXPECT_EQ(test, blink_tree_bytes_unlink(tree, &second->link),
			-ENOENT);
	kfree(second);
	scan->first = blink_bytes_key("", 0);
	KUNIT_EXPECT_EQ(test, blink_tree_bytes_erase_range(tree, scan, NULL, 9),
			1);
	blink_tree_barrier();
	KUNIT_EXPECT_EQ(test, atomic_read(&released), 1);
}

#define EXPECT_REFUSED(test, call) KUNIT_EXPECT_EQ(test, (call), -EOPNOTSUPP)

/* Functions that write values, and trees that take no objects. */
static void links_refused(struct kunit *test)
{
	struct blink_bytes_key key = blink_bytes_key("key", 3);
	struct blink_tree_params params = { .release = release };
	struct blink_tree *tree = links_tree(test), *plain = strings_tree(test);
	struct object *object = make(key, 1);
	u64 value = 1;

	KUNIT_ASSERT_NOT_NULL(test, object);
	EXPECT_REFUSED(test,
		       blink_tree_bytes_insert(tree, key, 1, NULL, GFP_KERNEL));
	EXPECT_REFUSED(test,
		       blink_tree_bytes_store(tree, key, 1, NULL, GFP_KERNEL));
	EXPECT_REFUSED(test, blink_tree_bytes_replace(tree, key, 1, NULL));
	EXPECT_REFUSED(test, blink_tree_bytes_cmpxchg(tree, key, &value, 2));
	EXPECT_REFUSED(test, blink_tree_bytes_erase(tree, key, NULL));
	EXPECT_REFUSED(test, blink_tree_bytes_link(plain, &object->link, 3,
						   GFP_KERNEL));
	EXPECT_REFUSED(test, blink_tree_bytes_unlink(plain, &object->link));
	KUNIT_EXPECT_EQ(test,
			blink_tree_bytes_link(tree, &object->link,
					      BLINK_BYTES_MAX + 1, GFP_KERNEL),
			-EINVAL);
	kfree(object);
	KUNIT_EXPECT_PTR_EQ(test, blink_tree_create(&params, GFP_KERNEL),
			    ERR_PTR(-EINVAL));
	params.key = BLINK_TREE_KEY_BYTES;
	params.flags = BLINK_TREE_BYTE_VALUES;
	KUNIT_EXPECT_PTR_EQ(test, blink_tree_create(&params, GFP_KERNEL),
			    ERR_PTR(-EINVAL));
}

/* Each leader has the keys whose numbers have its remainder. */
static void link_and_unlink(struct thread *me)
{
	const struct strings *set = me->arg;
	unsigned int i = me->id, rounds = world_work(5000);

	while (rounds-- && thread_goes_on(me)) {
		if (add(me->threads->tree, set, i) ||
		    visit(me->threads->tree, set, i, true))
			thread_fail(me, "key %u: not added and removed", i);
		i = i + me->nr < set->nr ? i + me->nr : me->id;
	}
}

static void follow_links(struct thread *me)
{
	const struct strings *set = me->arg;
	int ret;

	while (thread_goes_on(me)) {
		ret = visit(me->threads->tree, set,
			    fixture_below(&me->rnd, set->nr), false);
		if (ret && ret != -ENOENT)
			thread_fail(me, "reader: %d", ret);
	}
}

static void readers_use_objects(struct kunit *test)
{
	struct blink_tree *tree = links_tree(test);
	struct threads *threads = threads_create(test, tree);
	struct strings *set;
	struct rnd_state rnd;

	fixture_seed(test, &rnd);
	set = strings_create(test, STRINGS_SHORT, 300, &rnd);
	threads_lead(threads, max(world_cpus() / 2, 2U), link_and_unlink, set);
	threads_follow(threads, max(world_cpus() / 2, 2U), follow_links, set);
	threads_run(threads);
	fixture_content(test, tree, 0);
}

#define CASES                                                            \
	KUNIT_CASE(found_and_released), KUNIT_CASE(released_at_the_end), \
		KUNIT_CASE(released_at_once), KUNIT_CASE(other_object),  \
		KUNIT_CASE(links_refused),                               \
		KUNIT_CASE_SLOW(readers_use_objects)

FIXTURE_SUITE("links", CASES);
FIXTURE_SUITE("links-inner", CASES);
FIXTURE_SUITE("links-full", CASES);
