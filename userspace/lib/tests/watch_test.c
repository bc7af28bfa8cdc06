// SPDX-License-Identifier: GPL-2.0
/* Reading the ring of a watch, over an ioctl and a ring that are made up. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <linux/blink_tree_watch.h>

#include "../../tests/common/tap.h"
#include "blinktree.h"

#define SLOTS 64U

/* As the kernel has it: a later one may have larger records at another place. */
struct slot {
	struct blink_tree_change change;
	__u64 more[8];
};

static struct ring {
	struct blink_tree_watch_ring head;
	__u64 more[8];
	struct slot slot[SLOTS];
} *ring;

/* The memory of the ring, and the errno of the next watch, or 0. */
static int memory = -1;
static int error;
static struct blink_tree_ioc_watch wanted;

int __wrap_ioctl(int fd, unsigned long request, ...)
{
	va_list list;

	(void)fd;
	if (request != BLINK_TREE_IOC_WATCH)
		return 0;
	va_start(list, request);
	wanted = *va_arg(list, struct blink_tree_ioc_watch *);
	va_end(list);
	errno = error;
	return error ? -1 : dup(memory);
}

static bool ring_begin(void)
{
	FILE *file = tmpfile();

	if (!file || ftruncate(fileno(file), sizeof(*ring)))
		return false;
	memory = fileno(file);
	ring = mmap(NULL, sizeof(*ring), PROT_READ | PROT_WRITE, MAP_SHARED,
		    memory, 0);
	if (ring == MAP_FAILED)
		return false;
	ring->head.records = offsetof(struct ring, slot);
	ring->head.record_size = sizeof(struct slot);
	ring->head.slots = SLOTS;
	return true;
}

/* Write the next record, as the kernel does: its key is its position. */
static void put(void)
{
	__u64 position = ring->head.head++;
	struct blink_tree_change *change = &ring->slot[position % SLOTS].change;

	change->op = BLINK_TREE_CHANGE_UPDATE;
	change->key = position;
	change->last = position;
	change->value = position + 1;
	change->old = position + 2;
	change->seq = 2 * position + 2;
}

static void put_some(unsigned int count)
{
	while (count--)
		put();
}

static bool is_of(const struct blink_tree_change *change, __u64 position)
{
	return change->op == BLINK_TREE_CHANGE_UPDATE &&
	       change->seq == 2 * position + 2 && change->key == position &&
	       change->last == position && change->value == position + 1 &&
	       change->old == position + 2;
}

/* Read all that there is, in parts. Returns the number, or the error. */
static int read_all(struct blinktree_watch *watch, unsigned int part)
{
	struct blink_tree_change changes[SLOTS];
	__u64 position = blinktree_watch_position(watch, NULL);
	int i, n, all = 0;

	while ((n = blinktree_watch_read(watch, changes, part)) > 0) {
		for (i = 0; i < n; i++)
			tap_check(is_of(&changes[i], position++));
		all += n;
	}
	return n ? n : all;
}

static void opening(struct blinktree *tree)
{
	const struct blink_tree_ioc_watch options = { .slots = SLOTS,
						      .first = 3,
						      .last = 4 };
	struct blinktree_watch *watch = NULL;

	error = EUSERS;
	tap_check(blinktree_watch_open(tree, NULL, &watch) == -EUSERS);
	/* A module that is older than the ioctl. */
	error = ENOTTY;
	tap_check(blinktree_watch_open(tree, NULL, &watch) == -EOPNOTSUPP);
	tap_check(!watch);
	error = 0;
	tap_check(!blinktree_watch_open(tree, NULL, &watch));
	tap_check(!wanted.first && wanted.last == ~0ULL);
	blinktree_watch_close(watch);
	tap_check(!blinktree_watch_open(tree, &options, &watch));
	tap_check(wanted.slots == SLOTS && wanted.first == 3 &&
		  wanted.last == 4);
	blinktree_watch_close(watch);
	blinktree_watch_close(NULL);
	tap_case("a watch is opened for a range, or for all keys");
}

static void in_order(struct blinktree_watch *watch)
{
	struct blink_tree_change change;
	__u64 head;

	tap_check(blinktree_watch_read(watch, &change, 0) == -EINVAL);
	tap_check(!read_all(watch, 1));
	put_some(10);
	tap_check(blinktree_watch_wait(watch, 0) == 1);
	tap_check(read_all(watch, 3) == 10);
	put_some(SLOTS);
	tap_check(read_all(watch, SLOTS) == SLOTS);
	tap_check(blinktree_watch_position(watch, &head) == head);
	tap_check(head == 10 + SLOTS);
	tap_case("changes come in order, over the end of the ring");
}

/* Each of them is told once, and the watch goes on at the head. */
static void overrun(struct blinktree_watch *watch)
{
	__u64 head;

	tap_check(read_all(watch, SLOTS) == -EOVERFLOW);
	tap_check(blinktree_watch_position(watch, &head) == head);
	tap_check(head == ring->head.head);
	tap_check(!read_all(watch, SLOTS));
	put();
	tap_check(read_all(watch, SLOTS) == 1);
}

static void overruns(struct blinktree_watch *watch)
{
	put_some(SLOTS + 1);
	overrun(watch);
	tap_case("a watch that is a lap behind has missed changes");
	/* Its writer found the slot in use, so it wrote no record. */
	ring->head.lost = ++ring->head.head;
	overrun(watch);
	tap_case("a record that was never written is missed");
	/* A later record is being written where the next one was. */
	put();
	ring->slot[(ring->head.head - 1) % SLOTS].change.seq += 2 * SLOTS - 1;
	overrun(watch);
	tap_case("a slot in which a writer is busy has no record");
}

/* A descriptor without changes to come is at its end, as a pipe without writers is. */
static void end(struct blinktree *tree)
{
	struct blinktree_watch *watch;
	int empty = open("/dev/null", O_RDONLY);
	struct blink_tree_change change;

	tap_check(!blinktree_watch_open(tree, NULL, &watch));
	put();
	tap_check(dup2(empty, blinktree_watch_fd(watch)) >= 0);
	tap_check(blinktree_watch_wait(watch, -1) == 1);
	while (blinktree_watch_read(watch, &change, 1))
		;
	tap_check(blinktree_watch_wait(watch, -1) == -EPIPE);
	tap_check(!blinktree_watch_read(watch, &change, 1));
	tap_check(blinktree_watch_wait(watch, 0) == -EPIPE);
	blinktree_watch_close(watch);
	close(empty);
	tap_case("a watch of a tree that cannot change is over");
}

int main(void)
{
	struct blinktree_watch *watch;
	struct blinktree *tree;

	tap_begin(6);
	if (!ring_begin() ||
	    blinktree_from_fd(open("/dev/null", O_RDONLY), &tree))
		return 1;
	opening(tree);
	if (blinktree_watch_open(tree, NULL, &watch))
		return 1;
	in_order(watch);
	overruns(watch);
	blinktree_watch_close(watch);
	end(tree);
	blinktree_close(tree);
	return tap_exit(6);
}
