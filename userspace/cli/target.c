// SPDX-License-Identifier: GPL-2.0
/* Opening a tree for its keys, and messages that name their kind. */
#include <errno.h>
#include <string.h>

#include "device.h"
#include "target.h"

/* Keys of other kinds cannot be read or written as text. */
static bool key_kind_known(unsigned int kind)
{
	return kind <= BLINK_TREE_KEY_MULTI;
}

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
	if (!err && key_kind_known(target->kind))
		return true;
	if (err)
		device_tree_error(target->name, -err);
	else
		message("%s has keys of the kind %s, which have no text here",
			target->name, word_of(kind_words, target->kind));
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
			target->name, word_of(kind_words, target->kind));
	return !why;
}

enum status target_failed(const struct target *target, const char *what,
			  int error)
{
	if (error != EOPNOTSUPP)
		return device_failed(what, error);
	message("%s: %s has keys of the kind %s, without this operation", what,
		target->name, word_of(kind_words, target->kind));
	return STATUS_SYSTEM;
}
