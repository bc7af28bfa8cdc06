// SPDX-License-Identifier: GPL-2.0
/*
 * Fingers: floors and ceilings that begin where the last one ended.
 *
 * A finger remembers the leaf of its entry, and the inner node of level 1 through
 * which the descent came. They are places where a search can begin, and no more:
 * each step reads the leaf in a read section of its own, so that it finds what is in
 * the tree now, as every floor and ceiling does. A leaf with low < key is such a
 * place even if it was split or has died since (I3, I5), as long as RCU keeps it.
 *
 * Linearization points: those of floor and ceiling. If the leaf that covers the key
 * has the answer, they are in step_look(), and otherwise in nearest.c.
 */
#include <linux/errno.h>
#include <linux/export.h>

#include "../index/near.h"
#include "at_leaf.h"

/*
 * A step of a finger that was at slot @at. After a look at the leaf that covers @key:
 * @found, with the slot @pos and @entry; or the leaf does not have the answer.
 */
struct step {
	blink_key_t key;
	bool below;
	unsigned int at;
	bool found;
	unsigned int pos;
	struct blink_tree_entry entry;
};

/*
 * The position of the first key that is not less than the step's. It is usually the
 * slot where the finger was or one beside it, as the keys there show.
 */
static __always_inline unsigned int step_search(const struct step *step,
						const struct blink_node *leaf,
						unsigned int form)
{
	unsigned int pos = min(step->at, BLINK_LEAF_SLOTS - 1U);

	if (unlikely(form))
		return blink_leaf_search(leaf, form, step->key);
	if (!step->below)
		pos = min(pos + 1, BLINK_LEAF_SLOTS - 1U);
	else if (pos && !blink_key_less(blink_slot_key(leaf, pos - 1, true),
					step->key))
		pos--;
	if (!blink_key_less(blink_slot_key(leaf, pos, true), step->key) &&
	    (!pos ||
	     blink_key_less(blink_slot_key(leaf, pos - 1, true), step->key)))
		return pos;
	return blink_leaf_search(leaf, 0, step->key);
}

static __always_inline void step_look(struct blink_node *leaf, void *arg)
{
	struct step *step = arg;
	unsigned int form = blink_leaf_form(leaf);
	unsigned int pos = step_search(step, leaf, form);

	step->found =
		blink_leaf_nearest(leaf, form, step->key, step->below, &pos);
	if (!step->found)
		return;
	step->pos = pos;
	step->entry.key = blink_leaf_key(leaf, form, pos);
	/* LP: finger (entry in the leaf that covers the key) */
	step->entry.value = blink_leaf_value(leaf, form, pos);
}

/*
 * Whether a step can begin at a leaf: it, or the next one, seems to cover the key. From
 * a leaf further to the left the way can be long.
 */
static __always_inline bool leaf_is_near(const struct blink_node *leaf,
					 blink_key_t key)
{
	blink_bound_t high = blink_node_high(leaf);

	return blink_node_leads(leaf, key) &&
	       (!blink_bound_less(high, key) ||
		blink_key_equal(key, blink_key_after(high)));
}

static __always_inline void finger_put(struct blink_finger *finger,
				       blink_key_t key, struct blink_node *leaf,
				       unsigned int pos)
{
	finger->key = key;
	finger->placed = true;
	finger->leaf = leaf;
	finger->pos = pos;
}

/*
 * A step that does not end in the leaf of the finger. @leaf: where to begin, or NULL to
 * begin further above.
 */
static int finger_far(struct blink_finger *finger, struct blink_node *leaf,
		      blink_key_t key, bool below,
		      struct blink_tree_entry *entry)
{
	struct blink_place place = {
		.leaf = leaf,
		.walk = { .idx = finger->idx, .parent = finger->parent },
	};
	int ret;

	if (!blink_tree_fits(finger->tree))
		return -EOPNOTSUPP;
	ret = blink_nearest_from(finger->tree, &place, key, below, entry);
	if (ret)
		return ret;
	finger_put(finger, entry->key, place.leaf, 0);
	finger->parent = place.walk.parent;
	finger->idx = place.walk.idx;
	return 0;
}

