// SPDX-License-Identifier: GPL-2.0
/*
 * Operations and streams on keys of any kind, with an ioctl() that checks each record of a
 * stream, and uses every freedom of the contract more often than the kernel: it stops
 * early, fails in the middle, and executes as little as it may. The program is linked with
 * --wrap=ioctl.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "blinktree_bytes.h"
#include "../../tests/common/tap.h"
#include "result.h"

/* The behaviour of the next ioctls. Each case sets the fields that it needs. */
static struct {
	unsigned int calls;
	/* Most records per call. */
	unsigned int limit;
	/* This call, counted from 1, does nothing, as after a signal. */
	unsigned int idle_call;
	/* This call, counted from 1, fails with this error after one record. */
	unsigned int fail_call;
	int fail_errno;
	/* The result of each operation, and how long its key and its values are. */
	__s32 result;
	/* Erasures that leave some values of the key. */
	unsigned int partial;
	__u16 key_length;
	__u16 value_length;
	__u16 old_length;
	/* All records so far, and the flags of the last call. */
	unsigned char input[65536];
	size_t input_length;
	__u32 flags;
	__u32 fill;
} fake;

static void reset(void)
{
	memset(&fake, 0, sizeof(fake));
	fake.limit = UINT32_MAX;
}

/* The form that the UAPI header demands: true lengths, and zeros between the parts. */
static bool well_formed(const unsigned char *bytes, size_t left)
{
	struct blink_tree_record record;
	size_t lengths[3], i, j;

	if (left < HEADER)
		return false;
	memcpy(&record, bytes, HEADER);
	if (record.length > left || record.length % 8 || record.flags ||
	    record.result || record.__reserved[0] || record.__reserved[1] ||
	    record.__reserved[2])
		return false;
	lengths[0] = record.key_length;
	lengths[1] = record.value_length;
	lengths[2] = record.old_length;
	bytes += HEADER;
	for (i = 0; i < 3; bytes += padded(lengths[i++])) {
		for (j = lengths[i]; j < padded(lengths[i]); j++) {
			if (bytes[j])
				return false;
		}
	}
	return record.length == HEADER + padded(lengths[0]) +
					padded(lengths[1]) + padded(lengths[2]);
}

static size_t put_result(unsigned char *to, unsigned int opcode)
{
	const struct blink_tree_record result = {
		.opcode = opcode,
		.flags = fake.partial ? BLINK_TREE_RECORD_MORE : 0,
		.result = fake.result,
		.key_length = fake.key_length,
		.value_length = fake.value_length,
		.old_length = fake.old_length,
	};

	fake.partial -= !!fake.partial;
	return result_write(to, &result);
}

/* Execute one record, unless its longest result has no room. */
static bool execute(struct blink_tree_ioc_records *arg)
{
	unsigned char *input = at(arg->input + arg->input_used);
	unsigned char *output = at(arg->output + arg->output_used);
	bool load = arg->flags & BLINK_TREE_RECORDS_LOAD;
	struct blink_tree_record record;

	if (!load && arg->output_size - arg->output_used < RESULT_MAX)
		return false;
	if (!tap_check(well_formed(input, arg->input_size - arg->input_used)))
		exit(1);
	memcpy(&record, input, HEADER);
	memcpy(fake.input + fake.input_length, input, record.length);
	fake.input_length += record.length;
	arg->input_used += record.length;
	if (!load)
		arg->output_used += put_result(output, record.opcode);
	arg->done++;
	return true;
}

static int fake_records(struct blink_tree_ioc_records *arg)
{
	bool fails = fake.calls == fake.fail_call;

	fake.flags = arg->flags;
	fake.fill = arg->fill;
	if (fake.calls == fake.idle_call)
		return 0;
	while (arg->input_used < arg->input_size &&
	       arg->done < (fails ? 1 : fake.limit)) {
		if (!execute(arg))
			break;
	}
	errno = fake.fail_errno;
	return fails ? -1 : 0;
}

static int fake_info(struct blink_tree_ioc_info *info)
{
	info->known = sizeof(*info);
	info->ioctls = ~0ULL;
	info->opcodes = ~0ULL;
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
	if (++fake.calls == fake.fail_call &&
	    request != BLINK_TREE_IOC_RECORDS) {
		errno = fake.fail_errno;
		return -1;
	}
	switch (request) {
	case BLINK_TREE_IOC_INFO:
		return fake_info(arg);
	case BLINK_TREE_IOC_CREATE:
		return open("/dev/null", O_RDONLY | O_CLOEXEC);
	case BLINK_TREE_IOC_RECORDS:
		return fake_records(arg);
	}
	errno = ENOTTY;
	return -1;
}

