// SPDX-License-Identifier: GPL-2.0
/*
 * restore: store the entries of a snapshot. In a tree that exists they are inserted or
 * stored, chunk by chunk. A *new* tree has another name until it has all entries, so
 * under its own name it is complete.
 */
#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "account.h"
#include "crc32c.h"
#include "device.h"
#include "interrupt.h"
#include "input.h"
#include "operation.h"
#include "printer.h"
#include "progress.h"
#include "snapshot.h"
#include "target.h"

/**
 * struct snapshot_reader - a snapshot that is being read
 * @input: the file
 * @attr: the attributes of the tree that was saved
 * @kinds: its kinds
 * @entries: entries that were returned
 * @start: position of the present chunk in the file
 * @left: entries of the present chunk that were not returned yet
 * @used: bytes of @records whose entries were returned
 * @bytes: bytes in @records
 * @records: the records of the present chunk
 * @last: the entry that was returned last, if there is one
 */
struct snapshot_reader {
	struct input *input;
	struct blink_tree_ioc_attr attr;
	struct kinds kinds;
	__u64 entries;
	__u64 start;
	__u32 left;
	size_t used;
	size_t bytes;
	unsigned char records[SNAPSHOT_RECORDS_MAX];
	struct entry last;
};

static enum status tell_truncated(const struct snapshot_reader *reader)
{
	message("%s: truncated: it ends at byte %llu, without an end mark",
		input_name(reader->input), input_position(reader->input));
	return STATUS_TRUNCATED;
}

static enum status tell_corrupted(const struct snapshot_reader *reader,
				  const char *why)
{
	message("%s: corrupted: in the chunk at byte %llu %s",
		input_name(reader->input), reader->start, why);
	return STATUS_CORRUPTED;
}

/* Read up to @len bytes, and fewer only at the end. */
static enum status read_some(const struct snapshot_reader *reader, void *bytes,
			     size_t len, size_t *nr)
{
	ssize_t ret = input_read(reader->input, bytes, len);

	if (interrupted())
		return STATUS_INTERRUPTED;
	*nr = ret;
	return ret < 0 ? STATUS_SYSTEM : STATUS_OK;
}

static enum status read_bytes(const struct snapshot_reader *reader, void *bytes,
			      size_t len)
{
	size_t nr;
	enum status status = read_some(reader, bytes, len, &nr);

	return !status && nr < len ? tell_truncated(reader) : status;
}

/*
 * The functions of the reader return a status other than STATUS_OK after a message, or
 * STATUS_INTERRUPTED. Read the header.
 */
static enum status snapshot_open(struct snapshot_reader *reader,
				 struct input *input)
{
	struct snapshot_header header;
	enum status status;
	const char *why;
	size_t nr;

	reader->input = input;
	reader->entries = 0;
	reader->left = 0;
	status = read_some(reader, &header, sizeof(header), &nr);
	if (status)
		return status;
	status = snapshot_read_header(&header, nr, &reader->attr, &why);
	if (status)
		message("%s: %s", input_name(input), why);
	reader->kinds.key = reader->attr.key;
	reader->kinds.value = value_kind(reader->attr.create_flags);
	return status;
}

/* Nothing follows the end mark. */
static enum status read_end(const struct snapshot_reader *reader)
{
	char byte;
	size_t nr;
	enum status status = read_some(reader, &byte, sizeof(byte), &nr);

	return !status && nr ?
		       tell_corrupted(reader, "the end mark is not the end") :
		       status;
}

static enum status read_records(struct snapshot_reader *reader,
				const struct snapshot_chunk *chunk)
{
	enum status status;

	reader->bytes = le32toh(chunk->bytes);
	reader->used = 0;
	status = read_bytes(reader, reader->records, reader->bytes);
	if (status)
		return status;
	if (chunk->records_crc !=
	    htole32(crc32c(0, reader->records, reader->bytes)))
		return tell_corrupted(reader,
				      "the checksum of the records is wrong");
	reader->left = le32toh(chunk->count);
	return reader->left ? STATUS_OK : read_end(reader);
}

