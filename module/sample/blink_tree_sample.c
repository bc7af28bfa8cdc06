// SPDX-License-Identifier: GPL-2.0
/*
 * DOC: A map of address regions
 *
 * A sample user of the tree. It answers: in which region is an address? A *region* is
 * a range of addresses with a name. Regions do not overlap. They are objects of our own;
 * the tree has the range of each, with its pointer as the value.
 *
 * - Looking up takes no lock, nor does walking in order.
 * - Adding takes none either: the tree inserts a range at one moment, if it overlaps with
 *   no other.
 * - Removing takes a mutex, so that no two callers free the same region. It is freed a
 *   grace period later, because lookups may still be reading it.
 *
 * When it is loaded it builds a map, uses it from two threads and checks what
 * comes of it; loading fails if that is wrong. Unloading takes the map down
 * with what is left in it.
 */
#include <linux/blink_range.h>
#include <linux/blink_tree.h>
#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>

#define REGION_NAME_MAX 16

/**
 * struct region - a range of addresses with a name
 * @name: its name
 * @rcu: to be freed after a grace period
 */
struct region {
	char name[REGION_NAME_MAX];
	struct rcu_head rcu;
};

/**
 * struct region_map - regions that do not overlap
 * @tree: the range of each region, with the address of its struct region
 * @lock: held to remove
 */
struct region_map {
	struct blink_tree *tree;
	struct mutex lock; /* see above */
};

static int region_map_init(struct region_map *map)
{
	mutex_init(&map->lock);
	map->tree = blink_tree_create(NULL, GFP_KERNEL);
	return PTR_ERR_OR_ZERO(map->tree);
}

static struct region *region_of(const struct blink_range *range)
{
	return (struct region *)(uintptr_t)range->value;
}

/* The next region from *@key on, which becomes the address behind it. */
static bool region_next(struct region_map *map, u64 *key,
			struct blink_range *range)
{
	if (blink_range_next(map->tree, *key, range))
		return false;
	*key = range->last + 1;
	return true;
}

/**
 * region_map_destroy() - free a map and all its regions
 * @map: the map, which has no user any more
 *
 * The tree does not own the regions: they are freed before it is destroyed.
 *
 * Context: process; sleeps.
 */
static void region_map_destroy(struct region_map *map)
{
	struct blink_range range;
	u64 key = 0;

	while (region_next(map, &key, &range))
		kfree(region_of(&range));
	blink_tree_destroy(map->tree);
	mutex_destroy(&map->lock);
}

/**
 * region_add() - add a region
 * @map: the map
 * @first: its first address
 * @last: its last address, less than U64_MAX
 * @name: its name, cut off if it is too long
 *
 * Context: process; sleeps.
 * Return: 0; -EINVAL if @last is less than @first, or U64_MAX; -EEXIST if it overlaps with
 * another region; -ENOMEM; -EINTR if the task was killed.
 */
static int region_add(struct region_map *map, u64 first, u64 last,
		      const char *name)
{
	struct blink_range range = { first, last };
	struct region *region;
	int ret;

	/* region_next() goes on behind the last address. */
	if (last == U64_MAX)
		return -EINVAL;
	region = kmalloc(sizeof(*region), GFP_KERNEL);
	if (!region)
		return -ENOMEM;
	range.value = (uintptr_t)region;
	/* It is complete before anyone can find it. */
	strscpy(region->name, name, sizeof(region->name));
	ret = blink_range_insert(map->tree, &range, GFP_KERNEL);
	if (ret)
		kfree(region);
	return ret;
}

/**
 * region_remove() - remove a region
 * @map: the map
 * @first: its first address
 *
 * Context: process; sleeps.
 * Return: 0; -ENOENT; -ENOMEM; -EINTR if the task was killed.
 */
static int region_remove(struct region_map *map, u64 first)
{
	struct blink_range range;
	struct region *region;
	int ret;

	mutex_lock(&map->lock);
	ret = blink_range_lookup(map->tree, first, &range);
	region = region_of(&range);
	if (!ret && (!region || range.first != first))
		ret = -ENOENT;
	range.value = 0;
	if (!ret)
		ret = blink_range_store(map->tree, &range, GFP_KERNEL);
	mutex_unlock(&map->lock);
	if (!ret)
		kfree_rcu(region, rcu);
	return ret;
}

/**
 * region_name_of() - the name of the region that an address is in
 * @map: the map
 * @address: the address
 * @name: set to it, REGION_NAME_MAX bytes
 *
 * The name is copied before rcu_read_unlock().
 *
 * Context: process or softirq, with interrupts enabled (elsewhere the tree may
 * be unable to say, and this would take it for a no).
 * Return: whether there is one.
 */
static bool region_name_of(struct region_map *map, u64 address, char *name)
{
	struct blink_range range;
	bool found;

	rcu_read_lock();
	found = !blink_range_lookup(map->tree, address, &range) && range.value;
	if (found)
		strscpy(name, region_of(&range)->name, REGION_NAME_MAX);
	rcu_read_unlock();
	return found;
}

/**
 * region_map_bytes() - how many addresses lie in regions
 * @map: the map
 *
 * Context: as region_name_of().
 * Return: their number.
 */
static u64 region_map_bytes(struct region_map *map)
{
	struct blink_range range;
	u64 bytes = 0, key = 0;

	while (region_next(map, &key, &range))
		bytes += range.last - range.first + 1;
	return bytes;
}