static void test_numbers(void)
{
	static const unsigned char bytes[8] = { 1, 2, 3, 4, 5, 6, 7, 0xf8 };
	unsigned char key[8];

	blinktree_key_from_number(key, 0x01020304050607f8);
	tap_check(!memcmp(key, bytes, sizeof(key)));
	tap_check(blinktree_key_number(bytes) == 0x01020304050607f8);
	tap_case("a number as a key begins with its most significant byte");
}

static void test_form(struct blinktree *tree)
{
	static const struct {
		struct blink_tree_record header;
		char key[8], value[16], old[8];
	} expected = {
		{ 56, BLINK_TREE_OP_CMPXCHG, 0, 0, 3, 9, 1, { 0 } },
		"key",
		"new value",
		"o",
	};
	static char longest[4097];

	tap_check(!blinktree_bytes_cmpxchg(tree, "key", 3, "o", 1, "new value",
					   9, NULL));
	tap_check(fake.input_length == sizeof(expected));
	tap_check(!memcmp(fake.input, &expected, sizeof(expected)));

	fake.input_length = 0;
	tap_check(!blinktree_bytes_erase(tree, NULL, 0, NULL));
	tap_check(fake.input_length == HEADER);
	fake.input_length = 0;
	tap_check(!blinktree_bytes_store(tree, longest, 1024, longest, 4096,
					 NULL));
	tap_check(fake.input_length == HEADER + 1024 + 4096);

	fake.calls = 0;
	tap_check(blinktree_bytes_get(tree, longest, 1025, NULL) == -EINVAL);
	tap_check(blinktree_bytes_store(tree, "k", 1, longest, 4097, NULL) ==
		  -EINVAL);
	tap_check(blinktree_bytes_cmperase(tree, "k", 1, longest, 4097, NULL) ==
		  -EINVAL);
	tap_check(!fake.calls);
	tap_case(
		"an operation is a record, of any length that a tree can have");
}

/* Room for a key or a value, with a byte behind it that stays. */
struct room {
	char bytes[16];
	struct blinktree_buffer buffer;
};

static struct blinktree_buffer *fresh(struct room *room)
{
	memset(room->bytes, '.', sizeof(room->bytes));
	room->buffer = (struct blinktree_buffer){ room->bytes, 8, 99 };
	return &room->buffer;
}

/* Does the room have this many of a byte, or was nothing written to it? */
static bool has(const struct room *room, char byte, size_t length)
{
	size_t i;

	for (i = 0; i < sizeof(room->bytes); i++) {
		bool written = byte && i < length && i < room->buffer.room;

		if (room->bytes[i] != (written ? byte : '.'))
			return false;
	}
	return room->buffer.length == (byte ? length : 99);
}

/* The opcode of the last operation, which had these parts. */
static bool was(unsigned int opcode, size_t key, size_t value, size_t old)
{
	struct blink_tree_record record;

	memcpy(&record, fake.input, HEADER);
	fake.input_length = 0;
	return record.opcode == opcode && record.key_length == key &&
	       record.value_length == value && record.old_length == old;
}

static void test_updates(struct blinktree *tree)
{
	struct room room;

	fake.old_length = 8;
	fake.result = -EEXIST;
	tap_check(blinktree_bytes_insert(tree, "k", 1, "vv", 2, fresh(&room)) ==
		  -EEXIST);
	tap_check(has(&room, 'o', 8) && was(BLINK_TREE_OP_INSERT, 1, 2, 0));
	fake.result = 0;
	tap_check(!blinktree_bytes_insert(tree, "k", 1, "vv", 2, fresh(&room)));
	tap_check(has(&room, 0, 0));
	tap_check(!blinktree_bytes_store(tree, "k", 1, "vv", 2, fresh(&room)));
	tap_check(has(&room, 0, 0) && was(BLINK_TREE_OP_INSERT, 1, 2, 0));
	fake.result = 1;
	tap_check(blinktree_bytes_store(tree, "k", 1, "vv", 2, fresh(&room)) ==
		  1);
	tap_check(has(&room, 'o', 8) && was(BLINK_TREE_OP_STORE, 1, 2, 0));
	tap_check(blinktree_bytes_get_or_insert(tree, "k", 1, "vv", 2,
						fresh(&room)) == 1);
	tap_check(has(&room, 'o', 8) &&
		  was(BLINK_TREE_OP_GET_OR_INSERT, 1, 2, 0));
	fake.result = 0;
	tap_check(
		!blinktree_bytes_replace(tree, "k", 1, "vv", 2, fresh(&room)));
	tap_check(has(&room, 'o', 8) && was(BLINK_TREE_OP_REPLACE, 1, 2, 0));
	tap_check(!blinktree_bytes_erase(tree, "k", 1, fresh(&room)));
	tap_check(has(&room, 'o', 8) && was(BLINK_TREE_OP_ERASE, 1, 0, 0));
	fake.result = 7;
	tap_check(blinktree_bytes_erase(tree, "k", 1, fresh(&room)) == 7);
	tap_check(has(&room, 0, 0) && was(BLINK_TREE_OP_ERASE, 1, 0, 0));
	fake.calls = 0;
	fake.partial = 2;
	tap_check(blinktree_bytes_erase(tree, "k", 1, NULL) == 21);
	tap_check(fake.calls == 3);
	fake.partial = 1;
	fake.fail_call = fake.calls + 2;
	fake.fail_errno = EINTR;
	tap_check(blinktree_bytes_erase(tree, "k", 1, NULL) == 7);
	fake.fail_call = fake.calls + 1;
	tap_check(blinktree_bytes_erase(tree, "k", 1, NULL) == -EINTR);
	fake.partial = 1;
	fake.result = INT_MAX;
	tap_check(blinktree_bytes_erase(tree, "k", 1, NULL) == INT_MAX);
	tap_case("an update returns the value that its comment promises");
}