/* Read the next chunk. Its @left is 0 at the end mark, which ends the file. */
static enum status snapshot_next_chunk(struct snapshot_reader *reader)
{
	struct snapshot_chunk chunk;
	enum status status;

	reader->start = input_position(reader->input);
	status = read_bytes(reader, &chunk, sizeof(chunk));
	if (status)
		return status;
	if (!snapshot_chunk_is_good(&chunk))
		return tell_corrupted(reader,
				      "the checksum of its head is wrong");
	if (le64toh(chunk.before) != reader->entries)
		return tell_corrupted(reader,
				      "entries are missing or repeated");
	return read_records(reader, &chunk);
}

/* Return the next of the @left entries of the chunk. */
static enum status snapshot_next(struct snapshot_reader *reader,
				 struct entry *entry)
{
	size_t len = snapshot_read_record(reader->records + reader->used,
					  reader->bytes - reader->used,
					  reader->kinds, entry);
	bool is_last = reader->left == 1;

	if (!len || is_last != (reader->used + len == reader->bytes))
		return tell_corrupted(reader, "a record has a wrong length");
	if (reader->entries &&
	    !snapshot_ascends(&reader->last, entry, reader->kinds.key))
		return tell_corrupted(reader, "the keys do not ascend");
	key_copy(&reader->last.key, &entry->key);
	value_copy(&reader->last.value, &entry->value);
	reader->used += len;
	reader->entries++;
	reader->left--;
	return STATUS_OK;
}

struct summary {
	__u64 read;
	__u64 added;
	__u64 present;
	__u64 overwritten;
	double seconds;
};

struct restore {
	const struct args *args;
	struct snapshot_reader *reader;
	struct blinktree_ctl *ctl;
	struct target target;
	/* With --owner. */
	struct account owner;
	/* The tree is new, and has this name until it is complete. */
	bool created;
	char temporary[BLINK_TREE_NAME_MAX];
	/* The operations of a chunk, and the opcode of each. */
	struct blinktree_stream *stream;
	unsigned int opcode;
	struct summary summary;
};

/* The percent of a leaf to fill in a new tree. */
#define FILL 100

/* Operations that were not run yet are dropped with the chunk. */
static enum status read_chunk(struct restore *restore)
{
	struct snapshot_reader *reader = restore->reader;
	struct entry entry;
	enum status status;

	blinktree_stream_clear(restore->stream);
	status = snapshot_next_chunk(reader);
	while (!status && reader->left) {
		status = snapshot_next(reader, &entry);
		if (!status && operation_add_entry(restore->stream,
						   restore->opcode, &entry))
			status = device_failed("restore", ENOMEM);
	}
	return status;
}

/* Count a result. Returns 0 or a negative errno. */
static int tally(struct summary *summary, int result)
{
	switch (result) {
	case 0:
		summary->added++;
		return 0;
	case 1:
		summary->overwritten++;
		return 0;
	case -EEXIST:
		summary->present++;
		return 0;
	}
	return result;
}

/* The first error of the operations, or that of the call. All results are counted. */
static int store_chunk(struct restore *restore)
{
	int err, failed, first = 0;
	size_t done, i;

	err = blinktree_stream_run(restore->stream, restore->target.tree,
				   &done);
	for (i = 0; i < done; i++) {
		failed = tally(&restore->summary,
			       operation_status(restore->stream));
		first = first ?: failed;
	}
	return first ?: err;
}

static int load_chunk(struct restore *restore)
{
	size_t done;
	int err = blinktree_stream_load(restore->stream, restore->target.tree,
					FILL, &done);

	restore->summary.added += done;
	return err;
}

static enum status copy_chunk(struct restore *restore)
{
	int err = restore->created ? load_chunk(restore) : store_chunk(restore);

	if (!err)
		return STATUS_OK;
	return interrupted() ? STATUS_INTERRUPTED :
			       device_failed(restore->target.name, -err);
}

static enum status copy_chunks(struct restore *restore)
{
	struct snapshot_reader *reader = restore->reader;
	struct progress progress;
	enum status status;
	__u64 before;

