// SPDX-License-Identifier: GPL-2.0
/*
 * The budgets of the module and of users (payer.h). A lock guards the table of
 * users and their counts of trees. The last tree of a user may end in an RCU
 * callback: hence bottom halves are off where the lock is held.
 */
#include <linux/bug.h>
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/err.h>
#include <linux/math.h>
#include <linux/mm.h>
#include <linux/rbtree.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/user_namespace.h>

#include "../core/tree/charge.h"
#include "payer.h"

/*
 * A part of the memory, for as long as the memory is not known: parameters of what is
 * built into the kernel are read so early. No number of bytes is so great.
 */
#define PERCENT(n) (U64_MAX - (n))

u64 blink_max_bytes = PERCENT(BLINK_MAX_BYTES_PERCENT);
u64 blink_user_max_bytes = PERCENT(BLINK_USER_MAX_BYTES_PERCENT);

static bool memory_known;

/**
 * struct user - a user who has created trees
 * @budget: what they are charged to
 * @ns: the user namespace that stands for a user, or NULL
 * @uid: the user, INVALID_UID if @ns does
 * @trees: how many there are of them
 * @by_uid: its place in the table
 */
struct user {
	struct blink_budget budget;
	struct user_namespace *ns;
	kuid_t uid;
	unsigned long trees;
	struct rb_node by_uid;
};

static DEFINE_SPINLOCK(users_lock);
static struct rb_root users = RB_ROOT;

static struct blink_budget all_trees = {
	.limit = &blink_max_bytes,
	.error = -ENOMEM,
};

static int user_cmp(struct rb_node *a, const struct rb_node *b)
{
	const struct user *user = rb_entry(a, struct user, by_uid);
	const struct user *other = rb_entry(b, struct user, by_uid);

	if (user->ns != other->ns)
		return user->ns < other->ns ? -1 : 1;
	if (uid_eq(user->uid, other->uid))
		return 0;
	return uid_lt(user->uid, other->uid) ? -1 : 1;
}

/*
 * The user that the caller is to others. In a user namespace one has many ids, and
 * would have a budget for each: so the user who made the outermost one pays; or, if
 * that was root, the namespace itself does: a container.
 */
static void user_identify(struct user *user)
{
	struct user_namespace *ns = current_user_ns(), *outer = NULL;

	for (; ns != &init_user_ns; ns = ns->parent)
		outer = ns;
	user->uid = outer ? outer->owner : current_fsuid();
	if (outer && uid_eq(outer->owner, GLOBAL_ROOT_UID)) {
		user->uid = INVALID_UID;
		user->ns = get_user_ns(outer);
	}
}

static struct user *user_new(void)
{
	struct user *user = kzalloc(sizeof(*user), GFP_KERNEL_ACCOUNT);

	if (!user)
		return NULL;
	user_identify(user);
	user->trees = 1;
	user->budget.parent = &all_trees;
	user->budget.limit = &blink_user_max_bytes;
	user->budget.error = -EDQUOT;
	user->budget.put = blink_payer_put;
	return user;
}

/* In any context that RCU callbacks run in. */
static void user_free(struct user *user)
{
	if (user->ns)
		put_user_ns(user->ns);
	kfree(user);
}

/**
 * blink_payer_get() - the budget that pays for a tree of the caller's
 *
 * Context: process context.
 * Return: the budget with a reference, for blink_payer_put(), or
 * ERR_PTR(-ENOMEM).
 */
struct blink_budget *blink_payer_get(void)
{
	struct user *user;
	struct rb_node *node;

	/* Of one who was not asked: a capability that is missing is not audited. */
	if (ns_capable_noaudit(&init_user_ns, CAP_SYS_RESOURCE))
		return &all_trees;
	user = user_new();
	if (!user)
		return ERR_PTR(-ENOMEM);
	spin_lock_bh(&users_lock);
	node = rb_find_add(&user->by_uid, &users, user_cmp);
	if (node)
		rb_entry(node, struct user, by_uid)->trees++;
	spin_unlock_bh(&users_lock);
	if (!node)
		return &user->budget;
	user_free(user);
	return &rb_entry(node, struct user, by_uid)->budget;
}

/**
 * blink_payer_put() - drop a reference to a payer
 * @payer: the budget
 *
 * Context: any but hard interrupts and NMI.
 */
void blink_payer_put(struct blink_budget *payer)
{
	struct user *user = container_of(payer, struct user, budget);
	bool last;

	if (payer == &all_trees)
		return;
	spin_lock_bh(&users_lock);
	last = !--user->trees;
	if (last)
		rb_erase(&user->by_uid, &users);
	spin_unlock_bh(&users_lock);
	if (!last)
		return;
	WARN_ON_ONCE(atomic_long_read(&payer->used));
	user_free(user);
}

/**
 * blink_memory_share() - a limit that is a part of the machine's memory
 * @percent: how many hundredths
 *
 * Context: any.
 * Return: bytes, 1 at least, which is not 0: no limit; before blink_payers_init()
 * what that makes bytes of.
 */
u64 blink_memory_share(unsigned int percent)
{
	if (!memory_known)
		return PERCENT(percent);
	return mult_frac((u64)totalram_pages() << PAGE_SHIFT, percent, 100) ?:
									      1;
}

static void __init limit_make_bytes(u64 *limit)
{
	if (*limit >= PERCENT(100))
		*limit = blink_memory_share(U64_MAX - *limit);
}

/**
 * blink_payers_init() - make bytes of limits that are parts of the memory
 *
 * Context: process context.
 */
void __init blink_payers_init(void)
{
	memory_known = true;
	limit_make_bytes(&blink_max_bytes);
	limit_make_bytes(&blink_user_max_bytes);
}

/**
 * blink_payers_exit() - see that everything was given back
 *
 * Context: process context; no tree is left, nor memory of one.
 */
void blink_payers_exit(void)
{
	WARN_ON(!RB_EMPTY_ROOT(&users));
	WARN_ON(atomic_long_read(&all_trees.used));
}
