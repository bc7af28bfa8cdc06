// SPDX-License-Identifier: GPL-2.0
/*
 * The budgets of the module and of users (payer.h). A spinlock protects the
 * table of users and their counts of trees. The last tree of a user can end in
 * an RCU callback, so holders of the lock disable bottom halves.
 */
#include <linux/bug.h>
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/math.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/rbtree.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/user_namespace.h>

#include "../core/tree/charge.h"
#include "payer.h"

/*
 * A share of the memory, before the amount of memory is known: parameters of
 * built-in code are parsed early. No number of bytes is this large.
 */
#define PERCENT(n) (U64_MAX - (n))

u64 blink_max_bytes = PERCENT(BLINK_MAX_BYTES_PERCENT);
u64 blink_user_max_bytes = PERCENT(BLINK_USER_MAX_BYTES_PERCENT);

static bool memory_known;

/**
 * struct tree_user - a user who has created trees
 * @budget: the budget to which the trees are charged
 * @ns: the user namespace that is charged in place of a user, or NULL
 * @uid: the user, INVALID_UID with @ns
 * @trees: number of trees
 * @by_uid: its place in the table
 */
struct tree_user {
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

/* Those of all users. The rest is for creators with CAP_SYS_RESOURCE. */
static struct blink_budget all_users = {
	.parent = &all_trees,
	.limit = &blink_max_bytes,
	.reserve = BLINK_RESERVE_SHIFT,
	.error = -ENOMEM,
};

static int user_cmp(struct rb_node *a, const struct rb_node *b)
{
	const struct tree_user *user = rb_entry(a, struct tree_user, by_uid);
	const struct tree_user *other = rb_entry(b, struct tree_user, by_uid);

	if (user->ns != other->ns)
		return user->ns < other->ns ? -1 : 1;
	if (uid_eq(user->uid, other->uid))
		return 0;
	return uid_lt(user->uid, other->uid) ? -1 : 1;
}

/*
 * Find the user who pays for the caller's trees. In a user namespace a process
 * can have many ids, and would have a budget for each of them. So the creator
 * of the outermost namespace pays. If this is root, the namespace is a
 * container, and has a budget of its own.
 */
static void user_identify(struct tree_user *user)
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

static struct tree_user *user_new(void)
{
	struct tree_user *user = kzalloc(sizeof(*user), GFP_KERNEL_ACCOUNT);

	if (!user)
		return NULL;
	user_identify(user);
	user->trees = 1;
	user->budget.parent = &all_users;
	user->budget.limit = &blink_user_max_bytes;
	user->budget.error = -EDQUOT;
	user->budget.put = blink_payer_put;
	return user;
}

/* Called in any context in which RCU callbacks run. */
static void user_free(struct tree_user *user)
{
	if (user->ns)
		put_user_ns(user->ns);
	kfree(user);
}

/**
 * blink_payer_get() - the budget that pays for the caller's trees
 *
 * Context: process context.
 * Return: the budget with a reference for the caller, which blink_payer_put()
 * drops, or ERR_PTR(-ENOMEM).
 */
struct blink_budget *blink_payer_get(void)
{
	struct tree_user *user;
	struct rb_node *node;