	progress_start(&progress, input_size(reader->input));
	do {
		before = reader->entries;
		status = read_chunk(restore);
		if (!status)
			status = copy_chunk(restore);
		progress_update(&progress, input_position(reader->input),
				"%llu entries", reader->entries);
	} while (!status && reader->entries > before);
	restore->summary.read = reader->entries;
	restore->summary.seconds = progress_seconds(&progress);
	progress_end(&progress);
	return status;
}

/* The permissions of a new tree. The file can come from anyone, so the umask applies. */
static __u32 new_mode(const struct restore *restore)
{
	const struct args *args = restore->args;
	mode_t mask;

	if (args->attr.mode != ATTR_NO_MODE)
		return args->attr.mode;
	if (args->keep)
		return restore->reader->attr.mode;
	mask = umask(0);
	umask(mask);
	return restore->reader->attr.mode & ~mask;
}

static enum status give_name(const struct restore *restore)
{
	const char *name = restore->target.name;
	struct blink_tree_ioc_attr attr = {
		.flags = BLINK_TREE_ATTR_NAME | BLINK_TREE_ATTR_MODE,
		.mode = new_mode(restore),
		.gid = restore->reader->attr.gid,
	};
	int err;

	if (restore->args->keep)
		attr.flags |= BLINK_TREE_ATTR_GID;
	memcpy(attr.name, name, strlen(name));
	err = blinktree_attr(restore->target.tree, &attr, sizeof(attr));
	if (!err)
		return STATUS_OK;
	if (err != -EINVAL && err != -EPERM)
		return device_tree_error(name, -err);
	message("%s: the mode %03o or the group %u cannot be set: %s", name,
		attr.mode, attr.gid, strerror(-err));
	return STATUS_SYSTEM;
}

/* Without all its entries, a new tree is removed. */
static enum status finish(struct restore *restore, enum status status)
{
	if (!restore->created)
		return status;
	if (!status)
		status = give_name(restore);
	if (!status)
		return STATUS_OK;
	blinktree_unlink(restore->ctl, restore->temporary);
	restore->summary.added = 0;
	message("%s: the tree was not created", restore->target.name);
	return status;
}

static void print_summary(struct printer *out, const struct restore *restore)
{
	const struct summary *summary = &restore->summary;

	print_begin(out, PART_OBJECT, NULL);
	print_text(out, "tree", restore->target.name);
	print_u64(out, "read", summary->read);
	print_u64(out, "added", summary->added);
	print_u64(out, "present", summary->present);
	print_u64(out, "overwritten", summary->overwritten);
	print_real(out, "seconds", summary->seconds, 1);
	print_end(out);
}

static enum status copy_tree(struct restore *restore, struct printer *out)
{
	enum status status;

	if (blinktree_stream_open(&restore->stream))
		return finish(restore, device_failed("restore", ENOMEM));
	status = finish(restore, copy_chunks(restore));
	blinktree_stream_close(restore->stream);
	print_summary(out, restore);
	return status ?: restore->summary.present ? STATUS_NO : STATUS_OK;
}

static bool is_same_kind(const struct kinds *a, const struct kinds *b)
{
	return a->key == b->key && a->value == b->value;
}

static enum status use_present(struct restore *restore)
{
	const struct kinds *saved = &restore->reader->kinds;
	struct target *target = &restore->target;

	if (!target_describe(target))
		return STATUS_SYSTEM;
	if (!is_same_kind(saved, &target->kinds)) {
		message("%s: keys are %s and values %s, but those of the snapshot are %s and %s",
			target->name, word_of(key_words, target->kinds.key),
			value_words[target->kinds.value],
			word_of(key_words, saved->key),
			value_words[saved->value]);
		return STATUS_OTHER_KIND;
	}
	if (restore->args->keep || restore->args->attr.mode != ATTR_NO_MODE) {
		message("%s: the tree exists, so --keep and --mode have no effect (see: %s attr)",
			target->name, PROGRAM);
		return STATUS_USAGE;
	}
	restore->opcode = restore->args->replace ? BLINK_TREE_OP_STORE :
						   BLINK_TREE_OP_INSERT;
	return STATUS_OK;
}

