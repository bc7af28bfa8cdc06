// SPDX-License-Identifier: GPL-2.0
/* Commands on the module and on whole trees: info, create, list, rm, verify. */
#include <errno.h>
#include <string.h>

#include "device.h"
#include "message.h"
#include "number.h"
#include "printer.h"

enum status run_info(const struct args *args, struct printer *out)
{
	struct blinktree_ctl *ctl = device_open(args);
	const struct blink_tree_ioc_info *info;

	if (!ctl)
		return STATUS_SYSTEM;
	info = blinktree_ctl_info(ctl);
	print_begin(out, PART_OBJECT, NULL);
	print_text(out, "version", info->version);
	print_u64(out, "ioctls", info->ioctls);
	print_u64(out, "opcodes", info->opcodes);
	print_u64(out, "features", info->features);
	print_u64(out, "name_max", info->name_max);
	print_u64(out, "numa_nodes", info->numa_nodes);
	print_u64(out, "leaf_slots", info->leaf_slots);
	print_u64(out, "inner_slots", info->inner_slots);
	print_u64(out, "leaf_bytes", info->leaf_bytes);
	print_u64(out, "inner_bytes", info->inner_bytes);
	print_end(out);
	blinktree_ctl_close(ctl);
	return STATUS_OK;
}

static __u32 create_flags(const struct args *args)
{
	return (args->compress ? BLINK_TREE_CREATE_COMPRESS : 0) |
	       (args->value == VALUE_BYTES ? BLINK_TREE_CREATE_BYTE_VALUES : 0);
}

/* Whether the module lacks a kind of values. It would refuse the flag as any mistake. */
static bool lacks_values(const struct args *args,
			 const struct blinktree_ctl *ctl)
{
	__u64 features = blinktree_ctl_info(ctl)->features;

	return args->value == VALUE_BYTES &&
	       !(features & BLINK_TREE_FEATURE_BYTE_VALUES);
}

enum status run_create(const struct args *args, struct printer *out)
{
	struct blink_tree_ioc_create how = {
		.flags = create_flags(args),
		.mode = args->mode,
		.max_entries = args->max_entries,
		.replication = args->replication,
		.locking = args->locking,
		.placement = args->placement,
		.key = args->key,
		.max_bytes = args->max_bytes,
	};
	struct blinktree_ctl *ctl = device_open(args);
	size_t len = strlen(args->words[0]);
	enum status status = STATUS_OK;
	struct blinktree *tree = NULL;
	int err = 0;

	(void)out;
	if (!ctl)
		return STATUS_SYSTEM;
	/* Closing the descriptor below would destroy a tree without a name. */
	if (!len)
		err = -EINVAL;
	else if (len >= sizeof(how.name))
		err = -ENAMETOOLONG;
	else if (lacks_values(args, ctl))
		err = -E2BIG;
	else
		memcpy(how.name, args->words[0], len);
	if (!err)
		err = blinktree_create_as(ctl, &how, sizeof(how), &tree);
	if (err)
		status = device_tree_error(args->words[0], -err);
	blinktree_close(tree);
	blinktree_ctl_close(ctl);
	return status;
}

/* Only a caller that may read the tree sees its size. */
static void print_size(struct printer *out, const char *name, bool readable,
		       __u64 size)
{
	if (readable)
		print_u64(out, name, size);
	else
		print_none(out, name);
}

static void print_tree(struct printer *out, bool names_only,
		       const struct blink_tree_list_entry *entry)
{
	bool readable = entry->access & BLINK_TREE_OPEN_READ;

	print_begin(out, PART_ROW, NULL);
	print_text(out, "name", entry->name);
	if (!names_only) {
		print_u64(out, "id", entry->id);
		print_u64(out, "uid", entry->uid);
		print_u64(out, "gid", entry->gid);
		print_mode(out, "mode", entry->mode);
		print_size(out, "entries", readable, entry->entries);
		print_u64(out, "max_entries", entry->max_entries);
		print_size(out, "bytes", readable, entry->bytes);
		print_u64(out, "max_bytes", entry->max_bytes);
		print_text(out, "key", word_of(key_words, entry->key));
		print_text(out, "value", value_word(entry->create_flags));
	}
	print_end(out);
}

enum status run_list(const struct args *args, struct printer *out)
{
	struct blinktree_ctl *ctl = device_open(args);
	const struct blink_tree_list_entry *entry;
	struct blinktree_list *list;
	int ret;

	if (!ctl)
		return STATUS_SYSTEM;
	ret = args->below ? blinktree_list_open_below(ctl, &list) :
			    blinktree_list_open(ctl, &list);
	if (!ret) {
		print_begin(out, args->names_only ? PART_LIST : PART_TABLE,
			    NULL);
		print_names(
			out,
			"name  id  uid  gid  mode  entries  max_entries  bytes  max_bytes  key  value");
		while ((ret = blinktree_list_next(list, &entry)) == 1)
			print_tree(out, args->names_only, entry);
		blinktree_list_close(list);
	}
	blinktree_ctl_close(ctl);
	return ret ? device_failed("list", -ret) : STATUS_OK;
}

static enum status remove_id(struct blinktree_ctl *ctl, const char *text)
{
	const char *wrong;
	__u64 id;
	int err;

	wrong = number_parse(text, strlen(text), &id);
	if (wrong) {
		message("%s: %s", text, wrong);
		return STATUS_USAGE;
	}
	err = blinktree_unlink_id(ctl, id);
	return err ? device_tree_error(text, -err) : STATUS_OK;
}

static enum status remove_name(struct blinktree_ctl *ctl, const char *name)
{
	int err = blinktree_unlink(ctl, name);

	return err ? device_tree_error(name, -err) : STATUS_OK;
}

enum status run_rm(const struct args *args, struct printer *out)
{
	struct blinktree_ctl *ctl = device_open(args);
	enum status status = STATUS_OK, one;
	size_t i;

	(void)out;
	if (!ctl)
		return STATUS_SYSTEM;
	for (i = 0; i < args->nr; i++) {
		one = args->by_id ? remove_id(ctl, args->words[i]) :
				    remove_name(ctl, args->words[i]);
		status = one ?: status;
	}
	blinktree_ctl_close(ctl);
	return status;
}

static void print_report(struct printer *out,
			 const struct blink_tree_ioc_verify *report)
{
	print_begin(out, PART_OBJECT, NULL);
	print_text(out, "verify", blinktree_violation_text(report->violation));
	print_u64(out, "height", report->height);
	print_u64(out, "leaves", report->leaves);
	print_u64(out, "inner", report->inner);
	print_u64(out, "entries", report->entries);
	print_u64(out, "empty", report->empty);
	print_u64(out, "unindexed", report->unindexed);
	print_u64(out, "misplaced", report->misplaced);
	if (report->violation) {
		print_begin(out, PART_OBJECT, "place");
		print_u64(out, "violation", report->violation);
		print_u64(out, "level", report->level);
		print_number(out, "key", report->key);
		print_end(out);
	}
	print_end(out);
}

enum status run_verify(const struct args *args, struct printer *out)
{
	struct blinktree *tree;
	enum status status =
		device_open_tree(args, BLINK_TREE_OPEN_READ, &tree);
	struct blink_tree_ioc_verify report;
	int err;

	if (status)
		return status;
	err = blinktree_verify(tree, &report, sizeof(report));
	blinktree_close(tree);
	if (err)
		return device_failed("verify", -err);
	print_report(out, &report);
	return report.violation ? STATUS_NO : STATUS_OK;
}
