// SPDX-License-Identifier: GPL-2.0
/*
 * A device without the module, for tests of the command: ioctl() of the linker's --wrap.
 * It has a tree "tree" of the entries 1, 2 and 3, which no operation changes. Variables of
 * the environment tell what goes wrong:
 *
 *   FAKE_CALL="N ERRNO"       the ioctl number N, from 1, fails
 *   FAKE_RESULT="N ERRNO"     the operation number N, of all records, has this result
 *   FAKE_SHORT=N              each call executes N records at most, as after a signal
 *   FAKE_MORE=y               each operation that erases finds a value, a thousand times,
 *                             and a signal ends the first one
 *   FAKE_FILE="N ERRNO"       the call number N for a file that is written fails; a write
 *                             takes half of the bytes at most
 *   FAKE_SIGNAL=y             SIGTERM comes with that failure
 *   FAKE_SCAN=COMMAND         the shell runs this before the first scan
 *   FAKE_LINK=COMMAND         the same before the first link is read
 *
 * FAKE_KINDS="KEY FLAGS" are the kind of its keys and its flags of creation. FAKE_STORE
 * names a file to which each operation appends its record, and whose records a scan returns.
 *
 * The numbers of ioctls, of operations and of calls for files go to the file FAKE_LOG, and
 * the names that were removed.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../../lib/record.h"
#include "../wraps.h"

#define ENTRIES 3
#define ALL (BLINK_TREE_OPEN_READ | BLINK_TREE_OPEN_WRITE)

static unsigned int calls;
static unsigned int operations;
static unsigned int files;

static void tell(void)
{
	const char *path = getenv("FAKE_LOG");
	FILE *file = path ? fopen(path, "ae") : NULL;

	if (!file)
		return;
	fprintf(file, "calls %u\noperations %u\nfiles %u\n", calls, operations,
		files);
	fclose(file);
}

static void tell_name(const char *what, const char *name)
{
	const char *path = getenv("FAKE_LOG");
	FILE *file = path ? fopen(path, "ae") : NULL;

	if (!file)
		return;
	fprintf(file, "%s %s\n", what, name);
	fclose(file);
}

/* The error of the call or operation @nr, 0 for none. */
static int error_at(const char *variable, unsigned int nr)
{
	const char *text = getenv(variable);
	unsigned int at;
	int error;

	if (!text || sscanf(text, "%u %d", &at, &error) != 2 || at != nr)
		return 0;
	return error;
}

static void run_once(const char *variable)
{
	const char *command = getenv(variable);

	unsetenv(variable);
	if (command && system(command))
		abort();
}

/* A call for a file that is written. */
static bool fails(void)
{
	int error = error_at("FAKE_FILE", ++files);

	if (error && getenv("FAKE_SIGNAL"))
		raise(SIGTERM);
	errno = error;
	return error;
}

int __wrap_fsync(int fd)
{
	return fails() ? -1 : __real_fsync(fd);
}

/* Closing a directory loses nothing, nor a file that was never open. */
int __wrap_close(int fd)
{
	struct stat stat_;
	bool regular = !fstat(fd, &stat_) && S_ISREG(stat_.st_mode) &&
		       !(fcntl(fd, F_GETFL) & O_PATH);
	int ret = __real_close(fd);

	return regular && fails() ? -1 : ret;
}

int __wrap_renameat(int from_fd, const char *from, int to_fd, const char *to)
{
	return fails() ? -1 : __real_renameat(from_fd, from, to_fd, to);
}

ssize_t __wrap_readlinkat(int fd, const char *path, char *text, size_t size)
{
	run_once("FAKE_LINK");
	return __real_readlinkat(fd, path, text, size);
}

/* Half of the bytes is no error. */
ssize_t __wrap_write(int fd, const void *bytes, size_t len)
{
	return fails() ? -1 : __real_write(fd, bytes, (len + 1) / 2);
}

static unsigned int most_records(void)
{
	const char *text = getenv("FAKE_SHORT");

	return text ? strtoul(text, NULL, 10) : ~0U;
}

static int info(struct blink_tree_ioc_info *arg)
{
	memset(arg, 0xff, sizeof(*arg));
	arg->known = sizeof(*arg);
	memcpy(arg->version, "fake", sizeof("fake"));
	return 0;
}

/* The tree belongs to user 7. A new tree is charged to the effective user. */
static int open_tree(const char *name, bool created)
{
	char id[16];

	snprintf(id, sizeof(id), "%u", geteuid());
	if (created)
		tell_name("payer", id);
	if (created != !!strcmp(name, "tree") && name[0])
		return created ? -EEXIST : -ENOENT;
	return open("/dev/null", O_RDWR | O_CLOEXEC);
}

static void tell_create(const struct blink_tree_ioc_create *arg)
{
	char text[120];

	snprintf(text, sizeof(text), "%o %x %u %u %u %u %llu %llu", arg->mode,
		 arg->flags, arg->replication, arg->locking, arg->placement,
		 arg->key, arg->max_entries, arg->max_bytes);
	tell_name("create", text);
}

