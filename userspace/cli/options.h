/* SPDX-License-Identifier: GPL-2.0 */
/* Lines of the tables of options (command.h). */
#ifndef BLINKTREE_CLI_OPTIONS_H
#define BLINKTREE_CLI_OPTIONS_H

#include "command.h"

#define FLAG(letter_, name_, field_, help_)        \
	{ .letter = letter_,                       \
	  .name = name_,                           \
	  .kind = OPTION_FLAG,                     \
	  .offset = offsetof(struct args, field_), \
	  .help = help_ }

#define NUMBER(letter_, name_, value_, field_, min_, max_, help_) \
	{ .letter = letter_,                                      \
	  .name = name_,                                          \
	  .value = value_,                                        \
	  .kind = OPTION_NUMBER,                                  \
	  .min = min_,                                            \
	  .max = max_,                                            \
	  .offset = offsetof(struct args, field_),                \
	  .help = help_ }

#define VALUE(letter_, name_, value_, kind_, field_, help_) \
	{ .letter = letter_,                                \
	  .name = name_,                                    \
	  .value = value_,                                  \
	  .kind = kind_,                                    \
	  .offset = offsetof(struct args, field_),          \
	  .help = help_ }

#define WORD(letter_, name_, value_, words_, field_, help_) \
	{ .letter = letter_,                                \
	  .name = name_,                                    \
	  .value = value_,                                  \
	  .kind = OPTION_WORD,                              \
	  .offset = offsetof(struct args, field_),          \
	  .words = words_,                                  \
	  .help = help_ }

#define WORDS(name_, words_, field_, help_)        \
	{ .name = name_,                           \
	  .value = "LIST",                         \
	  .kind = OPTION_WORDS,                    \
	  .offset = offsetof(struct args, field_), \
	  .words = words_,                         \
	  .help = help_ }

#define NUMBERS(letter_, name_, field_, min_, max_, help_) \
	{ .letter = letter_,                               \
	  .name = name_,                                   \
	  .value = "N[,N]",                                \
	  .kind = OPTION_NUMBERS,                          \
	  .min = min_,                                     \
	  .max = max_,                                     \
	  .offset = offsetof(struct args, field_),         \
	  .help = help_ }

#define NAMES(letter_, name_, name_at_, field_, help_) \
	{ .letter = letter_,                           \
	  .name = name_,                               \
	  .value = "LIST",                             \
	  .kind = OPTION_NAMES,                        \
	  .offset = offsetof(struct args, field_),     \
	  .name_at = name_at_,                         \
	  .help = help_ }

#endif /* BLINKTREE_CLI_OPTIONS_H */
