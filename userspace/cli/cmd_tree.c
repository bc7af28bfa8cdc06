// SPDX-License-Identifier: GPL-2.0
/* Commands on the module and on whole trees: info, create, list, rm, verify. */
#include <errno.h>
#include <string.h>

#include "device.h"
#include "message.h"
#include "number.h"
#include "printer.h"
#include "util.h"

static const struct field info_fields[] = {
	FIELD(FIELD_CHARS, struct blink_tree_ioc_info, version),
	FIELD(FIELD_U64, struct blink_tree_ioc_info, ioctls),
	FIELD(FIELD_U64, struct blink_tree_ioc_info, opcodes),
	FIELD(FIELD_U64, struct blink_tree_ioc_info, features),
	FIELD(FIELD_U32, struct blink_tree_ioc_info, name_max),
	FIELD(FIELD_U32, struct blink_tree_ioc_info, numa_nodes),
	FIELD(FIELD_U32, struct blink_tree_ioc_info, leaf_slots),
	FIELD(FIELD_U32, struct blink_tree_ioc_info, inner_slots),
	FIELD(FIELD_U32, struct blink_tree_ioc_info, leaf_bytes),
	FIELD(FIELD_U32, struct blink_tree_ioc_info, inner_bytes),
};

static const struct schema info_schema = {
	.layout = LAYOUT_LINES,
	.fields = info_fields,
	.nr = ARRAY_SIZE(info_fields),
};

enum status run_info(const struct args *args, struct printer *out)
{
	struct blinktree_ctl *ctl = device_open(args);

	if (!ctl)
		return STATUS_SYSTEM;
	print_record(out, &info_schema, blinktree_ctl_info(ctl));
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

/* A line of the list. Only a caller that may read the tree sees its size. */
struct listed {
	const char *name;
	__u64 id;
	__u32 uid;
	__u32 gid;
	__u32 mode;
	struct maybe entries;
	__u64 max_entries;
	struct maybe bytes;
	__u64 max_bytes;
	const char *key;
	const char *value;
};

static const struct field list_fields[] = {
	FIELD(FIELD_TEXT, struct listed, name),
	FIELD(FIELD_U64, struct listed, id),
	FIELD(FIELD_U32, struct listed, uid),
	FIELD(FIELD_U32, struct listed, gid),
	FIELD(FIELD_MODE, struct listed, mode),
	FIELD(FIELD_COUNT, struct listed, entries),
	FIELD(FIELD_U64, struct listed, max_entries),
	FIELD(FIELD_COUNT, struct listed, bytes),
	FIELD(FIELD_U64, struct listed, max_bytes),
	FIELD(FIELD_TEXT, struct listed, key),
	FIELD(FIELD_TEXT, struct listed, value),
};

static const struct schema list_schema = {
	.name = "trees",
	.layout = LAYOUT_TABLE,
	.fields = list_fields,
	.nr = ARRAY_SIZE(list_fields),
};

static const struct field name_fields[] = {
	FIELD(FIELD_TEXT, struct listed, name),
};

static const struct schema name_schema = {
	.name = "trees",
	.layout = LAYOUT_ROWS,
	.fields = name_fields,
	.nr = ARRAY_SIZE(name_fields),
};

static void print_listed(struct printer *out, const struct schema *schema,
			 const struct blink_tree_list_entry *entry)
{
	bool readable = entry->access & BLINK_TREE_OPEN_READ;
	struct listed listed = {
		.name = entry->name,
		.id = entry->id,
		.uid = entry->uid,
		.gid = entry->gid,
		.mode = entry->mode,
		.entries = { .known = readable, .value = entry->entries },
		.max_entries = entry->max_entries,
		.bytes = { .known = readable, .value = entry->bytes },
		.max_bytes = entry->max_bytes,
		.key = word_of(key_words, entry->key),
		.value = value_word(entry->create_flags),
	};

	print_record(out, schema, &listed);
}

enum status run_list(const struct args *args, struct printer *out)
{
	const struct schema *schema = args->names_only ? &name_schema :
							 &list_schema;
	struct blinktree_ctl *ctl = device_open(args);
	const struct blink_tree_list_entry *entry;
	struct blinktree_list *list;
	int ret;

	if (!ctl)
		return STATUS_SYSTEM;
	ret = args->below ? blinktree_list_open_below(ctl, &list) :
			    blinktree_list_open(ctl, &list);
	if (!ret) {
		print_list_begin(out, schema);
		while ((ret = blinktree_list_next(list, &entry)) == 1)
			print_listed(out, schema, entry);
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

struct verdict {
	const char *verify;
};

static const struct field verdict_fields[] = {
	FIELD(FIELD_TEXT, struct verdict, verify),
};

static const struct schema verdict_schema = {
	.layout = LAYOUT_LINES,
	.fields = verdict_fields,
	.nr = ARRAY_SIZE(verdict_fields),
};

static const struct field report_fields[] = {
	FIELD(FIELD_U32, struct blink_tree_ioc_verify, height),
	FIELD(FIELD_U64, struct blink_tree_ioc_verify, leaves),
	FIELD(FIELD_U64, struct blink_tree_ioc_verify, inner),
	FIELD(FIELD_U64, struct blink_tree_ioc_verify, entries),
	FIELD(FIELD_U64, struct blink_tree_ioc_verify, empty),
	FIELD(FIELD_U64, struct blink_tree_ioc_verify, unindexed),
	FIELD(FIELD_U64, struct blink_tree_ioc_verify, misplaced),
};

static const struct schema report_schema = {
	.layout = LAYOUT_LINES,
	.fields = report_fields,
	.nr = ARRAY_SIZE(report_fields),
};

/* The place of the violation, if there is one. */
static const struct field place_fields[] = {
	FIELD(FIELD_U32, struct blink_tree_ioc_verify, violation),
	FIELD(FIELD_U32, struct blink_tree_ioc_verify, level),
	FIELD(FIELD_NUMBER, struct blink_tree_ioc_verify, key),
};

static const struct schema place_schema = {
	.name = "place",
	.layout = LAYOUT_LINES,
	.fields = place_fields,
	.nr = ARRAY_SIZE(place_fields),
};

enum status run_verify(const struct args *args, struct printer *out)
{
	struct blinktree *tree;
	enum status status =
		device_open_tree(args, BLINK_TREE_OPEN_READ, &tree);
	struct blink_tree_ioc_verify report;
	struct verdict verdict;
	int err;

	if (status)
		return status;
	err = blinktree_verify(tree, &report, sizeof(report));
	blinktree_close(tree);
	if (err)
		return device_failed("verify", -err);
	verdict.verify = blinktree_violation_text(report.violation);
	print_object_begin(out);
	print_record(out, &verdict_schema, &verdict);
	print_record(out, &report_schema, &report);
	if (report.violation)
		print_record(out, &place_schema, &report);
	print_object_end(out);
	return report.violation ? STATUS_NO : STATUS_OK;
}
