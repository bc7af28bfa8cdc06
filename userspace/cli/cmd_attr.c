// SPDX-License-Identifier: GPL-2.0
/* attr: show the attributes of a tree, or change them. */
#include <errno.h>
#include <grp.h>
#include <string.h>

#include "account.h"
#include "device.h"
#include "printer.h"
#include "util.h"

void print_tree_options(struct printer *out, unsigned int replication,
			unsigned int locking, unsigned int placement,
			unsigned int key, __u64 flags)
{
	print_text(out, "replication", word_of(replication_words, replication));
	print_text(out, "locking", word_of(locking_words, locking));
	print_text(out, "placement", word_of(placement_words, placement));
	print_text(out, "key", word_of(key_words, key));
	print_text(out, "value", value_word(flags));
	print_text(out, "compress",
		   flags & BLINK_TREE_CREATE_COMPRESS ? "yes" : "no");
}

static void show(struct printer *out, const struct blink_tree_ioc_attr *attr)
{
	print_begin(out, PART_OBJECT, NULL);
	print_text(out, "name", attr->name);
	print_u64(out, "id", attr->id);
	print_u64(out, "uid", attr->uid);
	print_u64(out, "gid", attr->gid);
	print_mode(out, "mode", attr->mode);
	print_u64(out, "max_entries", attr->max_entries);
	print_u64(out, "max_bytes", attr->max_bytes);
	print_tree_options(out, attr->replication, attr->locking,
			   attr->placement, attr->key, attr->create_flags);
	print_end(out);
}

static bool get_group(const char *text, __u32 *id)
{
	const struct group *group = getgrnam(text);

	if (group)
		*id = group->gr_gid;
	if (group || account_number(text, id))
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
