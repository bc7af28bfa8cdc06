// SPDX-License-Identifier: GPL-2.0
/*
 * Values of 0 to 4,096 bytes through each function, with an ioctl() that is a tree of one
 * entry: a key and a value of bytes. The program is linked with --wrap=ioctl.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include "blinktree_bytes.h"
#include "../../tests/common/tap.h"
#include "result.h"

#define LONGEST BLINK_TREE_RECORD_VALUE_MAX

struct content {
	unsigned char bytes[LONGEST];
	size_t length;
};

/* The tree: its value, and whether the key is present. */
static struct content value;
static bool present;

static bool equal(const struct content *a, const struct content *b)
{
	return a->length == b->length && !memcmp(a->bytes, b->bytes, a->length);
}

static int set(const struct content *new, int result)
{
	value = *new;
	present = true;
	return result;
}

static int drop(void)
{
	present = false;
	return 0;
}

static int execute_present(unsigned int opcode, const struct content *new,
			   const struct content *old)
{
	switch (opcode) {
	case BLINK_TREE_OP_INSERT:
		return -EEXIST;
	case BLINK_TREE_OP_GET_OR_INSERT:
		return 1;
	case BLINK_TREE_OP_STORE:
		return set(new, 1);
	case BLINK_TREE_OP_REPLACE:
		return set(new, 0);
	case BLINK_TREE_OP_CMPXCHG:
		return equal(&value, old) ? set(new, 0) : -ESTALE;
	case BLINK_TREE_OP_CMPERASE:
		return equal(&value, old) ? drop() : -ESTALE;
	case BLINK_TREE_OP_ERASE:
	case BLINK_TREE_OP_POP_MIN:
	case BLINK_TREE_OP_POP_MAX:
		return drop();
	}
	return 0;
}

static int execute(unsigned int opcode, const struct content *new,
		   const struct content *old)
{
	if (present)
		return execute_present(opcode, new, old);
	switch (opcode) {
	case BLINK_TREE_OP_INSERT:
	case BLINK_TREE_OP_STORE:
	case BLINK_TREE_OP_GET_OR_INSERT:
		return set(new, 0);
	}
	return -ENOENT;
}

static bool finds_value(unsigned int opcode)
{
	return opcode == BLINK_TREE_OP_LOOKUP ||
	       opcode == BLINK_TREE_OP_FLOOR || opcode == BLINK_TREE_OP_CEILING;
}

static bool adds(unsigned int opcode)
{
	return opcode == BLINK_TREE_OP_INSERT ||
	       opcode == BLINK_TREE_OP_STORE ||
	       opcode == BLINK_TREE_OP_GET_OR_INSERT;
}

/* Write a record without a key. Returns its length. */
static size_t put(unsigned char *to, unsigned int opcode, int result,
		  const struct content *found, const struct content *former)
{
	const struct blink_tree_record record = {
		.length =
			HEADER + padded(found->length) + padded(former->length),
		.opcode = opcode,
		.result = result,
		.value_length = found->length,
		.old_length = former->length,
	};

	memset(to, 0, record.length);
	memcpy(to, &record, HEADER);
	memcpy(to + HEADER, found->bytes, found->length);
	memcpy(to + HEADER + padded(found->length), former->bytes,
	       former->length);
	return record.length;
}

static struct content part(const unsigned char *from, size_t length)
{
	struct content content = { .length = length };

	memcpy(content.bytes, from, length);
	return content;
}

/* Execute an operation, and write the result that the UAPI header demands. */
static void execute_record(struct blink_tree_ioc_records *arg)
{
	const unsigned char *input = at(arg->input + arg->input_used);
	const struct content none = {}, former = value;
	struct blink_tree_record record;
	struct content new, old;
	int result;

	memcpy(&record, input, HEADER);
	input += HEADER + padded(record.key_length);
	new = part(input, record.value_length);
	old = part(input + padded(record.value_length), record.old_length);
	result = execute(record.opcode, &new, &old);
	if (!(arg->flags & BLINK_TREE_RECORDS_LOAD)) {
		bool found = finds_value(record.opcode) && !result;
		bool told = result == -EEXIST || result == -ESTALE ||
			    result == 1 ||
			    (!result && !adds(record.opcode) && !found);

		arg->output_used += put(at(arg->output + arg->output_used),
					record.opcode, result,
					found ? &former : &none,
					told ? &former : &none);
	}
	arg->input_used += record.length;
	arg->done++;
}

