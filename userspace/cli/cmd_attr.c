// SPDX-License-Identifier: GPL-2.0
/* attr: show the attributes of a tree, or change them. */
#include <errno.h>
#include <grp.h>
#include <string.h>

#include "account.h"
#include "device.h"
#include "number.h"
#include "printer.h"
#include "util.h"

struct shown {
	const char *name;
	__u64 id;
	__u32 uid;
	__u32 gid;
	__u32 mode;
	__u64 max_entries;
	__u64 max_bytes;
	const char *replication;
	const char *locking;
	const char *placement;
	const char *key;
	const char *value;
	const char *compress;
};

static const struct field shown_fields[] = {
	FIELD(FIELD_TEXT, struct shown, name),
	FIELD(FIELD_U64, struct shown, id),
	FIELD(FIELD_U32, struct shown, uid),
	FIELD(FIELD_U32, struct shown, gid),
	FIELD(FIELD_MODE, struct shown, mode),
	FIELD(FIELD_U64, struct shown, max_entries),
	FIELD(FIELD_U64, struct shown, max_bytes),
	FIELD(FIELD_TEXT, struct shown, replication),
	FIELD(FIELD_TEXT, struct shown, locking),
	FIELD(FIELD_TEXT, struct shown, placement),
	FIELD(FIELD_TEXT, struct shown, key),
	FIELD(FIELD_TEXT, struct shown, value),
	FIELD(FIELD_TEXT, struct shown, compress),
};

static const struct schema shown_schema = {
	.layout = LAYOUT_LINES,
	.fields = shown_fields,
	.nr = ARRAY_SIZE(shown_fields),
};

static void show(struct printer *out, const struct blink_tree_ioc_attr *attr)
{
	const struct shown shown = {
		.name = attr->name,
		.id = attr->id,
		.uid = attr->uid,
		.gid = attr->gid,
		.mode = attr->mode,
		.max_entries = attr->max_entries,
		.max_bytes = attr->max_bytes,
		.replication = word_of(replication_words, attr->replication),
		.locking = word_of(locking_words, attr->locking),
		.placement = word_of(placement_words, attr->placement),
		.key = word_of(key_words, attr->key),
		.value = value_word(attr->create_flags),
		.compress = compress_word(attr->create_flags),
	};

	print_record(out, &shown_schema, &shown);
}

/* Read an id. The system need not know it. */
static bool get_number(const char *text, __u32 *id)
{
	__u64 number;

	if (number_parse(text, strlen(text), &number) || number >= UINT32_MAX)
		return false;
	*id = number;
	return true;
}

static bool get_group(const char *text, __u32 *id)
{
	const struct group *group = getgrnam(text);

	if (group)
		*id = group->gr_gid;
	if (group || get_number(text, id))
		return true;
	message("--group %s: no such group", text);
	return false;
}

static bool get_name(const char *text, char name[BLINK_TREE_NAME_MAX])
{
	size_t len = strlen(text);

	if (len && len < BLINK_TREE_NAME_MAX) {
		memcpy(name, text, len);
		return true;
	}
	device_tree_error(text, len ? ENAMETOOLONG : EINVAL);
	return false;
}

/* Fill in the attributes from the options; false after a message. */
static bool fill(struct blink_tree_ioc_attr *attr, const struct attr_args *args)
{
	if (args->owner) {
		struct account owner;

		if (!account_find(args->owner, &owner))
			return false;
		attr->flags |= BLINK_TREE_ATTR_UID;
		attr->uid = owner.uid;
	}
	if (args->group) {
		attr->flags |= BLINK_TREE_ATTR_GID;
		if (!get_group(args->group, &attr->gid))
			return false;
	}
	if (args->name) {
		attr->flags |= BLINK_TREE_ATTR_NAME;
		if (!get_name(args->name, attr->name))
			return false;
	}
	if (args->mode != ATTR_NO_MODE) {
		attr->flags |= BLINK_TREE_ATTR_MODE;
		attr->mode = args->mode;
	}
	if (args->max_entries != ATTR_NO_LIMIT) {
		attr->flags |= BLINK_TREE_ATTR_MAX_ENTRIES;
		attr->max_entries = args->max_entries;
	}
	if (args->max_bytes != ATTR_NO_LIMIT) {
		attr->flags |= BLINK_TREE_ATTR_MAX_BYTES;
		attr->max_bytes = args->max_bytes;
	}
	return true;
}

static enum status failed(const struct args *args, int error)
{
	if (error == EOPNOTSUPP) {
		message("%s: the tree was created without max_entries and counts no keys",
			args->words[0]);
		return STATUS_SYSTEM;
	}
	if (error == EINVAL && !args->attr.name) {
		message("%s: no such owner or group in this namespace, or an older module",
			args->words[0]);
		return STATUS_SYSTEM;
	}
	if (args->attr.name && (error == EEXIST || error == EINVAL))
		return device_tree_error(args->attr.name, error);
	return device_tree_error(args->words[0], error);
}

enum status run_attr(const struct args *args, struct printer *out)
{
	struct blink_tree_ioc_attr attr = {};
	struct blinktree *tree;
	enum status status;
	int err;

	if (!fill(&attr, &args->attr))
		return STATUS_USAGE;
	status = device_open_tree_as_allowed(args, &tree);
	if (status)
		return status;
	err = blinktree_attr(tree, &attr, sizeof(attr));
	blinktree_close(tree);
	if (err)
		return failed(args, -err);
	if (!attr.flags)
		show(out, &attr);
	return STATUS_OK;
}
