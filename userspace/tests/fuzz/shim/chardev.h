/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Userspace stand-ins for what module/chardev needs of the kernel, over those
 * of userspace/shim: files and descriptors, the memory of user space, users and
 * their rights, signals, locks, the registry's search tree.
 *
 * There is one thread, so that locks are nothing; and one process with two
 * users, of which the program under execution says which one makes a call.
 */
#ifndef FUZZ_CHARDEV_H
#define FUZZ_CHARDEV_H

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <linux/atomic.h>
#include <linux/fcntl.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/topology.h>
#include <linux/workqueue.h>
#include <stdarg.h>

#define __user
#define __exit
#define offsetofend(type, member) \
	(offsetof(type, member) + sizeof(((type *)NULL)->member))
#define BUILD_BUG_ON_ZERO(e) (sizeof(char[1 - 2 * !!(e)]) - 1)
#define PAGE_SHIFT 12
#define PAGE_SIZE 4096UL
/* 8 GiB. */
#define totalram_pages() 2097152UL
#define mult_frac(x, num, den) ((x) * (num) / (den))
#define SZ_256K 0x40000
#define SZ_16M 0x1000000
#define O_CLOEXEC 02000000
#define ERESTARTSYS 512

/* Mixed types, as the kernel allows where no sign is lost. */
#undef min
#define min(a, b)                                      \
	({                                             \
		__typeof__((a) + (b)) __min_a = (a);   \
		__typeof__((a) + (b)) __min_b = (b);   \
		__min_a < __min_b ? __min_a : __min_b; \
	})

#define guard(kind) (void)
#define scoped_guard(kind, lock) if ((void)(lock), true)
#define down_read(lock) ((void)(lock))
#define up_read(lock) ((void)(lock))
#undef lockdep_assert_held
#define lockdep_assert_held(lock) ((void)(lock))
#define lockdep_assert_held_write(lock) ((void)(lock))
#define DECLARE_RWSEM(name) int name
#define DEFINE_SPINLOCK(name) int name
#define DEFINE_MUTEX(name) int name
#undef lockdep_is_held
#define lockdep_is_held(lock) ((void)(lock), true)
#define spin_lock_bh(lock) ((void)(lock))
#define spin_unlock_bh(lock) ((void)(lock))

/* A call may be told to stop: after so many questions whether to. */
extern unsigned int fuzz_signal_in;
extern bool fuzz_signal_fatal;
bool fuzz_signal(void);
#undef fatal_signal_pending
#define signal_pending(task) fuzz_signal()
#define fatal_signal_pending(task) (fuzz_signal_fatal && fuzz_signal())
void rcu_barrier(void);

/* Random numbers are those that a test chose, or follow each other. */
extern const unsigned long *fuzz_random;
unsigned long get_random_u64(void);

/* The work is done at once: an object that the caller touches afterwards is gone. */
#define queue_work(queue, work) \
	((void)(queue), fuzz_queued++, (work)->func(work))
/* How much work was done so. */
extern unsigned int fuzz_queued;

/* With one thread there is no reader to wait for. */
struct rcu_work {
	struct work_struct work;
};

#define INIT_RCU_WORK(rwork, fn) INIT_WORK(&(rwork)->work, fn)
#define to_rcu_work(work) container_of(work, struct rcu_work, work)
#define queue_rcu_work(queue, rwork) queue_work(queue, &(rwork)->work)

/* For the calls of BPF programs. The test says in which context they are. */
#define __bpf_kfunc
extern bool fuzz_in_nmi;
extern bool fuzz_in_hardirq;
#undef in_nmi
#define in_nmi() fuzz_in_nmi
#undef in_hardirq
#define in_hardirq() fuzz_in_hardirq
#define preemptible() (!shim_self->atomic)

/* No memory is charged to control groups. */
#define set_active_memcg(memcg) ((void)(memcg), (struct mem_cgroup *)NULL)
struct mem_cgroup;
#define get_mem_cgroup_from_mm(mm) ((struct mem_cgroup *)NULL)
#define mem_cgroup_put(memcg) ((void)(memcg))

/* Users. */
#define umode_t unsigned short
#define kuid_t struct fuzz_id
#define kgid_t struct fuzz_id
#define CAP_CHOWN 0
#define CAP_DAC_OVERRIDE 1
#define CAP_FOWNER 3
#define CAP_SYS_ADMIN 21
#define CAP_SYS_RESOURCE 24

struct fuzz_id {
	unsigned int id;
};

/* The user, with a group of the same number and another one, and capabilities. */
extern unsigned int fuzz_uid;
extern unsigned int fuzz_group;
extern unsigned int fuzz_caps;
extern unsigned int fuzz_umask;
#define current_fsuid() ((kuid_t){ fuzz_uid })
#define current_fsgid() ((kgid_t){ fuzz_uid })
#define current_umask() fuzz_umask
/*
 * A user namespace, the user that made it and where, and how many refer to it. It
 * knows every user and group from @least on.
 */
struct user_namespace {
	kuid_t owner;
	unsigned int least;
	struct user_namespace *parent;
	unsigned int references;
	int level;
	struct {
		unsigned int inum;
	} ns;
};

#define kuid_has_mapping(ns, uid) (uid_valid(uid) && (uid).id >= (ns)->least)
#define kgid_has_mapping(ns, gid) kuid_has_mapping(ns, gid)

