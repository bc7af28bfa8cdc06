// SPDX-License-Identifier: GPL-2.0
/* save: write a snapshot of a tree. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device.h"
#include "interrupt.h"
#include "printer.h"
#include "progress.h"
#include "output.h"
#include "snapshot.h"
#include "target.h"

struct summary {
	__u64 entries;
	__u64 bytes;
	double seconds;
};

/* Entries to write before the progress line looks at the clock again. */
#define LOOK 256

/* The attributes of the tree, for the header. */
struct subject {
	struct blink_tree_ioc_attr attr;
	__u64 entries;
};

static int count_entries(struct blinktree *tree, __u64 *entries)
{
	struct blinktree_stats *stats;
	int err = blinktree_stats_read(tree, 0, &stats);

	if (err)
		return err;
	*entries = blinktree_stats_counters(stats)->entries;
	blinktree_stats_free(stats);
	return 0;
}

/* The name is that of the operand: the tree can have lost it meanwhile. */
static enum status describe(const struct target *target,
			    struct subject *subject)
{
	int err;

	if (target->kinds.key > BLINK_TREE_KEY_BYTES) {
		message("%s: this program does not know this kind of keys",
			target->name);
		return STATUS_SYSTEM;
	}
	subject->attr = (struct blink_tree_ioc_attr){};
	err = blinktree_attr(target->tree, &subject->attr,
			     sizeof(subject->attr));
	if (!err)
		err = count_entries(target->tree, &subject->entries);
	if (err)
		return device_failed(target->name, -err);
	memset(subject->attr.name, 0, sizeof(subject->attr.name));
	memcpy(subject->attr.name, target->name, strlen(target->name));
	return STATUS_OK;
}

/**
 * struct snapshot_writer - a snapshot that is being written
 * @output: the file
 * @kinds: kinds of the tree
 * @before: entries in the chunks that were written
 * @count: entries in @records
 * @bytes: bytes in @records
 * @records: the records of the next chunk
 */
struct snapshot_writer {
	struct output *output;
	struct kinds kinds;
	__u64 before;
	__u32 count;
	size_t bytes;
	unsigned char records[SNAPSHOT_RECORDS_MAX];
};

/* The number of entries so far. */
static __u64 snapshot_entries(const struct snapshot_writer *writer)
{
	return writer->before + writer->count;
}

/*
 * The functions of the writer return false if the output cannot be written, after its message,
 * or after a signal. Begin a snapshot of a tree with about so many entries.
 */
static bool snapshot_begin(struct snapshot_writer *writer,
			   struct output *output,
			   const struct blink_tree_ioc_attr *attr,
			   __u64 entries)
{
	struct snapshot_header header;

	writer->output = output;
	writer->kinds.key = attr->key;
	writer->kinds.value = value_kind(attr->create_flags);
	writer->before = 0;
	writer->count = 0;
	writer->bytes = 0;
	snapshot_write_header(&header, attr, entries);
	return output_write(output, &header, sizeof(header));
}

/* Without records, this is the end mark. */
static bool write_chunk(struct snapshot_writer *writer)
{
	struct snapshot_chunk chunk;

	snapshot_write_chunk(&chunk, writer->records, writer->bytes,
			     writer->count, writer->before);
	if (!output_write(writer->output, &chunk, sizeof(chunk)) ||
	    !output_write(writer->output, writer->records, writer->bytes))
		return false;
	writer->before += writer->count;
	writer->count = 0;
	writer->bytes = 0;
	return true;
}

/* Add the next entry of a scan. */
static bool snapshot_add(struct snapshot_writer *writer,
			 const struct blinktree_record *record)
{
	if (writer->bytes > SNAPSHOT_RECORDS_MAX - SNAPSHOT_RECORD_MAX &&
	    !write_chunk(writer))
		return false;
	writer->bytes += snapshot_write_record(writer->records + writer->bytes,
					       writer->kinds, record);
	writer->count++;
	return true;
}

/* Write the end mark. */
static bool snapshot_end(struct snapshot_writer *writer)
{
	if (writer->count && !write_chunk(writer))
		return false;
	return write_chunk(writer);
}

static enum status copy_entries(const struct target *target,
				struct blinktree_bytes_scan *scan,
				struct snapshot_writer *writer,
				struct progress *progress)
{
	const struct blinktree_record *record;
	int ret;

	while ((ret = blinktree_bytes_scan_next(scan, &record)) == 1) {
		if (interrupted() || !snapshot_add(writer, record))
			return output_failed();
		if (!(snapshot_entries(writer) % LOOK))
			progress_update(progress, snapshot_entries(writer),
					"%llu entries",
					snapshot_entries(writer));
	}
	if (ret < 0)
		return device_failed(target->name, -ret);
	return snapshot_end(writer) ? STATUS_OK : output_failed();
}

static enum status write_tree(const struct target *target,
			      const struct subject *subject,
			      struct output *output, struct summary *summary)
{
	struct snapshot_writer *writer = malloc(sizeof(*writer));
	struct blinktree_bytes_scan *scan = NULL;
	struct progress progress;
	enum status status;
	int err = -ENOMEM;

	if (writer)
		err = blinktree_bytes_scan_open(target->tree, NULL, 0, &scan);
	if (err) {
		free(writer);
		return device_failed(target->name, -err);
	}
	progress_start(&progress, subject->entries);
	status = snapshot_begin(writer, output, &subject->attr,
				subject->entries) ?
			 copy_entries(target, scan, writer, &progress) :
			 output_failed();
	summary->entries = snapshot_entries(writer);
	summary->bytes = output_position(output);
	summary->seconds = progress_seconds(&progress);
	progress_end(&progress);
	blinktree_bytes_scan_close(scan);
	free(writer);
	return status;
}

/* The summary would mix with a snapshot on standard output. */
static enum status save(struct printer *out, const struct target *target,
			const char *path)
{
	struct subject subject;
	struct summary summary = {};
	struct output *output;
	enum status status;
	bool shared;

	status = describe(target, &subject);
	if (status)
		return status;
	output = output_open(path, 0600);
	if (!output)
		return output_failed();
	shared = output_shares_standard(output);
	status = write_tree(target, &subject, output, &summary);
	if (status) {
		output_discard(output);
		return status;
	}
	if (!output_commit(output))
		return STATUS_SYSTEM;
	if (shared)
		return STATUS_OK;
	print_begin(out, PART_OBJECT, NULL);
	print_u64(out, "entries", summary.entries);
	print_u64(out, "bytes", summary.bytes);
	print_real(out, "seconds", summary.seconds, 1);
	print_end(out);
	return STATUS_OK;
}

/* Whether the snapshot can go to standard output. False after a message. */
static bool suits_stdout(const struct args *args)
{
	if (args->json)
		message("a snapshot on standard output excludes JSON");
	else if (isatty(STDOUT_FILENO))
		message("a snapshot is no text for a terminal: name a FILE");
	else
		return true;
	return false;
}

enum status run_save(const struct args *args, struct printer *out)
{
	const char *path = args->nr > 1 ? args->words[1] : "-";
	struct target target;
	enum status status;

	if (output_is_standard(path) && !suits_stdout(args))
		return STATUS_USAGE;
	status = target_open(args, BLINK_TREE_OPEN_READ, &target);
	if (status)
		return status;
	interrupt_catch();
	status = save(out, &target, path);
	target_close(&target);
	return status;
}
