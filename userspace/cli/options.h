/* SPDX-License-Identifier: GPL-2.0 */
/* Lines of the tables of options (command.h). */
#ifndef BLINKTREE_CLI_OPTIONS_H
#define BLINKTREE_CLI_OPTIONS_H

#include "command.h"

#define OPTION(kind_, letter_, name_, value_, field_, help_, ...) \
	{ .letter = letter_,                                      \
	  .name = name_,                                          \
	  .value = value_,                                        \
	  .kind = kind_,                                          \
	  .offset = offsetof(struct args, field_),                \
	  .help = help_,                                          \
	  __VA_ARGS__ }

#define VALUE(letter, name, value, kind, field, help) \
	OPTION(kind, letter, name, value, field, help)
#define FLAG(letter, name, field, help) \
	OPTION(OPTION_FLAG, letter, name, NULL, field, help)
#define NUMBER(letter, name, value, field, least, most, help)                 \
	OPTION(OPTION_NUMBER, letter, name, value, field, help, .min = least, \
	       .max = most)
#define WORD(letter, name, value, words_, field, help) \
	OPTION(OPTION_WORD, letter, name, value, field, help, .words = words_)
#define WORDS(name, words_, field, help) \
	OPTION(OPTION_WORDS, 0, name, "LIST", field, help, .words = words_)

#endif /* BLINKTREE_CLI_OPTIONS_H */