static int scan(struct blink_tree_ioc_record_scan *arg)
{
	const struct content none = {};

	arg->flags |= BLINK_TREE_RECORD_SCAN_DONE;
	arg->output_used =
		put(at(arg->output), BLINK_TREE_OP_LOOKUP, 0, &value, &none);
	arg->count = 1;
	return 0;
}

static int info(struct blink_tree_ioc_info *info)
{
	info->known = sizeof(*info);
	info->ioctls = ~0ULL;
	info->opcodes = ~0ULL;
	return 0;
}

static int records(struct blink_tree_ioc_records *arg)
{
	while (arg->input_used < arg->input_size)
		execute_record(arg);
	return 0;
}

int __wrap_ioctl(int fd, unsigned long request, ...)
{
	void *arg;
	va_list list;

	(void)fd;
	va_start(list, request);
	arg = va_arg(list, void *);
	va_end(list);
	switch (request) {
	case BLINK_TREE_IOC_INFO:
		return info(arg);
	case BLINK_TREE_IOC_CREATE:
		return open("/dev/null", O_RDONLY | O_CLOEXEC);
	case BLINK_TREE_IOC_RECORDS:
		return records(arg);
	case BLINK_TREE_IOC_RECORD_SCAN:
		return scan(arg);
	}
	errno = ENOTTY;
	return -1;
}

/* Room for a value, with bytes behind it that stay. */
static struct {
	unsigned char bytes[LONGEST + 1];
	struct blinktree_buffer buffer;
} got;

static size_t room;

static struct blinktree_buffer *fresh(void)
{
	memset(got.bytes, 0xee, sizeof(got.bytes));
	got.buffer = (struct blinktree_buffer){ got.bytes, room, 9999 };
	return &got.buffer;
}

/* The buffer has a value, or as much of it as there is room for. */
static bool has(const struct content *expected)
{
	size_t copied = expected->length < room ? expected->length : room;
	size_t i;

	for (i = copied; i < sizeof(got.bytes); i++) {
		if (got.bytes[i] != 0xee)
			return false;
	}
	return got.buffer.length == expected->length &&
	       !memcmp(got.bytes, expected->bytes, copied);
}

static struct content make(size_t length, unsigned int seed)
{
	struct content content = { .length = length };
	size_t i;

	for (i = 0; i < length; i++)
		content.bytes[i] = seed + i * 7 + i / 256;
	return content;
}

/* Two values of one length, and one of another length. */
static struct content a, b, other;

#define OF(content) (content).bytes, (content).length
#define KEY "key", 3

static void updates(struct blinktree *tree)
{
	tap_check(!blinktree_bytes_insert(tree, KEY, OF(a), fresh()));
	tap_check(!blinktree_bytes_get(tree, KEY, fresh()) && has(&a));
	tap_check(blinktree_bytes_insert(tree, KEY, OF(b), fresh()) == -EEXIST);
	tap_check(has(&a));
	tap_check(blinktree_bytes_get_or_insert(tree, KEY, OF(b), fresh()) ==
		  1);
	tap_check(has(&a));
	tap_check(blinktree_bytes_store(tree, KEY, OF(b), fresh()) == 1);
	tap_check(has(&a));
	tap_check(!blinktree_bytes_replace(tree, KEY, OF(a), fresh()));
	tap_check(has(&b) && equal(&value, &a));
	tap_check(!blinktree_bytes_erase(tree, KEY, fresh()) && has(&a));
	tap_check(blinktree_bytes_get(tree, KEY, fresh()) == -ENOENT);
}

static void compares(struct blinktree *tree)
{
	tap_check(!blinktree_bytes_get_or_insert(tree, KEY, OF(a), NULL));
	tap_check(blinktree_bytes_cmpxchg(tree, KEY, OF(other), OF(b),
					  fresh()) == -ESTALE);
	tap_check(has(&a));
	tap_check(!blinktree_bytes_cmpxchg(tree, KEY, OF(a), OF(other), NULL));
	tap_check(!blinktree_bytes_cmpxchg(tree, KEY, OF(other), OF(b), NULL));
	tap_check(equal(&value, &b));
	tap_check(blinktree_bytes_cmperase(tree, KEY, OF(other), fresh()) ==
		  -ESTALE);
	tap_check(has(&b));
	tap_check(!blinktree_bytes_cmperase(tree, KEY, OF(b), NULL));
	tap_check(!present);
}

