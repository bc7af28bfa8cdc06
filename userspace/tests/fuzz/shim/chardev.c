// SPDX-License-Identifier: GPL-2.0
/* The stand-ins that are more than a line; see chardev.h and files.h. */
#include <stdio.h>
#include <stdlib.h>

#include "../memory.h"
#include "chardev.h"
#include "files.h"

unsigned int fuzz_signal_in;
bool fuzz_signal_fatal;
unsigned int fuzz_uid;
unsigned int fuzz_group = -1U;
unsigned int fuzz_caps;
unsigned int fuzz_queued;
bool fuzz_in_nmi;
bool fuzz_in_hardirq;
struct user_namespace init_user_ns;
struct user_namespace *fuzz_ns = &init_user_ns;
unsigned int fuzz_umask = 022;

static struct file *files[FUZZ_FILES];
static const struct file_operations *device_ops;

/* A descriptor that was promised and has no file yet. */
static struct file promised;

const unsigned long *fuzz_random;

/* The upper bits are those that count. */
unsigned long get_random_u64(void)
{
	static unsigned long next;

	return (fuzz_random ? *fuzz_random++ : ++next) << 10;
}

bool fuzz_signal(void)
{
	if (fuzz_signal_in > 1) {
		fuzz_signal_in--;
		return false;
	}
	return fuzz_signal_in;
}

unsigned long copy_from_user(void *to, const void *from, unsigned long n)
{
	size_t can = memory_accessible((uintptr_t)from, n, false);

	might_sleep();
	if (can)
		memcpy(to, memory_alias((uintptr_t)from, &(size_t){ can }),
		       can);
	memset((char *)to + can, 0, n - can);
	return n - can;
}

unsigned long copy_to_user(void *to, const void *from, unsigned long n)
{
	size_t can = memory_accessible((uintptr_t)to, n, true);
	/* All of it is read, as KASAN would. */
	char *copy = malloc(n + 1);

	might_sleep();
	/* NULL is fine where there is nothing to copy. */
	if (n)
		memcpy(copy, from, n);
	if (can)
		memcpy(memory_alias((uintptr_t)to, &(size_t){ can }), copy,
		       can);
	free(copy);
	return n - can;
}

unsigned long clear_user(void *to, unsigned long n)
{
	size_t can = memory_accessible((uintptr_t)to, n, true);

	if (can)
		memset(memory_alias((uintptr_t)to, &(size_t){ can }), 0, can);
	return n - can;
}

/* Addresses may be anything: they are no pointers that C would let us add to. */
static int check_zeroed(uintptr_t from, size_t n)
{
	char byte;

	for (; n; n--, from++) {
		if (copy_from_user(&byte, (void *)from, 1))
			return -EFAULT;
		if (byte)
			return -E2BIG;
	}
	return 0;
}

int copy_struct_from_user(void *dst, size_t ksize, const void *src,
			  size_t usize)
{
	size_t size = ksize < usize ? ksize : usize;
	int err = 0;

	if (usize < ksize)
		memset((char *)dst + size, 0, ksize - size);
	else
		err = check_zeroed((uintptr_t)src + size, usize - size);
	if (err)
		return err;
	return copy_from_user(dst, src, size) ? -EFAULT : 0;
}

int misc_register(struct miscdevice *device)
{
	device_ops = device->fops;
	return 0;
}

void misc_deregister(struct miscdevice *device)
{
	device_ops = NULL;
}

long compat_ptr_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	return file->ops->unlocked_ioctl(file, cmd, (unsigned int)arg);
}

struct file *anon_inode_getfile(const char *name,
				const struct file_operations *ops, void *data,
				int flags)
{
	struct file *file = kzalloc(sizeof(*file), GFP_KERNEL_ACCOUNT);

	if (!file)
		return ERR_PTR(-ENFILE);
	/* O_RDONLY is 0, O_WRONLY 1, O_RDWR 2. */
	file->f_mode = (flags & O_ACCMODE) + 1;
	file->private_data = data;
	file->ops = ops;
	file->references = 1;
	return file;
}

int get_unused_fd_flags(unsigned int flags)
{
	int fd;

	for (fd = 0; fd < FUZZ_FILES; fd++) {
		if (!files[fd]) {
			files[fd] = &promised;
			return fd;
		}
	}
	return -EMFILE;
}

void put_unused_fd(unsigned int fd)
{
	SHIM_CHECK(files[fd] == &promised, "a descriptor that is in use");
	files[fd] = NULL;
}

void fd_install(unsigned int fd, struct file *file)
{
	SHIM_CHECK(files[fd] == &promised, "a descriptor that is in use");
	files[fd] = file;
}

void fput(struct file *file)
{
	if (--file->references)
		return;
	if (file->ops->release)
		file->ops->release(NULL, file);
	kfree(file);
}

char fuzz_shown[4096];

void seq_printf(struct seq_file *m, const char *format, ...)
{
	size_t used = strlen(fuzz_shown);
	va_list args;

	va_start(args, format);
	vsnprintf(fuzz_shown + used, sizeof(fuzz_shown) - used, format, args);
	va_end(args);
}

int fuzz_open_device(int flags)
{
	struct file *file;
	int fd = get_unused_fd_flags(0);

	file = anon_inode_getfile("device", device_ops, NULL, flags);
	if (fd < 0 || IS_ERR(file))
		abort();
	fd_install(fd, file);
	return fd;
}

struct file *fuzz_file(int fd)
{
	return fd >= 0 && fd < FUZZ_FILES ? files[fd] : NULL;
}

long fuzz_ioctl(int fd, unsigned int cmd, unsigned long arg, bool compat)
{
	struct file *file = fuzz_file(fd);
	long ret;

	if (!file)
		return -EBADF;
	shim_self->for_user = true;
	if (compat)
		ret = file->ops->compat_ioctl(file, cmd, (unsigned int)arg);
	else
		ret = file->ops->unlocked_ioctl(file, cmd, arg);
	shim_self->for_user = false;
	return ret;
}

int fuzz_dup(int fd)
{
	struct file *file = fuzz_file(fd);
	int copy = file ? get_unused_fd_flags(0) : -EBADF;

	if (copy < 0)
		return copy;
	file->references++;
	fd_install(copy, file);
	return copy;
}

void fuzz_close(int fd)
{
	struct file *file = fuzz_file(fd);

	if (!file)
		return;
	files[fd] = NULL;
	fput(file);
}

void fuzz_fdinfo(int fd)
{
	struct file *file = fuzz_file(fd);

	if (file && file->ops->show_fdinfo)
		file->ops->show_fdinfo(NULL, file);
}
