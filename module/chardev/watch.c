// SPDX-License-Identifier: GPL-2.0
/*
 * BLINK_TREE_IOC_WATCH, and the file of a watch: its ring can be mapped for reading, and
 * read() and poll() wait for changes.
 *
 * A lock protects the lists of watches. The file keeps the object, and the mappings of the
 * ring hold references to the file. When the file is released, a worker frees the watch
 * after a grace period: writers that found it in the list may still put records, and wake.
 *
 * A writer wakes under the lock of a leaf, perhaps in an interrupt or in the scheduler. So
 * it only sends its CPU an interrupt, which may come at once and only queues work. The
 * work wakes as many tasks as there are.
 */
#include <linux/anon_inodes.h>
#include <linux/cleanup.h>
#include <linux/cred.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/irq_work.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/poll.h>
#include <linux/rcupdate.h>
#include <linux/refcount.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/uidgid.h>
#include <linux/vmalloc.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "../core/tree/charge.h"
#include "../core/tree/tree.h"
#include "../core/tree/watch.h"
#include "payer.h"
#include "tree_file.h"

/**
 * struct watch - a watch and its file
 * @core: the watch of the core
 * @object: the object, which it keeps
 * @payer: the budget that pays for the ring
 * @uid: its creator
 * @fowner: the creator had CAP_FOWNER over the tree
 * @size: bytes of the ring
 * @seen: the highest head that a read() returned
 * @queue: the tasks that wait for a change
 * @irq: queues @wake
 * @wake: wakes the tasks
 * @end: frees the watch
 */
struct watch {
	struct blink_watch core;
	struct blink_object *object;
	struct blink_budget *payer;
	kuid_t uid;
	bool fowner;
	long size;
	u64 seen;
	wait_queue_head_t queue;
	struct irq_work irq;
	struct work_struct wake;
	struct rcu_work end;
};

static DEFINE_MUTEX(watches_lock);

static struct workqueue_struct *waker;

/*
 * Without events for a key, so that io_uring asks watch_poll() for them: it has to say
 * that it waits for the next change, too.
 *
 * Tasks that wait exclusively (EPOLLEXCLUSIVE) all wake, too. The next change wakes no task
 * before one asks for it (blink_watch_fresh()). A single task could die before it asks,
 * and the others would sleep although there are changes.
 */
static void wake_readers(struct work_struct *work)
{
	struct watch *watch = container_of(work, struct watch, wake);

	wake_up_interruptible_all(&watch->queue);
}

static void wake_interrupt(struct irq_work *irq)
{
	queue_work(waker, &container_of(irq, struct watch, irq)->wake);
}

static void wake_later(struct blink_watch *core)
{
	irq_work_queue(&container_of(core, struct watch, core)->irq);
}

static void watch_free(struct watch *watch)
{
	vfree(watch->core.ring);
	blink_budget_uncharge(watch->payer, watch->size);
	blink_payer_put(watch->payer);
	kfree(watch);
}

static void watch_end(struct work_struct *work)
{
	struct watch *watch =
		container_of(to_rcu_work(work), struct watch, end);
	struct blink_object *object = watch->object;

	/* The last writer has left, so nothing queues them again. */
	irq_work_sync(&watch->irq);
	cancel_work_sync(&watch->wake);
	watch_free(watch);
	blink_object_unkeep(object);
}

/* Whether read() has something to say: a change, or that there will be none. */
static bool watch_ready(struct watch *watch, u64 seen)
{
	return blink_watch_fresh(&watch->core, seen) ||
	       READ_ONCE(watch->core.ended);
}

/* Other tasks may read at the same time, and have seen more. */
static void watch_see(struct watch *watch, u64 head)
{
	u64 seen = READ_ONCE(watch->seen);

	while (seen < head && !try_cmpxchg(&watch->seen, &seen, head))
		;
}

static ssize_t watch_read(struct file *file, char __user *to, size_t size,
			  loff_t *pos)
{
	struct watch *watch = file->private_data;
	u64 seen = READ_ONCE(watch->seen), head;
	bool ended;
	int err;

	if (size < sizeof(seen))
		return -EINVAL;
	if (!(file->f_flags & O_NONBLOCK)) {
		err = wait_event_interruptible(watch->queue,
					       watch_ready(watch, seen));
		if (err)
			return err;
	}
	/* Pairs with blink_watch_end(): the head is the last one. */
	ended = smp_load_acquire(&watch->core.ended);
	head = blink_watch_head(&watch->core);
	if (head <= seen)
		return ended ? 0 : -EAGAIN;
	if (put_user(head, (u64 __user *)to))
		return -EFAULT;
	watch_see(watch, head);
	return sizeof(head);
}

