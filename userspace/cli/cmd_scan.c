// SPDX-License-Identifier: GPL-2.0
/* Commands on ranges: scan, count, erase-range, dump. */
#include "device.h"
#include "ends.h"
#include "interrupt.h"
#include "operation.h"
#include "output.h"
#include "printer.h"
#include "target.h"
#include "writer.h"

/* Open the tree and begin the scan of a range. Not STATUS_OK: after a message. */
static enum status open_scan(const struct args *args, size_t buffer,
			     struct target *target,
			     struct blinktree_bytes_scan **scan)
{
	unsigned int flags = args->reverse ? BLINK_TREE_RECORD_SCAN_DESC : 0;
	struct blinktree_range range;
	struct ends ends;
	enum status status = target_open(args, BLINK_TREE_OPEN_READ, target);
	int err;

	if (status)
		return status;
	if (!ends_read(args, target, &ends)) {
		target_close(target);
		return STATUS_USAGE;
	}
	range = ends_range(&ends, flags);
	err = blinktree_bytes_scan_open(target->tree, &range, buffer, scan);
	if (!err)
		return STATUS_OK;
	target_close(target);
	return device_failed(args->words[0], -err);
}

static void close_scan(const struct target *target,
		       struct blinktree_bytes_scan *scan)
{
	blinktree_bytes_scan_close(scan);
	target_close(target);
}

static enum status scan_entries(const struct args *args, struct printer *out,
				struct kinds kinds,
				struct blinktree_bytes_scan *scan)
{
	const struct blinktree_record *record;
	struct entry entry;
	__u64 nr;
	int ret;

	print_begin(out, PART_LIST, NULL);
	for (nr = 0; nr < args->limit; nr++) {
		ret = blinktree_bytes_scan_next(scan, &record);
		if (ret < 0)
			return device_failed(args->words[0], -ret);
		if (!ret)
			break;
		operation_entry(record, kinds, &entry);
		print_begin(out, PART_ROW, NULL);
		print_key(out, "key", &entry.key);
		print_value(out, "value", &entry.value);
		print_end(out);
	}
	return STATUS_OK;
}

enum status run_scan(const struct args *args, struct printer *out)
{
	/* Read ahead no more than the user asked for. */
	size_t buffer = args->limit < 1024 ? 64 * args->limit : 0;
	struct blinktree_bytes_scan *scan;
	struct target target;
	enum status status = open_scan(args, buffer, &target, &scan);

	if (status)
		return status;
	status = scan_entries(args, out, target.kinds, scan);
	close_scan(&target, scan);
	return status;
}

static void print_count(struct printer *out, __u64 count)
{
	print_begin(out, PART_ROW, NULL);
	print_u64(out, "count", count);
	print_end(out);
}

/* The range of a count: that of the options, or the operand alone. */
static bool read_counted(const struct args *args, const struct target *target,
			 struct ends *ends)
{
	if (args->nr < 2)
		return ends_read(args, target, ends);
	*ends = (struct ends){};
	if (args->first || args->last || args->prefix) {
		message("KEY excludes --from, --to and --prefix");
		return false;
	}
	if (!target_key(target, "KEY", args->words[1], &ends->first))
		return false;
	ends->last = ends->first;
	return true;
}

enum status run_count(const struct args *args, struct printer *out)
{
	struct blinktree_range range;
	struct target target;
	__u64 count;
	struct ends ends;
	enum status status = target_open(args, BLINK_TREE_OPEN_READ, &target);
	int err;

	if (status)
		return status;
	if (!read_counted(args, &target, &ends)) {
		target_close(&target);
		return STATUS_USAGE;
	}
	range = ends_range(&ends, 0);
	err = blinktree_bytes_count(target.tree, &range, &count);
	target_close(&target);
	if (err)
		return device_failed(args->words[0], -err);
	print_count(out, count);
	return STATUS_OK;
}

/* Read the range of the operands. False after a message. */
static bool read_erased(const struct args *args, const struct target *target,
			struct ends *ends)
{
	*ends = (struct ends){};
	if (!target_key(target, "FIRST", args->words[1], &ends->first) ||
	    !target_key(target, "LAST", args->words[2], &ends->last))
		return false;
	if (ends_ascend(ends))
		return true;
	message("%s is greater than %s", args->words[1], args->words[2]);
	return false;
}

enum status run_erase_range(const struct args *args, struct printer *out)
{
	struct blinktree_range range;
	struct target target;
	__u64 count;
	struct ends ends;
	enum status status = target_open(args, BLINK_TREE_OPEN_WRITE, &target);
	int err;

	if (status)
		return status;
	if (!read_erased(args, &target, &ends)) {
		target_close(&target);
		return STATUS_USAGE;
	}
	range = ends_range(&ends, 0);
	err = blinktree_bytes_erase_range(target.tree, &range, &count);
	target_close(&target);
	print_count(out, count);
	return err ? device_failed(args->words[0], -err) : STATUS_OK;
}

static enum status dump_entries(const struct args *args, struct writer *writer,
				struct kinds kinds,
				struct blinktree_bytes_scan *scan)
{
	const struct blinktree_record *record;
	struct entry entry;
	int ret;

	while ((ret = blinktree_bytes_scan_next(scan, &record)) == 1) {
		operation_entry(record, kinds, &entry);
		if (interrupted() || !writer_put(writer, &entry))
			return output_failed();
	}
	return ret < 0 ? device_failed(args->words[0], -ret) : STATUS_OK;
}

static enum status dump(const struct args *args, const struct target *target,
			struct blinktree_bytes_scan *scan)
{
	const char *path = args->nr > 1 ? args->words[1] : "-";
	struct writer *writer;
	enum status status;

	if (!target_format(target, args->format))
		return STATUS_USAGE;
	writer = writer_open(path, args->format, args->hex, args->key_form);
	if (!writer)
		return output_failed();
	status = dump_entries(args, writer, target->kinds, scan);
	if (!writer_close(writer, !status) && !status)
		status = output_failed();
	return status;
}

enum status run_dump(const struct args *args, struct printer *out)
{
	struct blinktree_bytes_scan *scan;
	struct target target;
	enum status status = open_scan(args, 0, &target, &scan);

	(void)out;
	if (status)
		return status;
	interrupt_catch();
	status = dump(args, &target, scan);
	close_scan(&target, scan);
	return status;
}