/* A name that no other tree has. */
static void choose_name(char name[BLINK_TREE_NAME_MAX])
{
	__u64 number = 0;

	if (getrandom(&number, sizeof(number), 0) < 0)
		number = getpid();
	snprintf(name, BLINK_TREE_NAME_MAX, "restore-%016llx", number);
}

/* The kernel charges a tree to the user that creates it. */
static int create_as_owner(struct restore *restore,
			   const struct blink_tree_ioc_create *how)
{
	const struct account *owner = &restore->owner;
	int err;

	if (restore->args->owner && !account_become(owner))
		return -ESRCH;
	err = blinktree_create_as(restore->ctl, how, sizeof(*how),
				  &restore->target.tree);
	if (restore->args->owner)
		account_return();
	return err;
}

static enum status create(struct restore *restore)
{
	const struct blink_tree_ioc_attr *saved = &restore->reader->attr;
	struct blink_tree_ioc_create how = {
		.flags = saved->create_flags,
		.mode = 0600,
		.max_entries = saved->max_entries,
		.replication = saved->replication,
		.locking = saved->locking,
		.placement = saved->placement,
		.key = saved->key,
		.max_bytes = saved->max_bytes,
	};
	int err;

	choose_name(restore->temporary);
	memcpy(how.name, restore->temporary, sizeof(how.name));
	err = create_as_owner(restore, &how);
	if (err == -EINVAL) {
		message("%s: the module does not know an option of the saved tree",
			restore->target.name);
		return STATUS_SYSTEM;
	}
	restore->created = !err;
	restore->opcode = BLINK_TREE_OP_INSERT;
	if (err == -ESRCH)
		return STATUS_SYSTEM;
	return err ? device_tree_error(restore->target.name, -err) : STATUS_OK;
}

/* A service must not make the tree of one user that of another one. */
static enum status compare_owner(struct restore *restore)
{
	const struct args *args = restore->args;
	__u32 saved = restore->reader->attr.uid;

	if (!args->owner)
		return STATUS_OK;
	if (!account_find(args->owner, &restore->owner))
		return STATUS_USAGE;
	if (restore->owner.uid == saved)
		return STATUS_OK;
	message("%s: its tree belonged to user %u, not to %s", args->words[0],
		saved, args->owner);
	return STATUS_SYSTEM;
}

/* Without a name on the command line, a tree of the saved name is not meant. */
static enum status open_or_create(struct restore *restore)
{
	struct target *target = &restore->target;
	bool named = restore->args->nr > 1;
	int err;

	target->name = named ? restore->args->words[1] :
			       restore->reader->attr.name;
	err = device_open_named(restore->args, restore->ctl, target->name,
				BLINK_TREE_OPEN_WRITE, &target->tree);
	if (err == -ENOENT)
		return create(restore);
	if (err)
		return device_not_opened(restore->args, target->name, -err);
	if (named)
		return use_present(restore);
	message("%s: there is a tree of this name already; name it to add the entries",
		target->name);
	return STATUS_SYSTEM;
}

/* Read the header first: the tree depends on it. */
static enum status restore_from(struct restore *restore, struct printer *out,
				struct input *input)
{
	enum status status = snapshot_open(restore->reader, input);

	if (!status)
		status = compare_owner(restore);
	if (!status)
		status = open_or_create(restore);
	if (!status)
		status = copy_tree(restore, out);
	blinktree_close(restore->target.tree);
	return status;
}

static enum status read_file(struct restore *restore, struct printer *out)
{
	struct input *input = input_open(restore->args->words[0]);
	enum status status;

	if (!input)
		return STATUS_SYSTEM;
	status = restore_from(restore, out, input);
	input_close(input);
	return status;
}

enum status run_restore(const struct args *args, struct printer *out)
{
	struct restore restore = { .args = args, .ctl = device_open(args) };
	enum status status;

	if (!restore.ctl)
		return STATUS_SYSTEM;
	interrupt_catch();
	restore.reader = calloc(1, sizeof(*restore.reader));
	status = restore.reader ? read_file(&restore, out) :
				  device_failed("restore", ENOMEM);
	free(restore.reader);
	blinktree_ctl_close(restore.ctl);
	return status;
}