static int attr(struct blink_tree_ioc_attr *arg)
{
	unsigned int key, flags;
	const char *kinds;
	char text[16];

	if (arg->flags) {
		if (arg->flags & BLINK_TREE_ATTR_NAME)
			tell_name("name", arg->name);
		snprintf(text, sizeof(text), "%03o", arg->mode);
		tell_name("mode", text);
		if (arg->flags & BLINK_TREE_ATTR_GID)
			tell_name("group", "saved");
		return 0;
	}
	kinds = getenv("FAKE_KINDS") ?: "0 0";
	if (sscanf(kinds, "%u %x", &key, &flags) != 2)
		return -EINVAL;
	*arg = (struct blink_tree_ioc_attr){
		.known = sizeof(*arg),
		.key = key,
		.create_flags = flags,
		.id = 1,
		.mode = 0646,
		.uid = 7,
		.name = "tree",
	};
	return 0;
}

static int list(struct blink_tree_ioc_list *arg)
{
	const struct blink_tree_list_entry tree = {
		.id = 1,
		.name = "tree",
		.mode = 0600,
		.access = ALL,
	};

	arg->count = !arg->cursor && arg->capacity;
	if (arg->count)
		memcpy((void *)(uintptr_t)arg->trees, &tree,
		       arg->entry_size < sizeof(tree) ? arg->entry_size :
							sizeof(tree));
	arg->cursor = 1;
	return 0;
}

static int stats(struct blink_tree_ioc_stats *arg)
{
	memset(arg, 0, sizeof(*arg));
	arg->entries = ENTRIES;
	return 0;
}

static int levels(struct blink_tree_ioc_levels *arg)
{
	arg->count = 1;
	arg->height = 1;
	if (arg->capacity)
		memset((void *)(uintptr_t)arg->levels, 0, arg->level_size);
	return 0;
}

/* Write a result: a number for each part that the operation can return. */
static size_t write_result(unsigned char *to, unsigned int opcode,
			   const void *key, size_t key_length, int result)
{
	const __u64 value = 2;
	struct blinktree_record record = {
		.opcode = opcode,
		.key = key,
		.key_length = key_length,
		.value = &value,
		.value_length = 8,
		.old = &value,
		.old_length = 8,
	};
	struct blink_tree_record *header = (void *)to;

	blinktree_record_write(to, &record);
	header->result = result;
	return header->length;
}

static void store(const void *bytes, size_t size)
{
	const char *path = getenv("FAKE_STORE");
	FILE *file = path ? fopen(path, "ae") : NULL;

	if (!file)
		return;
	fwrite(bytes, 1, size, file);
	fclose(file);
}

/* Return as many of the stored entries as fit. */
static int scan_store(struct blink_tree_ioc_record_scan *arg, const char *path)
{
	static long position;
	unsigned char *to = (void *)(uintptr_t)arg->output;
	struct blink_tree_record header;
	FILE *file = fopen(path, "re");

	arg->output_used = 0;
	arg->count = 0;
	arg->flags |= BLINK_TREE_RECORD_SCAN_DONE;
	fseek(file, position, SEEK_SET);
	while (fread(&header, sizeof(header), 1, file)) {
		if (arg->flags & BLINK_TREE_RECORD_SCAN_COUNT) {
			fseek(file, header.length - sizeof(header), SEEK_CUR);
			arg->count++;
			continue;
		}
		if (arg->output_used + header.length > arg->output_size) {
			arg->flags &= ~BLINK_TREE_RECORD_SCAN_DONE;
			break;
		}
		fseek(file, position, SEEK_SET);
		arg->output_used +=
			fread(to + arg->output_used, 1, header.length, file);
		arg->count++;
		position = ftell(file);
	}
	fclose(file);
	return 0;
}

/*
 * The result of an operation that erases one of many values, which others add again.
 * Returns whether the call ends with it.
 */
static bool erase_value(struct blink_tree_record *result)
{
	static unsigned int erased;

	if (result->opcode != BLINK_TREE_OP_ERASE || !getenv("FAKE_MORE"))
		return false;
	result->result = erased < 1000 ? 1 : -ENOENT;
	result->flags = erased++ ? 0 : BLINK_TREE_RECORD_MORE;
	return result->flags;
}

static int records(struct blink_tree_ioc_records *arg)
{
	const unsigned char *input = (void *)(uintptr_t)arg->input;
	unsigned char *output = (void *)(uintptr_t)arg->output;
	bool load = arg->flags & BLINK_TREE_RECORDS_LOAD;
	unsigned int left = most_records();
	struct blinktree_record record;
	size_t size, used;
	int error;

	while (left-- && arg->input_used < arg->input_size) {
		size = blinktree_record_read(input + arg->input_used, &record);
		error = error_at("FAKE_RESULT", ++operations);
		if (load && error)
			return -error;
		if (!error)
			store(input + arg->input_used, size);
		arg->input_used += size;
		arg->done++;
		if (load)
			continue;
		used = arg->output_used;
		arg->output_used += write_result(output + used, record.opcode,
						 record.key, record.key_length,
						 -error);
		if (erase_value((void *)(output + used)))
			break;
	}
	return 0;
}

