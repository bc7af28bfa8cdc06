// SPDX-License-Identifier: GPL-2.0
/* watch: prints the changes of a tree as they occur. */
#include <errno.h>
#include <stdio.h>

#include "device.h"
#include "ends.h"
#include "message.h"
#include "operation.h"
#include "printer.h"
#include "util.h"

#define CHANGES 256

/* A part that a line does not have is none. */
struct change_line {
	__u64 position;
	const char *change;
	struct key key;
	struct key last;
	struct value value;
	struct value old;
};

/**
 * struct feed - a watch that is printed
 * @args: the command line
 * @target: the tree
 * @ends: the range
 * @watch: the watch
 * @out: the printer
 * @left: lines to print
 * @gone: the tree has no name any more
 */
struct feed {
	const struct args *args;
	struct target target;
	struct ends ends;
	struct blinktree_watch *watch;
	struct printer *out;
	__u64 left;
	bool gone;
};

/* A key of the tree, of the numbers of a change. */
static void number_key(const struct feed *feed, __u64 high, __u64 low,
		       struct key *key)
{
	const __u64 half[] = { high, low };
	unsigned char bytes[16];
	unsigned int i;

	for (i = 0; i < sizeof(bytes); i++)
		bytes[i] = half[i / 8] >> (56 - 8 * (i % 8));
	key_set(key, feed->target.kinds.key, bytes,
		key_length(feed->target.kinds.key));
}

static void number_value(__u64 number, struct value *value)
{
	value_set(value, VALUE_U64, &number, sizeof(number));
}

/* Print a line. False: it was the last one. */
static bool put(struct feed *feed, const struct change_line *line)
{
	print_begin(feed->out, PART_ROW, NULL);
	print_u64(feed->out, "position", line->position);
	print_text(feed->out, "change", line->change);
	print_key(feed->out, "key", &line->key);
	print_key(feed->out, "last", &line->last);
	print_value(feed->out, "value", &line->value);
	print_value(feed->out, "old", &line->old);
	print_end(feed->out);
	return --feed->left;
}

static bool put_mark(struct feed *feed, const char *text)
{
	const struct change_line line = {
		.position = blinktree_watch_position(feed->watch, NULL),
		.change = text,
	};

	return put(feed, &line);
}

static const char *change_name(unsigned int op)
{
	static const char *const names[] = {
		[BLINK_TREE_CHANGE_INSERT] = "insert",
		[BLINK_TREE_CHANGE_UPDATE] = "update",
		[BLINK_TREE_CHANGE_ERASE] = "erase",
		[BLINK_TREE_CHANGE_ERASE_RANGE] = "erase-range",
		[BLINK_TREE_CHANGE_UNLINKED] = "unlinked",
		[BLINK_TREE_CHANGE_ATTR] = "attr",
		[BLINK_TREE_CHANGE_REFUSED] = "refused",
	};

	return op < ARRAY_SIZE(names) && names[op] ? names[op] : "unknown";
}

/* Print a record of the tree itself. */
static bool put_event(struct feed *feed, const struct blink_tree_change *change)
{
	struct change_line line = {
		.position = change->seq / 2 - 1,
		.change = change_name(change->op),
	};

	feed->gone = change->op == BLINK_TREE_CHANGE_UNLINKED;
	if (!feed->gone)
		number_value(change->value, &line.value);
	return put(feed, &line) && !feed->gone;
}

static bool put_change(struct feed *feed,
		       const struct blink_tree_change *change)
{
	bool multi = feed->target.kinds.key == BLINK_TREE_KEY_MULTI;
	bool range = change->op == BLINK_TREE_CHANGE_ERASE_RANGE;
	struct change_line line = {
		.position = change->seq / 2 - 1,
		.change = change_name(change->op),
	};

	if (change->op >= BLINK_TREE_CHANGE_TREE)
		return put_event(feed, change);
	number_key(feed, change->key, change->key_low, &line.key);
	if (range)
		number_key(feed, change->last, change->last_low, &line.last);
	/* Values of equal keys are in the lower halves. */
	if (multi)
		number_value(change->key_low, &line.value);
	else if (!range && change->op != BLINK_TREE_CHANGE_ERASE)
		number_value(change->value, &line.value);
	if (multi && range)
		number_value(change->last_low, &line.old);
	else if (!multi && !range && change->op != BLINK_TREE_CHANGE_INSERT)
		number_value(change->old, &line.old);
	return put(feed, &line);
}