	/*
	 * The caller did not request this capability, so its absence is not
	 * audited.
	 */
	if (ns_capable_noaudit(&init_user_ns, CAP_SYS_RESOURCE))
		return &all_trees;
	user = user_new();
	if (!user)
		return ERR_PTR(-ENOMEM);
	spin_lock_bh(&users_lock);
	node = rb_find_add(&user->by_uid, &users, user_cmp);
	if (node)
		rb_entry(node, struct tree_user, by_uid)->trees++;
	spin_unlock_bh(&users_lock);
	if (!node)
		return &user->budget;
	user_free(user);
	return &rb_entry(node, struct tree_user, by_uid)->budget;
}

/*
 * Whether a payer is a user or a namespace, and not the module, which pays for callers
 * with CAP_SYS_RESOURCE.
 */
bool blink_payer_is_user(const struct blink_budget *payer)
{
	return payer != &all_trees;
}

/**
 * blink_payer_put() - drop a reference to a payer
 * @payer: the budget
 *
 * Context: any but hard interrupts and NMI.
 */
void blink_payer_put(struct blink_budget *payer)
{
	struct tree_user *user = container_of(payer, struct tree_user, budget);
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

static void show_budget(struct seq_file *m, const struct blink_budget *budget)
{
	seq_printf(m, ": used=%ld limit=%llu", atomic_long_read(&budget->used),
		   blink_budget_limit(budget));
}

static void show_user(struct seq_file *m, const struct tree_user *user)
{
	if (user->ns)
		seq_printf(m, "namespace %u", user->ns->ns.inum);
	else
		seq_printf(m, "user %u",
			   from_kuid_munged(seq_user_ns(m), user->uid));
	show_budget(m, &user->budget);
	seq_printf(m, " trees=%lu\n", user->trees);
}

/**
 * blink_payers_show() - show all budgets, a line for each
 * @m: the file
 *
 * It holds the table's lock meanwhile, for a time in proportion to the number of users
 * that have trees, or to the room in the file's buffer, if that is less.
 *
 * Context: process context.
 */
void blink_payers_show(struct seq_file *m)
{
	struct rb_node *node;

	seq_puts(m, "module");
	show_budget(m, &all_trees);
	seq_puts(m, "\nusers");
	show_budget(m, &all_users);
	seq_putc(m, '\n');
	spin_lock_bh(&users_lock);
	for (node = rb_first(&users); node && !seq_has_overflowed(m);
	     node = rb_next(node))
		show_user(m, rb_entry(node, struct tree_user, by_uid));
	spin_unlock_bh(&users_lock);
}

/*
 * A share of the memory in bytes, at least 1, since 0 means no limit. Before
 * blink_payers_init() it is a code that this function converts.
 */
static u64 memory_share(unsigned int percent)
{
	if (!memory_known)
		return PERCENT(percent);
	return mult_frac((u64)totalram_pages() << PAGE_SHIFT, percent, 100) ?:
									      1;
}

/**
 * blink_memory_parse() - read a limit for memory
 * @text: a number of bytes, or a share of the present memory: a number and '%'
 * @limit: set to the limit in bytes, or to a code for a share of the memory before
 *	blink_payers_init(), which converts it
 *
 * Context: any.
 * Return: 0; -EINVAL if the text is neither; -ERANGE if the number is too large.
 */
int blink_memory_parse(const char *text, u64 *limit)
{
	size_t len = strcspn(text, "%\n");
	bool percent = text[len] == '%';
	char number[24] = {};
	u64 bytes;
	int err;

	if (len >= sizeof(number) || !sysfs_streq(text + len + percent, ""))
		return -EINVAL;
	memcpy(number, text, len);
	err = kstrtou64(number, 0, &bytes);
	if (err)
		return err;
	if (percent && bytes > 100)
		return -EINVAL;
	if (!percent && bytes > S64_MAX)
		return -ERANGE;
	*limit = percent && bytes ? memory_share(bytes) : bytes;
	return 0;
}

static void __init limit_make_bytes(u64 *limit)
{
	if (*limit >= PERCENT(100))
		*limit = memory_share(U64_MAX - *limit);
}

/* Convert limits that are shares of the memory to bytes. */
void __init blink_payers_init(void)
{
	/* The files of the parameters are there already. */
	kernel_param_lock(THIS_MODULE);
	memory_known = true;
	limit_make_bytes(&blink_max_bytes);
	limit_make_bytes(&blink_user_max_bytes);
	kernel_param_unlock(THIS_MODULE);
}

/* Check that all memory was uncharged, when no tree is left, and no memory of one. */
void blink_payers_exit(void)
{
	WARN_ON(!RB_EMPTY_ROOT(&users));
	WARN_ON(atomic_long_read(&all_users.used));
	WARN_ON(atomic_long_read(&all_trees.used));
}
