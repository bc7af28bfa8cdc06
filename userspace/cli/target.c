// SPDX-License-Identifier: GPL-2.0
/* Opening a tree for its entries, and messages that name its kinds. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "device.h"
#include "operation.h"
#include "target.h"

static bool is_readable(const struct blinktree *tree)
{
	return (fcntl(blinktree_fd(tree), F_GETFL) & O_ACCMODE) != O_WRONLY;
}

bool target_describe(struct target *target)
{
	struct blink_tree_ioc_attr attr = {};
	int err = blinktree_attr(target->tree, &attr, sizeof(attr));

	target->kinds.key = attr.key;
	target->kinds.value = value_kind(attr.create_flags);
	target->readable = is_readable(target->tree);
	if (err)
		device_tree_error(target->name, -err);
	return !err;
}

enum status target_open(const struct args *args, unsigned int flags,
			struct target *target)
{
	enum status status;

	target->name = args->words[0];
	status = flags == OPEN_AS_ALLOWED ?
			 device_open_tree_as_allowed(args, &target->tree) :
			 device_open_tree(args, flags, &target->tree);
	if (status)
		return status;
	if (target_describe(target))
		return STATUS_OK;
	target_close(target);
	return STATUS_SYSTEM;
}

void target_close(const struct target *target)
{
	blinktree_close(target->tree);
}

bool target_key(const struct target *target, const char *what, const char *text,
		struct key *key)
{
	const char *why = key_parse(target->kinds.key, text, strlen(text), key);

	if (why)
		message("%s '%s': %s (the kind of %s is %s)", what, text, why,
			target->name, word_of(key_words, target->kinds.key));
	return !why;
}

bool target_value(const struct target *target, const char *what,
		  unsigned int opcode, const char *text, struct value *value)
{
	const char *why = operation_parse_value(opcode, target->kinds.value,
						text, strlen(text), value);

	if (why)
		message("%s '%s': %s (the values of %s are %s)", what, text,
			why, target->name, value_words[target->kinds.value]);
	return !why;
}

bool target_format(const struct target *target, enum format format)
{
	if (format != FORMAT_BINARY ||
	    (target->kinds.key != BLINK_TREE_KEY_BYTES &&
	     target->kinds.value != VALUE_BYTES))
		return true;
	message("%s: the format binary has no strings", target->name);
	return false;
}

enum status target_failed(const struct target *target, const char *what,
			  int error)
{
	if (error != EOPNOTSUPP)
		return device_failed(what, error);
	message("%s: %s has keys of the kind %s and values of the kind %s, without this operation",
		what, target->name, word_of(key_words, target->kinds.key),
		value_words[target->kinds.value]);
	return STATUS_SYSTEM;
}