static __poll_t watch_poll(struct file *file, poll_table *wait)
{
	struct watch *watch = file->private_data;
	__poll_t events = 0;
	bool ended;

	poll_wait(file, &watch->queue, wait);
	/* One load: at the end there is always something to read. As in watch_read(). */
	ended = smp_load_acquire(&watch->core.ended);
	if (blink_watch_fresh(&watch->core, READ_ONCE(watch->seen)) || ended)
		events |= EPOLLIN | EPOLLRDNORM;
	if (ended)
		events |= EPOLLHUP;
	return events;
}

static vm_fault_t watch_fault(struct vm_fault *vmf)
{
	struct watch *watch = vmf->vma->vm_private_data;
	unsigned long offset = vmf->pgoff << PAGE_SHIFT;

	if (vmf->pgoff >= DIV_ROUND_UP(watch->size, PAGE_SIZE))
		return VM_FAULT_SIGBUS;
	vmf->page = vmalloc_to_page((void *)watch->core.ring + offset);
	get_page(vmf->page);
	return 0;
}

static const struct vm_operations_struct watch_vm_ops = {
	.fault = watch_fault,
};

static int watch_mmap(struct file *file, struct vm_area_struct *vma)
{
	if (vma->vm_flags & (VM_WRITE | VM_EXEC))
		return -EPERM;
	vm_flags_mod(vma, VM_DONTEXPAND | VM_DONTDUMP,
		     VM_MAYWRITE | VM_MAYEXEC);
	vma->vm_private_data = file->private_data;
	vma->vm_ops = &watch_vm_ops;
	return 0;
}

static void watch_show_fdinfo(struct seq_file *m, struct file *file)
{
	const struct watch *watch = file->private_data;

	seq_printf(m, "blink-id:\t%llu\n", watch->object->id);
	seq_printf(m, "blink-watch-slots:\t%llu\n", watch->core.mask + 1);
	seq_printf(m, "blink-watch-head:\t%llu\n",
		   blink_watch_head(&watch->core));
}

static int watch_release(struct inode *inode, struct file *file)
{
	struct watch *watch = file->private_data;

	scoped_guard(mutex, &watches_lock)
		blink_watch_unlink(watch->object->tree, &watch->core);
	blink_objects_queue(&watch->end);
	return 0;
}

static const struct file_operations watch_fops = {
	.owner = THIS_MODULE,
	.release = watch_release,
	.read = watch_read,
	.poll = watch_poll,
	.mmap = watch_mmap,
	.show_fdinfo = watch_show_fdinfo,
};

/* Allocate a ring that the caller pays for. */
static int ring_create(struct watch *watch, u32 slots)
{
	void *memory;
	int err;

	watch->size = PAGE_ALIGN(blink_watch_size(slots));
	watch->payer = blink_payer_get();
	if (IS_ERR(watch->payer))
		return PTR_ERR(watch->payer);
	err = blink_budget_charge(watch->payer, watch->size);
	if (err)
		goto err_payer;
	memory = __vmalloc(watch->size, GFP_KERNEL_ACCOUNT | __GFP_ZERO);
	if (!memory) {
		err = -ENOMEM;
		goto err_charge;
	}
	blink_watch_init(&watch->core, memory, slots);
	return 0;

err_charge:
	blink_budget_uncharge(watch->payer, watch->size);
err_payer:
	blink_payer_put(watch->payer);
	return err;
}

static struct watch *watch_create(const struct blink_tree_ioc_watch *arg,
				  enum blink_tree_key key)
{
	const u64 last_low = key == BLINK_TREE_KEY_U64 ? 0 : arg->last_low;
	struct watch *watch = kzalloc(sizeof(*watch), GFP_KERNEL_ACCOUNT);
	int err;

	if (!watch)
		return ERR_PTR(-ENOMEM);
	watch->core.first = blink_watch_key(arg->first, arg->first_low);
	watch->core.last = blink_watch_key(arg->last, last_low);
	watch->core.wake = wake_later;
	init_waitqueue_head(&watch->queue);
	watch->irq = IRQ_WORK_INIT_HARD(wake_interrupt);
	INIT_WORK(&watch->wake, wake_readers);
	INIT_RCU_WORK(&watch->end, watch_end);
	err = ring_create(watch, arg->slots ?: BLINK_TREE_WATCH_SLOTS_DEFAULT);
	if (err) {
		kfree(watch);
		return ERR_PTR(err);
	}
	return watch;
}

/* The watch that a link of the list leads to. */
static struct watch *watch_at(struct blink_watch __rcu *link)
{
	struct blink_watch *core =
		rcu_dereference_protected(link, lockdep_is_held(&watches_lock));

	return core ? container_of(core, struct watch, core) : NULL;
}

static bool watch_owned(const struct watch *watch, kuid_t owner)
{
	return watch->fowner || uid_eq(watch->uid, owner);
}

/*
 * A user is the payer: in a user namespace, the user who created it (payer.c). Services
 * with CAP_SYS_RESOURCE have one payer, and are users of their own.
 */
