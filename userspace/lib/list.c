// SPDX-License-Identifier: GPL-2.0
/*
 * Listing the named trees. Each ioctl fetches a *window* of entries. The id of the last
 * entry is the *cursor* for the next window.
 */
#include "internal.h"

#define WINDOW 64

struct blinktree_list {
	int fd;
	__u32 flags;
	bool end;
	__u64 cursor;
	size_t next;
	size_t count;
	struct blink_tree_list_entry entries[WINDOW];
};

static int list_open(struct blinktree_ctl *ctl, __u32 flags,
		     struct blinktree_list **list)
{
	struct blinktree_list *new = calloc(1, sizeof(*new));

	if (!new)
		return -ENOMEM;
	new->fd = ctl->fd;
	new->flags = flags;
	*list = new;
	return 0;
}

int blinktree_list_open(struct blinktree_ctl *ctl, struct blinktree_list **list)
{
	return list_open(ctl, 0, list);
}

int blinktree_list_open_below(struct blinktree_ctl *ctl,
			      struct blinktree_list **list)
{
	return list_open(ctl, BLINK_TREE_LIST_BELOW, list);
}

static int fetch(struct blinktree_list *list)
{
	struct blink_tree_ioc_list arg = {
		.flags = list->flags,
		.capacity = WINDOW,
		.trees = (uintptr_t)list->entries,
		.cursor = list->cursor,
		.entry_size = sizeof(list->entries[0]),
	};
	int err = blinktree_call(list->fd, BLINK_TREE_IOC_LIST, &arg);

	if (err)
		return err;
	list->cursor = arg.cursor;
	list->end = arg.count < WINDOW;
	list->count = arg.count;
	list->next = 0;
	return 0;
}

int blinktree_list_next(struct blinktree_list *list,
			const struct blink_tree_list_entry **entry)
{
	int err;

	if (list->next == list->count && !list->end) {
		err = fetch(list);
		if (err)
			return err;
	}
	if (list->next == list->count)
		return 0;
	*entry = &list->entries[list->next++];
	return 1;
}

void blinktree_list_close(struct blinktree_list *list)
{
	free(list);
}