/*
 * The trial at load: REGIONS regions of SIZE addresses, one in each SPACING. Those
 * with an odd number come and go, the others stay, while a thread looks up addresses
 * in all of them.
 */
#define REGIONS 500
#define SIZE 0x1000
#define SPACING 0x4000
#define ROUNDS 4

static struct region_map sample_map;

static u64 region_first(unsigned int i)
{
	return (u64)i * SPACING;
}

static int add_numbered(struct region_map *map, unsigned int i)
{
	char name[REGION_NAME_MAX];

	snprintf(name, sizeof(name), "region-%u", i);
	return region_add(map, region_first(i), region_first(i) + SIZE - 1,
			  name);
}

/* Is the address in region @i? -EIO: it is in another one. */
static int look_up(struct region_map *map, unsigned int i, u64 address)
{
	char name[REGION_NAME_MAX], expected[REGION_NAME_MAX];

	if (!region_name_of(map, address, name))
		return -ENOENT;
	snprintf(expected, sizeof(expected), "region-%u", i);
	return strcmp(name, expected) ? -EIO : 0;
}

/* The reader: regions that stay are found, what is in no region is not. */
static int look_around(void *data)
{
	struct region_map *map = data;
	unsigned int i = 0;
	int error = 0, ret;

	do {
		ret = look_up(map, i, region_first(i) + SIZE / 2);
		if (ret && (ret != -ENOENT || i % 2 == 0))
			error = ret;
		if (look_up(map, i, region_first(i) + SIZE) != -ENOENT)
			error = -EIO;
		i = (i + 1) % REGIONS;
		cond_resched();
	} while (!kthread_should_stop());
	return error;
}

/* The writer: let the odd regions come, and go again. */
static int come_and_go(struct region_map *map)
{
	unsigned int round, i;
	int ret;

	for (round = 0; round < ROUNDS; round++) {
		for (i = 1; i < REGIONS; i += 2) {
			ret = add_numbered(map, i);
			if (ret)
				return ret;
		}
		if (region_map_bytes(map) != (u64)REGIONS * SIZE)
			return -EIO;
		for (i = 1; i < REGIONS; i += 2) {
			ret = region_remove(map, region_first(i));
			if (ret)
				return ret;
		}
		cond_resched();
	}
	return 0;
}

static int try_two_threads(struct region_map *map)
{
	struct task_struct *reader;
	int ret, seen;

	reader = kthread_run(look_around, map, "blink_tree_sample");
	if (IS_ERR(reader))
		return PTR_ERR(reader);
	ret = come_and_go(map);
	seen = kthread_stop(reader);
	/* Stopped before it ran: nothing was seen, and nothing was wrong. */
	if (seen == -EINTR)
		seen = 0;
	return ret ?: seen;
}

/* A region that touches another one overlaps; a region that fits between two does not. */
static int try_overlaps(struct region_map *map)
{
	u64 first = region_first(2);
	int ret;

	if (region_add(map, first, first + SIZE - 1, "same") != -EEXIST ||
	    region_add(map, first + SIZE - 1, first + SIZE, "end") != -EEXIST ||
	    region_add(map, first - 1, first, "begin") != -EEXIST ||
	    region_add(map, first - 1, first + SIZE, "around") != -EEXIST ||
	    region_add(map, first + 1, first + 2, "inside") != -EEXIST ||
	    region_add(map, 0, U64_MAX - 1, "all") != -EEXIST ||
	    region_add(map, first, U64_MAX, "end of all") != -EINVAL ||
	    region_add(map, 2, 1, "backwards") != -EINVAL)
		return -EIO;
	ret = region_add(map, first + SIZE, first + SPACING * 2 - 1, "gap");
	return ret ?: region_remove(map, first + SIZE);
}

static int try_map(struct region_map *map)
{
	unsigned int i;
	int ret;

	for (i = 0; i < REGIONS; i += 2) {
		ret = add_numbered(map, i);
		if (ret)
			return ret;
	}
	ret = try_overlaps(map) ?: try_two_threads(map);
	if (ret)
		return ret;
	/* Each has an entry at its first address, and one behind its last one. */
	if (blink_tree_count(map->tree) != REGIONS ||
	    region_map_bytes(map) != (u64)REGIONS / 2 * SIZE)
		return -EIO;
	return 0;
}

static int __init sample_init(void)
{
	int ret = region_map_init(&sample_map);

	if (ret)
		return ret;
	ret = try_map(&sample_map);
	if (ret) {
		pr_err("blink_tree_sample: the map is wrong: %d\n", ret);
		region_map_destroy(&sample_map);
		return ret;
	}
	pr_info("blink_tree_sample: ok, %llu regions of %llu bytes\n",
		blink_tree_count(sample_map.tree) / 2,
		region_map_bytes(&sample_map));
	return 0;
}

/* Nothing of ours is left to RCU: kfree_rcu() runs no code of this module. */
static void __exit sample_exit(void)
{
	region_map_destroy(&sample_map);
	pr_info("blink_tree_sample: gone\n");
}

module_init(sample_init);
module_exit(sample_exit);

MODULE_DESCRIPTION("A map of address regions: a sample user of blink_tree");
MODULE_LICENSE("GPL");