static void test_compares(struct blinktree *tree)
{
	struct room room;

	fake.old_length = 8;
	fake.result = -ESTALE;
	tap_check(blinktree_bytes_cmpxchg(tree, "k", 1, "oooo", 4, "vv", 2,
					  fresh(&room)) == -ESTALE);
	tap_check(has(&room, 'o', 8) && was(BLINK_TREE_OP_CMPXCHG, 1, 2, 4));
	tap_check(blinktree_bytes_cmperase(tree, "k", 1, "oooo", 4,
					   fresh(&room)) == -ESTALE);
	tap_check(has(&room, 'o', 8) && was(BLINK_TREE_OP_CMPERASE, 1, 0, 4));
	fake.result = 0;
	tap_check(!blinktree_bytes_cmpxchg(tree, "k", 1, "oooo", 4, "vv", 2,
					   fresh(&room)));
	tap_check(has(&room, 0, 0));
	tap_case("an operation that compares returns the present value");
}

static void test_finds(struct blinktree *tree)
{
	struct room key, value;

	fake.key_length = 5;
	fake.value_length = 12;
	tap_check(!blinktree_bytes_get(tree, "k", 1, fresh(&value)));
	/* A value that is longer than the room is cut off. */
	tap_check(has(&value, 'v', 12) && was(BLINK_TREE_OP_LOOKUP, 1, 0, 0));
	tap_check(!blinktree_bytes_floor(tree, "k", 1, NULL, 0, fresh(&key),
					 fresh(&value)));
	tap_check(has(&key, 'k', 5) && has(&value, 'v', 12) &&
		  was(BLINK_TREE_OP_FLOOR, 1, 0, 0));
	tap_check(!blinktree_bytes_ceiling(tree, "k", 1, "vv", 2, NULL, NULL));
	tap_check(was(BLINK_TREE_OP_CEILING, 1, 2, 0));
	fake.value_length = 0;
	fake.old_length = 3;
	tap_check(!blinktree_bytes_pop_min(tree, "k", 1, NULL, 0, fresh(&key),
					   fresh(&value)));
	tap_check(has(&key, 'k', 5) && has(&value, 'o', 3) &&
		  was(BLINK_TREE_OP_POP_MIN, 1, 0, 0));
	tap_check(!blinktree_bytes_pop_max(tree, "k", 1, "v", 1, fresh(&key),
					   fresh(&value)));
	tap_check(was(BLINK_TREE_OP_POP_MAX, 1, 1, 0));
	fake.result = -ENOENT;
	tap_check(blinktree_bytes_pop_max(tree, "k", 1, NULL, 0, fresh(&key),
					  fresh(&value)) == -ENOENT);
	tap_check(has(&key, 0, 0) && has(&value, 0, 0));
	tap_check(blinktree_bytes_get(tree, "k", 1, fresh(&value)) == -ENOENT);
	tap_check(has(&value, 0, 0));

	fake.idle_call = fake.calls + 1;
	tap_check(blinktree_bytes_get(tree, "k", 1, NULL) == -ENOENT);
	tap_check(fake.calls == fake.idle_call + 1);
	fake.fail_call = fake.calls + 1;
	fake.fail_errno = EINTR;
	tap_check(blinktree_bytes_get(tree, "k", 1, NULL) == -EINTR);
	tap_case("an operation that finds a key returns it and its value");
}

