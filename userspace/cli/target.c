// SPDX-License-Identifier: GPL-2.0
/* Opening a tree for its keys, and messages that name their kind. */
#include <errno.h>
#include <string.h>

#include "device.h"
#include "target.h"

bool target_open(const struct args *args, unsigned int flags,
		 struct target *target)
{
	struct blink_tree_ioc_attr attr = {};
	int err;

	target->name = args->words[0];
	target->tree = flags == OPEN_AS_ALLOWED ?
			       device_open_tree_as_allowed(args) :
			       device_open_tree(args, flags);
	if (!target->tree)
		return false;
	err = blinktree_attr(target->tree, &attr, sizeof(attr));
	target->kind = attr.key;
	if (!err)
		return true;
	device_tree_error(target->name, -err);
	target_close(target);
	return false;
}

void target_close(const struct target *target)
{
	blinktree_close(target->tree);
}

bool target_key(const struct target *target, const char *what, const char *text,
		struct key *key)
{
	const char *why = key_parse(target->kind, text, strlen(text), key);

	if (why)
		message("%s '%s': %s (the kind of %s is %s)", what, text, why,
			target->name, word_of(key_words, target->kind));
	return !why;
}

bool target_format(const struct target *target, enum format format)
{
	if (target->kind != BLINK_TREE_KEY_BYTES || format != FORMAT_BINARY)
		return true;
	message("%s: the format binary has no strings", target->name);
	return false;
}

enum status target_failed(const struct target *target, const char *what,
			  int error)
{
	if (error != EOPNOTSUPP)
		return device_failed(what, error);
	message("%s: %s has keys of the kind %s, without this operation", what,
		target->name, word_of(key_words, target->kind));
	return STATUS_SYSTEM;
}
