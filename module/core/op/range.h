/* SPDX-License-Identifier: GPL-2.0 */
/* Reading ranges (range.c), also before they are changed (range_store.c). */
#ifndef BLINK_CORE_RANGE_H
#define BLINK_CORE_RANGE_H

#include "../key/key.h"

/**
 * struct blink_range_view - the boundaries around a key, at one moment
 * @before: the greatest key that is not above it, with its value, if @has_before
 * @next: the least key above it, if @has_next
 * @has_before: there is such a key
 * @has_next: there is such a key
 */
struct blink_range_view {
	struct blink_tree_entry before;
	blink_key_t next;
	bool has_before;
	bool has_next;
};

/* The value of the range, or 0 for a hole. */
static inline u64 blink_range_value(const struct blink_range_view *view)
{
	return view->has_before ? view->before.value : 0;
}

/* Its least and its greatest key. */
static inline blink_key_t blink_range_first(const struct blink_range_view *view)
{
	return view->has_before ? view->before.key : BLINK_KEY_LEAST;
}

static inline blink_key_t blink_range_last(const struct blink_range_view *view)
{
	return view->has_next ? view->next - 1 : BLINK_KEY_GREATEST;
}

int blink_range_view(struct blink_tree *tree, blink_key_t key,
		     struct blink_range_view *view);

#endif /* BLINK_CORE_RANGE_H */
