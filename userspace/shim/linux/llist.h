/* SPDX-License-Identifier: GPL-2.0 */
/* Lists that any thread adds to, and that one thread takes as a whole. */
#ifndef SHIM_LINUX_LLIST_H
#define SHIM_LINUX_LLIST_H

#include <linux/compiler.h>

struct llist_node {
	struct llist_node *next;
};

struct llist_head {
	struct llist_node *first;
};

#define llist_entry(ptr, type, member) container_of(ptr, type, member)

static inline void init_llist_head(struct llist_head *head)
{
	head->first = NULL;
}

static inline bool llist_empty(const struct llist_head *head)
{
	return !READ_ONCE(head->first);
}

/* Fully ordered, as in the kernel. Return: whether the list was empty. */
static inline bool llist_add(struct llist_node *node, struct llist_head *head)
{
	struct llist_node *first = READ_ONCE(head->first);

	do {
		WRITE_ONCE(node->next, first);
		shim_point();
	} while (!__atomic_compare_exchange_n(&head->first, &first, node, false,
					      __ATOMIC_SEQ_CST,
					      __ATOMIC_RELAXED));
	return !first;
}

static inline struct llist_node *llist_del_all(struct llist_head *head)
{
	shim_point();
	return __atomic_exchange_n(&head->first, NULL, __ATOMIC_SEQ_CST);
}

static inline struct llist_node *llist_reverse_order(struct llist_node *node)
{
	struct llist_node *reversed = NULL, *next;

	for (; node; node = next) {
		next = node->next;
		node->next = reversed;
		reversed = node;
	}
	return reversed;
}

#endif /* SHIM_LINUX_LLIST_H */