/* Find an entry, and put the finger there. After an error the finger is where it was. */
static __always_inline int finger_to(struct blink_finger *finger,
				     blink_key_t key, bool below,
				     struct blink_tree_entry *entry)
{
	struct step step = { .key = key, .below = below, .at = finger->pos };
	struct blink_node *leaf = finger->leaf;
	u32 seq;

	RCU_LOCKDEP_WARN(!rcu_read_lock_held(),
			 "a step of a finger outside of an RCU read section");
	if (unlikely(!leaf || !leaf_is_near(leaf, key)))
		return finger_far(finger, NULL, key, below, entry);
	leaf = blink_read_covering(finger->tree, leaf, key, step_look, &step,
				   &seq);
	if (unlikely(!leaf))
		return -EAGAIN;
	if (unlikely(!step.found))
		return finger_far(finger, leaf, key, below, entry);
	finger_put(finger, step.entry.key, leaf, step.pos);
	*entry = step.entry;
	return 0;
}

/**
 * blink_finger_floor() - move a finger to the greatest key not above a key
 * @finger: the finger
 * @key: the key
 * @entry: set to the key found and its value
 *
 * Close to the finger this costs no descent.
 *
 * Context: as blink_tree_lookup(), inside an RCU read section of the caller; @finger
 * belongs to the caller.
 * Return: 0; -ENOENT if every key is above; -EOPNOTSUPP and -EAGAIN as
 * blink_tree_lookup(). After an error the finger is where it was.
 */
int blink_finger_floor(struct blink_finger *finger, blink_key_t key,
		       struct blink_tree_entry *entry)
{
	return finger_to(finger, key, true, entry);
}
EXPORT_SYMBOL_GPL(blink_finger_floor);

/**
 * blink_finger_ceiling() - move a finger to the least key not below a key
 * @finger: the finger
 * @key: the key
 * @entry: set to the key found and its value
 *
 * Close to the finger this costs no descent.
 *
 * Context: as blink_finger_floor().
 * Return: 0; -ENOENT if every key is below; -EOPNOTSUPP and -EAGAIN as
 * blink_tree_lookup(). After an error the finger is where it was.
 */
int blink_finger_ceiling(struct blink_finger *finger, blink_key_t key,
			 struct blink_tree_entry *entry)
{
	return finger_to(finger, key, false, entry);
}
EXPORT_SYMBOL_GPL(blink_finger_ceiling);

/**
 * blink_finger_next() - move a finger to the next entry
 * @finger: the finger
 * @entry: set to the entry with the least key above that of the finger
 *
 * The entry where the finger was can have been erased meanwhile.
 *
 * Context: as blink_finger_floor().
 * Return: 0; -ENOENT if there is no such key; -EOPNOTSUPP and -EAGAIN as
 * blink_tree_lookup(). After an error the finger is where it was.
 */
int blink_finger_next(struct blink_finger *finger,
		      struct blink_tree_entry *entry)
{
	if (!finger->placed)
		return finger_to(finger, 0, false, entry);
	if (blink_key_equal(finger->key, BLINK_KEY_GREATEST))
		return -ENOENT;
	return finger_to(finger, blink_key_next(finger->key), false, entry);
}
EXPORT_SYMBOL_GPL(blink_finger_next);

/**
 * blink_finger_prev() - move a finger to the previous entry
 * @finger: the finger
 * @entry: set to the entry with the greatest key below that of the finger
 *
 * The entry where the finger was can have been erased meanwhile.
 *
 * Context: as blink_finger_floor().
 * Return: 0; -ENOENT if there is no such key; -EOPNOTSUPP and -EAGAIN as
 * blink_tree_lookup(). After an error the finger is where it was.
 */
int blink_finger_prev(struct blink_finger *finger,
		      struct blink_tree_entry *entry)
{
	if (!finger->placed)
		return finger_to(finger, BLINK_KEY_GREATEST, true, entry);
	if (blink_key_least(finger->key))
		return -ENOENT;
	return finger_to(finger, blink_key_prev(finger->key), true, entry);
}
EXPORT_SYMBOL_GPL(blink_finger_prev);