/* The ends of a range, in hexadecimal. */
static void tell_range(const unsigned char *first, size_t first_length,
		       const unsigned char *last, size_t last_length)
{
	char text[80];
	size_t i, len = 0;

	for (i = 0; i < first_length && len < 40; i++)
		len += sprintf(text + len, "%02x", first[i]);
	text[len++] = ' ';
	for (i = 0; i < last_length && len < 78; i++)
		len += sprintf(text + len, "%02x", last[i]);
	text[len] = '\0';
	tell_name("range", text);
}

static int scan(struct blink_tree_ioc_record_scan *arg)
{
	unsigned char *to = (void *)(uintptr_t)arg->output;
	unsigned char key[8] = {};
	unsigned int left = most_records();
	unsigned char *first = (void *)(uintptr_t)arg->first;

	run_once("FAKE_SCAN");
	tell_range(first, arg->first_length, (void *)(uintptr_t)arg->last,
		   arg->last_length);
	if (getenv("FAKE_STORE"))
		return scan_store(arg, getenv("FAKE_STORE"));
	arg->output_used = 0;
	arg->count = 0;
	if (arg->first_length)
		key[7] = first[7];
	for (; key[7] < ENTRIES && left; left--) {
		key[7]++;
		arg->count++;
		if (arg->flags & BLINK_TREE_RECORD_SCAN_COUNT)
			continue;
		arg->output_used += write_result(to + arg->output_used,
						 BLINK_TREE_OP_LOOKUP, key,
						 sizeof(key), 0);
	}
	memcpy(first, key, sizeof(key));
	arg->first_length = sizeof(key);
	if (key[7] == ENTRIES)
		arg->flags |= BLINK_TREE_RECORD_SCAN_DONE;
	return 0;
}

static int erase(struct blink_tree_ioc_record_erase *arg)
{
	tell_range((void *)(uintptr_t)arg->first, arg->first_length,
		   (void *)(uintptr_t)arg->last, arg->last_length);
	arg->flags |= BLINK_TREE_RECORD_ERASE_DONE;
	arg->count = ENTRIES;
	return 0;
}

/* A ring without changes. */
static int watch(void)
{
	const struct blink_tree_watch_ring ring = {
		.records = sizeof(ring),
		.record_size = sizeof(struct blink_tree_change),
		.slots = 64,
	};
	int fd = memfd_create("watch", MFD_CLOEXEC);

	if (fd >= 0 && (ftruncate(fd, 65536) ||
			pwrite(fd, &ring, sizeof(ring), 0) != sizeof(ring)))
		return -errno;
	return fd;
}

static int answer(unsigned long request, void *arg)
{
	const struct blink_tree_ioc_create *create = arg;
	const struct blink_tree_ioc_open *open = arg;
	const struct blink_tree_ioc_unlink *unlink = arg;

	switch (_IOC_NR(request)) {
	case _IOC_NR(BLINK_TREE_IOC_INFO):
		return info(arg);
	case _IOC_NR(BLINK_TREE_IOC_CREATE):
		tell_create(create);
		return open_tree(create->name, true);
	case _IOC_NR(BLINK_TREE_IOC_OPEN):
		if (open->flags & BLINK_TREE_OPEN_OWNER && open->uid != 7)
			return -EPERM;
		return open_tree(open->name, false);
	case _IOC_NR(BLINK_TREE_IOC_UNLINK):
		tell_name("unlink", unlink->name);
		return 0;
	case _IOC_NR(BLINK_TREE_IOC_ATTR):
		return attr(arg);
	case _IOC_NR(BLINK_TREE_IOC_LIST):
		return list(arg);
	case _IOC_NR(BLINK_TREE_IOC_STATS):
		return stats(arg);
	case _IOC_NR(BLINK_TREE_IOC_LEVELS):
		return levels(arg);
	case _IOC_NR(BLINK_TREE_IOC_VERIFY):
	case _IOC_NR(BLINK_TREE_IOC_HOT_LEAVES):
		return 0;
	case _IOC_NR(BLINK_TREE_IOC_RECORDS):
		return records(arg);
	case _IOC_NR(BLINK_TREE_IOC_RECORD_SCAN):
		return scan(arg);
	case _IOC_NR(BLINK_TREE_IOC_RECORD_ERASE):
		return erase(arg);
	case _IOC_NR(BLINK_TREE_IOC_WATCH):
		return watch();
	}
	return -ENOTTY;
}

int __wrap_ioctl(int fd, unsigned long request, ...)
{
	va_list list;
	void *arg;
	int ret;

	va_start(list, request);
	arg = va_arg(list, void *);
	va_end(list);
	if (_IOC_TYPE(request) != BLINK_TREE_IOC_TYPE)
		return __real_ioctl(fd, request, arg);
	if (!calls++)
		atexit(tell);
	ret = -error_at("FAKE_CALL", calls) ?: answer(request, arg);
	if (ret >= 0)
		return ret;
	errno = -ret;
	return -1;
}