static void finds(struct blinktree *tree)
{
	tap_check(!blinktree_bytes_store(tree, KEY, OF(b), NULL));
	tap_check(!blinktree_bytes_floor(tree, KEY, NULL, 0, NULL, fresh()));
	tap_check(has(&b));
	tap_check(!blinktree_bytes_ceiling(tree, KEY, NULL, 0, NULL, fresh()));
	tap_check(has(&b));
	tap_check(!blinktree_bytes_pop_min(tree, KEY, NULL, 0, NULL, fresh()));
	tap_check(has(&b) && !present);
	tap_check(!blinktree_bytes_store(tree, KEY, OF(a), NULL));
	tap_check(!blinktree_bytes_pop_max(tree, KEY, NULL, 0, NULL, fresh()));
	tap_check(has(&a) && !present);
}

static void for_all_lengths(struct blinktree *tree,
			    void (*test)(struct blinktree *tree))
{
	static const size_t lengths[] = { 0, 1, 7, 8, 4095, LONGEST };
	static const size_t rooms[] = { LONGEST, 4095, 1, 0 };
	size_t i, j;

	for (i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
		a = make(lengths[i], 1);
		b = make(lengths[i], 2);
		other = make(lengths[i] ? lengths[i] - 1 : 1, 1);
		for (j = 0; j < sizeof(rooms) / sizeof(*rooms); j++) {
			present = false;
			room = rooms[j];
			test(tree);
		}
	}
}

static void add(struct blinktree_stream *stream, unsigned int opcode,
		const struct content *new, const struct content *old)
{
	const struct blinktree_record record = {
		.opcode = opcode,
		.key = "key",
		.key_length = 3,
		.value = new->bytes,
		.value_length = new->length,
		.old = old->bytes,
		.old_length = old->length,
	};

	tap_check(!blinktree_stream_add(stream, &record));
}

/* The next result of a stream has this value, or this former one. */
static bool next(struct blinktree_stream *stream, int expected,
		 const struct content *found, const struct content *former)
{
	const struct blinktree_record *result;

	return blinktree_stream_next(stream, &result) == 1 &&
	       result->result == expected &&
	       result->value_length == found->length &&
	       !memcmp(result->value, found->bytes, found->length) &&
	       result->old_length == former->length &&
	       !memcmp(result->old, former->bytes, former->length);
}

static void streams(struct blinktree *tree)
{
	const struct content none = {};
	struct blinktree_stream *stream;
	size_t done;

	tap_check(!blinktree_stream_open(&stream));
	add(stream, BLINK_TREE_OP_INSERT, &a, &none);
	add(stream, BLINK_TREE_OP_LOOKUP, &none, &none);
	add(stream, BLINK_TREE_OP_CMPXCHG, &b, &other);
	add(stream, BLINK_TREE_OP_CMPXCHG, &b, &a);
	add(stream, BLINK_TREE_OP_POP_MIN, &none, &none);
	tap_check(!blinktree_stream_run(stream, tree, &done) && done == 5);
	tap_check(next(stream, 0, &none, &none) && next(stream, 0, &a, &none));
	tap_check(next(stream, -ESTALE, &none, &a));
	tap_check(next(stream, 0, &none, &a) && next(stream, 0, &none, &b));

	blinktree_stream_clear(stream);
	add(stream, BLINK_TREE_OP_INSERT, &b, &none);
	tap_check(!blinktree_stream_load(stream, tree, 100, &done));
	tap_check(done == 1 && equal(&value, &b));
	blinktree_stream_close(stream);
}

static void scans(struct blinktree *tree)
{
	const struct blinktree_record *entry;
	struct blinktree_bytes_scan *scan;

	set(&a, 0);
	tap_check(!blinktree_bytes_scan_open(tree, NULL, 0, &scan));
	tap_check(blinktree_bytes_scan_next(scan, &entry) == 1);
	tap_check(entry->value_length == a.length &&
		  !memcmp(entry->value, a.bytes, a.length));
	tap_check(!blinktree_bytes_scan_next(scan, &entry));
	blinktree_bytes_scan_close(scan);
}

int main(void)
{
	const unsigned int planned = 5;
	struct blinktree_ctl *ctl = NULL;
	struct blinktree *tree = NULL;

	tap_begin(planned);
	tap_check(!blinktree_ctl_open("/dev/null", &ctl));
	tap_check(!blinktree_create(ctl, NULL, 0, 0, &tree));
	for_all_lengths(tree, updates);
	tap_case("updates take and return values of all lengths");
	for_all_lengths(tree, compares);
	tap_case("values are compared as a whole");
	for_all_lengths(tree, finds);
	tap_case("an operation that finds a key returns its value");
	for_all_lengths(tree, streams);
	tap_case("streams");
	for_all_lengths(tree, scans);
	tap_case("scans");
	blinktree_close(tree);
	blinktree_ctl_close(ctl);
	return tap_exit(planned);
}