/* Print the entries of the range. Returns 1, 0 after the last line, or an error. */
static int put_entries(struct feed *feed)
{
	const struct blinktree_range range = ends_range(&feed->ends, 0);
	struct change_line line = { .change = "entry" };
	const struct blinktree_record *record;
	struct blinktree_bytes_scan *scan;
	int ret;

	line.position = blinktree_watch_position(feed->watch, NULL);
	ret = blinktree_bytes_scan_open(feed->target.tree, &range, 0, &scan);
	if (ret)
		return ret;
	while ((ret = blinktree_bytes_scan_next(scan, &record)) == 1) {
		key_set(&line.key, feed->target.kinds.key, record->key,
			record->key_length);
		value_set(&line.value, feed->target.kinds.value, record->value,
			  record->value_length);
		if (!put(feed, &line))
			break;
	}
	blinktree_bytes_scan_close(scan);
	return ret ? (ret < 0 ? ret : 0) : 1;
}

/* The same between two marks. */
static int put_all(struct feed *feed)
{
	int ret;

	if (!put_mark(feed, "scan"))
		return 0;
	ret = put_entries(feed);
	return ret > 0 ? put_mark(feed, "ready") : ret;
}

/* The name can go before the watch begins, and in changes that are missing. */
static int look_for_name(struct feed *feed)
{
	struct blink_tree_ioc_attr attr = {};
	int err = blinktree_attr(feed->target.tree, &attr, sizeof(attr));

	if (err)
		return err;
	feed->gone = !attr.name[0];
	return !feed->gone;
}

/* At the begin, and after an overrun. */
static int begin(struct feed *feed)
{
	int ret = look_for_name(feed);

	return ret > 0 && feed->args->all ? put_all(feed) : ret;
}

static int begin_again(struct feed *feed)
{
	return put_mark(feed, "overrun") ? begin(feed) : 0;
}

/* Print the next changes, or wait for one. Returns 1, 0 after the last line, or an error. */
static int follow(struct feed *feed)
{
	struct blink_tree_change change[CHANGES];
	int i, n = blinktree_watch_read(feed->watch, change, CHANGES);

	if (n == -EOVERFLOW)
		return begin_again(feed);
	for (i = 0; i < n; i++)
		if (!put_change(feed, &change[i]))
			return 0;
	if (!n)
		n = blinktree_watch_wait(feed->watch, -1);
	return n < 0 ? n : 1;
}

/* Whether all lines so far are written. The end of the program says why they are not. */
static bool is_written(void)
{
	return !fflush(stdout) && !ferror(stdout);
}

static __u64 number_at(const struct key *key, size_t at, __u64 missing)
{
	__u64 number = 0;
	size_t i;

	if (key->length < at + 8)
		return missing;
	for (i = at; i < at + 8; i++)
		number = number << 8 | key->bytes[i];
	return number;
}

static int feed_open(struct feed *feed)
{
	const struct blink_tree_ioc_watch options = {
		.slots = feed->args->slots,
		.first = number_at(&feed->ends.first, 0, 0),
		.first_low = number_at(&feed->ends.first, 8, 0),
		.last = number_at(&feed->ends.last, 0, UINT64_MAX),
		.last_low = number_at(&feed->ends.last, 8, UINT64_MAX),
	};

	return blinktree_watch_open(feed->target.tree, &options, &feed->watch);
}

static enum status feed_run(struct feed *feed)
{
	int ret = feed_open(feed);

	if (ret)
		return device_failed(feed->args->words[0], -ret);
	ret = begin(feed);
	/* Changes can come without a pause, so the output does not wait for one. */
	while (ret > 0 && is_written())
		ret = follow(feed);
	blinktree_watch_close(feed->watch);
	if (ret < 0)
		return device_failed(feed->args->words[0], -ret);
	if (!feed->gone)
		return STATUS_OK;
	message("%s: the tree was removed", feed->args->words[0]);
	return STATUS_NO;
}

enum status run_watch(const struct args *args, struct printer *out)
{
	struct feed feed = { .args = args, .out = out, .left = args->limit };
	enum status status =
		target_open(args, BLINK_TREE_OPEN_READ, &feed.target);

	if (status)
		return status;
	status = STATUS_USAGE;
	if (ends_read(args, &feed.target, &feed.ends))
		status = feed_run(&feed);
	target_close(&feed.target);
	return status;
}
