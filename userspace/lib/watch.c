// SPDX-License-Identifier: GPL-2.0
/*
 * Watches. The kernel writes the ring, which is mapped for reading. It does not know the
 * position of the watch, only the head that the last read() returned: until the head is
 * greater, the descriptor is not readable.
 */
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <unistd.h>

#include "internal.h"
#include "ring.h"

struct blinktree_watch {
	int fd;
	const struct blink_tree_watch_ring *ring;
	size_t size;
	__u64 position;
};

static int watch_fd(struct blinktree *tree,
		    const struct blink_tree_ioc_watch *options)
{
	struct blink_tree_ioc_watch arg = { .last = ~0ULL, .last_low = ~0ULL };
	int fd;

	if (options)
		arg = *options;
	fd = blinktree_call(tree->fd, BLINK_TREE_IOC_WATCH, &arg);
	return fd == -ENOTTY ? -EOPNOTSUPP : fd;
}

static void *ring_map(int fd, size_t size)
{
	return mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
}

/* Map the ring, whose begin says how large it is. */
static int watch_map(struct blinktree_watch *watch)
{
	struct blink_tree_watch_ring *ring;

	ring = ring_map(watch->fd, sizeof(*ring));
	if (ring == MAP_FAILED)
		return -errno;
	watch->size = ring->records + ring->slots * ring->record_size;
	munmap(ring, sizeof(*ring));
	ring = ring_map(watch->fd, watch->size);
	if (ring == MAP_FAILED)
		return -errno;
	watch->ring = ring;
	return fcntl(watch->fd, F_SETFL, O_NONBLOCK) ? -errno : 0;
}

int blinktree_watch_open(struct blinktree *tree,
			 const struct blink_tree_ioc_watch *options,
			 struct blinktree_watch **watch)
{
	struct blinktree_watch *new = calloc(1, sizeof(*new));
	int err;

	if (!new)
		return -ENOMEM;
	new->fd = watch_fd(tree, options);
	err = new->fd < 0 ? new->fd : watch_map(new);
	if (err) {
		blinktree_watch_close(new);
		return err;
	}
	*watch = new;
	return 0;
}

void blinktree_watch_close(struct blinktree_watch *watch)
{
	if (!watch)
		return;
	if (watch->ring)
		munmap((void *)watch->ring, watch->size);
	if (watch->fd >= 0)
		close(watch->fd);
	free(watch);
}

/* Read one change, and wait for a writer that is about to write it. */
static int read_one(struct blinktree_watch *watch,
		    struct blink_tree_change *change)
{
	int ret;

	while ((ret = ring_read(watch->ring, watch->position, change)) ==
	       -EAGAIN)
		sched_yield();
	watch->position += ret > 0;
	return ret;
}

/*
 * Let the descriptor be readable only when there are further changes. Returns false if
 * there will be none.
 */
static bool forget_readable(const struct blinktree_watch *watch)
{
	__u64 head;

	return read(watch->fd, &head, sizeof(head));
}

static int read_some(struct blinktree_watch *watch,
		     struct blink_tree_change *changes, unsigned int nr)
{
	unsigned int n;
	int ret = 1;

	for (n = 0; n < nr; n++) {
		ret = read_one(watch, &changes[n]);
		if (ret <= 0)
			break;
	}
	return n ? (int)n : ret;
}

int blinktree_watch_read(struct blinktree_watch *watch,
			 struct blink_tree_change *changes, unsigned int nr)
{
	int ret;

	if (!nr || nr > INT32_MAX)
		return -EINVAL;
	ret = read_some(watch, changes, nr);
	if (!ret) {
		forget_readable(watch);
		/* There can be a change since. */
		ret = read_some(watch, changes, nr);
	}
	if (ret == -EOVERFLOW)
		watch->position = ring_head(watch->ring);
	return ret;
}

int blinktree_watch_wait(struct blinktree_watch *watch, int timeout)
{
	struct pollfd poller = { .fd = watch->fd, .events = POLLIN };
	bool goes_on;
	int ret;

	if (ring_head(watch->ring) > watch->position)
		return 1;
	goes_on = forget_readable(watch);
	if (ring_head(watch->ring) > watch->position)
		return 1;
	if (!goes_on)
		return -EPIPE;
	ret = poll(&poller, 1, timeout);
	if (ret < 0)
		return -errno;
	if (ring_head(watch->ring) > watch->position)
		return 1;
	return poller.revents & POLLHUP ? -EPIPE : ret;
}

int blinktree_watch_fd(const struct blinktree_watch *watch)
{
	return watch->fd;
}

__u64 blinktree_watch_position(const struct blinktree_watch *watch, __u64 *head)
{
	if (head)
		*head = ring_head(watch->ring);
	return watch->position;
}
