// SPDX-License-Identifier: GPL-2.0
/* Commands on ranges: scan, count, erase-range, dump. */
#include <errno.h>
#include <string.h>

#include "device.h"
#include "printer.h"
#include "writer.h"
#include "util.h"

static const struct field entry_fields[] = {
	FIELD(FIELD_KEY, struct blink_tree_entry, key),
	FIELD(FIELD_KEY, struct blink_tree_entry, value),
};

static const struct schema entry_schema = {
	.name = "entries",
	.layout = LAYOUT_ROWS,
	.fields = entry_fields,
	.nr = ARRAY_SIZE(entry_fields),
};

static enum status scan_entries(const struct args *args, struct printer *out,
				struct blinktree_scan *scan)
{
	struct blink_tree_entry entry;
	__u64 nr;
	int ret;

	print_list_begin(out, &entry_schema);
	for (nr = 0; nr < args->limit; nr++) {
		ret = blinktree_scan_next(scan, &entry);
		if (ret < 0)
			return device_failed(args->words[0], -ret);
		if (!ret)
			break;
		print_record(out, &entry_schema, &entry);
	}
	return STATUS_OK;
}

enum status run_scan(const struct args *args, struct printer *out)
{
	/* Fetch no more entries than the user asked for. */
	size_t buffer = args->limit && args->limit < 1024 ? args->limit : 1024;
	struct blinktree *tree = device_open_tree(args, BLINK_TREE_OPEN_READ);
	struct blinktree_scan *scan;
	enum status status;
	int err;

	if (!tree)
		return STATUS_SYSTEM;
	err = blinktree_scan_open(tree, args->first, args->last,
				  args->reverse ? BLINK_TREE_SCAN_DESC : 0,
				  buffer, &scan);
	if (err) {
		status = device_failed(args->words[0], -err);
	} else {
		status = scan_entries(args, out, scan);
		blinktree_scan_close(scan);
	}
	blinktree_close(tree);
	return status;
}

struct total {
	__u64 count;
};

static const struct field total_fields[] = {
	FIELD(FIELD_U64, struct total, count),
};

static const struct schema total_schema = {
	.layout = LAYOUT_ROWS,
	.fields = total_fields,
	.nr = ARRAY_SIZE(total_fields),
};

enum status run_count(const struct args *args, struct printer *out)
{
	struct blinktree *tree = device_open_tree(args, BLINK_TREE_OPEN_READ);
	struct total total;
	int err;

	if (!tree)
		return STATUS_SYSTEM;
	err = blinktree_count(tree, args->first, args->last, &total.count);
	blinktree_close(tree);
	if (err)
		return device_failed(args->words[0], -err);
	print_record(out, &total_schema, &total);
	return STATUS_OK;
}

enum status run_erase_range(const struct args *args, struct printer *out)
{
	struct blinktree *tree;
	struct total total;
	int err;

	if (args->numbers[1] > args->numbers[2]) {
		message("%s is greater than %s", args->words[1],
			args->words[2]);
		return STATUS_USAGE;
	}
	tree = device_open_tree(args, BLINK_TREE_OPEN_WRITE);
	if (!tree)
		return STATUS_SYSTEM;
	err = blinktree_erase_range(tree, args->numbers[1], args->numbers[2],
				    &total.count);
	blinktree_close(tree);
	print_record(out, &total_schema, &total);
	return err ? device_failed(args->words[0], -err) : STATUS_OK;
}

static enum status dump_entries(const struct args *args, struct writer *writer,
				struct blinktree_scan *scan)
{
	struct blink_tree_entry entry;
	int ret;

	while ((ret = blinktree_scan_next(scan, &entry)) == 1) {
		if (writer_put(writer, &entry))
			break;
	}
	return ret < 0 ? device_failed(args->words[0], -ret) : STATUS_OK;
}

enum status run_dump(const struct args *args, struct printer *out)
{
	const char *path = args->nr > 1 ? args->words[1] : "-";
	struct blinktree *tree = device_open_tree(args, BLINK_TREE_OPEN_READ);
	enum status status = STATUS_SYSTEM;
	struct blinktree_scan *scan;
	struct writer *writer;
	int err;

	(void)out;
	if (!tree)
		return STATUS_SYSTEM;
	err = blinktree_scan_open(tree, args->first, args->last, 0, 0, &scan);
	if (err) {
		device_failed(args->words[0], -err);
		goto out_tree;
	}
	writer = writer_open(path, args->format, args->hex);
	if (!writer)
		goto out_scan;
	status = dump_entries(args, writer, scan);
	if (writer_close(writer))
		status = STATUS_SYSTEM;
out_scan:
	blinktree_scan_close(scan);
out_tree:
	blinktree_close(tree);
	return status;
}