extern struct user_namespace init_user_ns;
extern struct user_namespace *fuzz_ns;
#define current_user_ns() fuzz_ns
#define get_user_ns(ns) ((ns)->references++, (ns))
#define put_user_ns(ns) ((void)(ns)->references--)
#define make_kuid(ns, nr) ((kuid_t){ (nr) < (ns)->least ? -1U : (nr) })
#define make_kgid(ns, nr) make_kuid(ns, nr)
#define uid_valid(uid) ((uid).id != -1U)
#define gid_valid(gid) ((gid).id != -1U)
#define from_kuid_munged(ns, uid) ((void)(ns), (uid).id)
#define from_kgid_munged(ns, gid) ((void)(ns), (gid).id)
#define uid_eq(a, b) ((a).id == (b).id)
#define gid_eq(a, b) uid_eq(a, b)
#define uid_lt(a, b) ((a).id < (b).id)
#define GLOBAL_ROOT_UID ((kuid_t){ 0 })
#define INVALID_UID ((kuid_t){ -1U })
#define in_group_p(gid) ((gid).id == fuzz_uid || (gid).id == fuzz_group)
#define capable(cap) (!fuzz_uid || fuzz_caps & 1u << (cap))
#define bpf_capable() capable(CAP_SYS_ADMIN)
#define ns_capable(ns, cap) ((void)(ns), capable(cap))
#define ns_capable_noaudit(ns, cap) ns_capable(ns, cap)

/* The memory of user space: the fuzzer says which part of it is accessible. */
#define u64_to_user_ptr(x) ((void *)(uintptr_t)(x))
unsigned long copy_from_user(void *to, const void *from, unsigned long n);
unsigned long copy_to_user(void *to, const void *from, unsigned long n);
unsigned long clear_user(void *to, unsigned long n);
int copy_struct_from_user(void *dst, size_t ksize, const void *src,
			  size_t usize);

/* Files. */
#define fmode_t unsigned int
#define FMODE_READ 1
#define FMODE_WRITE 2

struct file;
struct inode;
struct module;
struct seq_file;

struct poll_table_struct;
struct vm_area_struct;

struct file_operations {
	struct module *owner;
	ssize_t (*read)(struct file *file, char *to, size_t size, loff_t *pos);
	unsigned int (*poll)(struct file *file, struct poll_table_struct *wait);
	int (*mmap)(struct file *file, struct vm_area_struct *vma);
	int (*release)(struct inode *inode, struct file *file);
	long (*unlocked_ioctl)(struct file *file, unsigned int cmd,
			       unsigned long arg);
	long (*compat_ioctl)(struct file *file, unsigned int cmd,
			     unsigned long arg);
	void (*show_fdinfo)(struct seq_file *m, struct file *file);
};

struct file {
	fmode_t f_mode;
	unsigned int f_flags;
	void *private_data;
	const struct file_operations *ops;
	unsigned int references;
};

struct miscdevice {
	int minor;
	const char *name;
	const struct file_operations *fops;
	umode_t mode;
};

#define THIS_MODULE NULL
#define kernel_param_lock(module) ((void)(module))
#define kernel_param_unlock(module) ((void)(module))
#define MISC_DYNAMIC_MINOR 255
int misc_register(struct miscdevice *device);
void misc_deregister(struct miscdevice *device);
long compat_ptr_ioctl(struct file *file, unsigned int cmd, unsigned long arg);
#define anon_inode_create_getfile(name, ops, data, flags, context) \
	anon_inode_getfile(name, ops, data, flags)
struct file *anon_inode_getfile(const char *name,
				const struct file_operations *ops, void *data,
				int flags);
int get_unused_fd_flags(unsigned int flags);
void put_unused_fd(unsigned int fd);
void fd_install(unsigned int fd, struct file *file);
void fput(struct file *file);

/* The output to files of debugfs and procfs; each call appends to it. */
extern char fuzz_shown[4096];
void seq_printf(struct seq_file *m, const char *format, ...) __printf(2, 3);
#define seq_puts(m, text) seq_printf(m, "%s", text)
#define seq_putc(m, byte) seq_printf(m, "%c", byte)
#define seq_user_ns(m) (&init_user_ns)
#define seq_has_overflowed(m) false

/* Memory and text. */
static inline void *ERR_CAST(const void *ptr)
{
	return (void *)(uintptr_t)ptr;
}

#define WARN_ON(cond) WARN_ON_ONCE(cond)

#define min_t(type, a, b) min((type)(a), (type)(b))
#define BIT_ULL(n) (1ULL << (n))
#define GENMASK_ULL(high, low) ((2ULL << (high)) - (1ULL << (low)))

static inline void strscpy(char *to, const char *from, size_t size)
{
	size_t len = strnlen(from, size - 1);

	memcpy(to, from, len);
	to[len] = '\0';
}

#define kref shim_atomic
#define kref_init(ref) atomic_set(ref, 1)
#define kref_get(ref) atomic_inc(ref)
#define kref_put(ref, release) \
	((void)(atomic_dec_and_test(ref) && ((release)(ref), true)))

#define refcount_t atomic_t
#define refcount_set(ref, n) atomic_set(ref, n)
#define refcount_inc(ref) atomic_inc(ref)
#define refcount_dec_and_test(ref) atomic_dec_and_test(ref)

#include "rbtree.h"

#endif /* FUZZ_CHARDEV_H */