static bool watch_same_user(const struct watch *a, const struct watch *b)
{
	return a->payer == b->payer &&
	       (blink_payer_is_user(a->payer) || uid_eq(a->uid, b->uid));
}

/*
 * Whether a tree can have one more watch. A user who only reads it may have some of
 * them, and all of these users together leave some for the present owner.
 */
static bool watch_fits(const struct watch *watch, struct blink_tree *tree,
		       kuid_t owner)
{
	unsigned int all = 0, others = 0, same = 0;
	const struct watch *each;

	for (each = watch_at(tree->watches); each;
	     each = watch_at(each->core.next)) {
		const bool other = !watch_owned(each, owner);

		all++;
		others += other;
		same += other && watch_same_user(each, watch);
	}
	if (all == BLINK_TREE_WATCHES_MAX)
		return false;
	return watch_owned(watch, owner) ||
	       (same < BLINK_TREE_WATCHES_USER &&
		others < BLINK_TREE_WATCHES_MAX - BLINK_TREE_WATCHES_OWNER);
}

static int watch_link(struct watch *watch, struct blink_object *object)
{
	struct blink_attr attr;

	blink_object_attr(object, &attr);
	watch->uid = current_fsuid();
	watch->fowner = attr.fowner;
	guard(mutex)(&watches_lock);
	if (!watch_fits(watch, object->tree, attr.uid))
		return -EUSERS;
	refcount_inc(&object->kept);
	watch->object = object;
	blink_watch_link(object->tree, &watch->core);
	return 0;
}

/* Open the file of a watch. On success it is in the list of the tree. */
static struct file *watch_open(struct watch *watch, struct blink_object *object)
{
	struct file *file;
	int err;

	err = watch_link(watch, object);
	if (err) {
		watch_free(watch);
		return ERR_PTR(err);
	}
	file = anon_inode_create_getfile("[blink_watch]", &watch_fops, watch,
					 O_RDONLY, NULL);
	if (IS_ERR(file)) {
		scoped_guard(mutex, &watches_lock)
			blink_watch_unlink(object->tree, &watch->core);
		blink_objects_queue(&watch->end);
	}
	return file;
}

static long watch_fd(struct watch *watch, struct blink_object *object)
{
	int fd = get_unused_fd_flags(O_CLOEXEC);
	struct file *file;

	if (fd < 0) {
		watch_free(watch);
		return fd;
	}
	file = watch_open(watch, object);
	if (IS_ERR(file)) {
		put_unused_fd(fd);
		return PTR_ERR(file);
	}
	/*
	 * Writers that did not find the watch in the list have finished their change
	 * afterwards, so a scan sees it.
	 */
	synchronize_rcu();
	fd_install(fd, file);
	return fd;
}

static bool slots_valid(u32 slots)
{
	return !slots ||
	       (is_power_of_2(slots) && slots >= BLINK_TREE_WATCH_SLOTS_MIN &&
		slots <= BLINK_TREE_WATCH_SLOTS_MAX);
}

static bool range_valid(const struct blink_tree_ioc_watch *arg,
			enum blink_tree_key key)
{
	if (key == BLINK_TREE_KEY_U64 &&
	    (arg->first_low || (arg->last_low && ~arg->last_low)))
		return false;
	return blink_watch_key(arg->first, arg->first_low) <=
	       blink_watch_key(arg->last, arg->last_low);
}

/* It waits for a grace period. */
long blink_watch_call(struct blink_call *call)
{
	const struct blink_tree_ioc_watch *arg = &call->arg.watch;
	struct blink_object *object = call->file->private_data;
	enum blink_tree_key key = blink_file_key(call->file);
	struct watch *watch;

	if (key == BLINK_TREE_KEY_BYTES || blink_tree_byte_values(object->tree))
		return -EOPNOTSUPP;
	if (arg->flags || !slots_valid(arg->slots) || !range_valid(arg, key))
		return -EINVAL;
	watch = watch_create(arg, key);
	if (IS_ERR(watch))
		return PTR_ERR(watch);
	return watch_fd(watch, object);
}

/**
 * blink_watches_init() - create the workqueue that wakes readers
 *
 * Readers do not wait until the worker that destroys trees has time. It has a rescuer,
 * since that worker waits for it.
 *
 * Context: process context.
 * Return: 0 or -ENOMEM.
 */
int __init blink_watches_init(void)
{
	waker = alloc_workqueue("blink_tree_wake",
				WQ_UNBOUND | WQ_MEM_RECLAIM | WQ_HIGHPRI, 0);
	return waker ? 0 : -ENOMEM;
}

/**
 * blink_watches_exit() - destroy the workqueue
 *
 * Context: process context; all watches have ended.
 */
void blink_watches_exit(void)
{
	destroy_workqueue(waker);
}