/* Add lookups of 8-byte keys that ascend. */
static void add(struct blinktree_stream *stream, unsigned int opcode, size_t nr)
{
	unsigned char key[8];
	size_t i;

	for (i = 0; i < nr; i++) {
		struct blinktree_record record = {
			.opcode = opcode,
			.key = key,
			.key_length = sizeof(key),
		};

		blinktree_key_from_number(key, i);
		tap_check(!blinktree_stream_add(stream, &record));
	}
}

/* Each record reached the kernel once. */
static bool complete(size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++) {
		if (blinktree_key_number(fake.input + i * 32 + HEADER) != i)
			return false;
	}
	return fake.input_length == nr * 32;
}

static size_t results(struct blinktree_stream *stream)
{
	const struct blinktree_record *result;
	size_t nr;

	for (nr = 0; blinktree_stream_next(stream, &result) == 1; nr++)
		tap_check(result->opcode == BLINK_TREE_OP_LOOKUP &&
			  result->result == fake.result &&
			  !result->key_length &&
			  result->value_length == fake.value_length &&
			  ((const char *)result->value)[0] == 'v' &&
			  !result->old_length);
	return nr;
}

static void test_stream(struct blinktree *tree)
{
	const size_t nr = 1000;
	struct blinktree_stream *stream;
	size_t done = 99;

	tap_check(!blinktree_stream_open(&stream));
	tap_check(!blinktree_stream_run(stream, tree, &done) && !done);
	tap_check(!fake.calls);
	fake.value_length = 8;
	add(stream, BLINK_TREE_OP_LOOKUP, 1);
	tap_check(!blinktree_stream_run(stream, tree, &done) && done == 1);
	tap_check(results(stream) == 1);
	blinktree_stream_clear(stream);
	reset();
	/* The results are far longer than the operations. */
	fake.value_length = 4000;
	fake.idle_call = 2;
	add(stream, BLINK_TREE_OP_LOOKUP, nr);
	tap_check(!blinktree_stream_run(stream, tree, &done) && done == nr);
	tap_check(complete(nr) && results(stream) == nr && fake.calls > 5);
	tap_check(!blinktree_stream_run(stream, tree, &done) && done == nr);
	tap_check(!results(stream));

	reset();
	fake.value_length = 8;
	fake.limit = 3;
	blinktree_stream_clear(stream);
	add(stream, BLINK_TREE_OP_LOOKUP, 10);
	fake.fail_call = 3;
	fake.fail_errno = EFAULT;
	tap_check(blinktree_stream_run(stream, tree, &done) == -EFAULT);
	tap_check(done == 7 && results(stream) == 7);
	tap_check(!blinktree_stream_run(stream, tree, &done) && done == 10);
	tap_check(complete(10) && results(stream) == 3);
	blinktree_stream_close(stream);
	tap_case(
		"a stream executes each operation once, whatever the kernel does");
}

static void test_load(struct blinktree *tree)
{
	struct blinktree_stream *stream;
	size_t done = 99;

	tap_check(!blinktree_stream_open(&stream));
	add(stream, BLINK_TREE_OP_INSERT, 10);
	fake.limit = 3;
	fake.idle_call = 2;
	fake.fail_call = 4;
	fake.fail_errno = EEXIST;
	tap_check(blinktree_stream_load(stream, tree, 80, &done) == -EEXIST);
	tap_check(done == 7 && fake.calls == 4);
	tap_check(fake.flags == BLINK_TREE_RECORDS_LOAD && fake.fill == 80);
	blinktree_stream_clear(stream);
	fake.input_length = 0;
	add(stream, BLINK_TREE_OP_INSERT, 10);
	tap_check(!blinktree_stream_load(stream, tree, 100, &done));
	tap_check(done == 10 && complete(10) && !results(stream));
	blinktree_stream_close(stream);
	tap_case("a load continues after a signal");
}

int main(void)
{
	const unsigned int planned = 7;
	struct blinktree_ctl *ctl = NULL;
	struct blinktree *tree = NULL;

	tap_begin(planned);
	reset();
	tap_check(!blinktree_ctl_open("/dev/null", &ctl));
	tap_check(!blinktree_create(ctl, NULL, 0, 0, &tree));
	test_numbers();
	reset();
	test_form(tree);
	reset();
	test_updates(tree);
	reset();
	test_compares(tree);
	reset();
	test_finds(tree);
	reset();
	test_stream(tree);
	reset();
	test_load(tree);
	blinktree_close(tree);
	blinktree_ctl_close(ctl);
	return tap_exit(planned);
}
