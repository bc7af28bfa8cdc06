// SPDX-License-Identifier: GPL-2.0
/* The words of options that are numbers to the kernel. */
#include "command.h"
#include "entry.h"

/* In the order of the enumerations in the UAPI header. */
const char *const replication_words[] = { "none", "inner", "full", NULL };
const char *const locking_words[] = { "plain", "cohort", NULL };
const char *const placement_words[] = { "local", "interleave", NULL };
const char *const key_words[] = { "u64", "u128", "multi", "bytes", NULL };
const char *const value_words[] = { "u64", "bytes", NULL };

/* In the order in which the laboratory runs them. */
const char *const index_words[] = { "blink_tree", "maple_tree", "xarray",
				    "rbtree",	  "rhashtable", NULL };
const char *const workload_words[] = {
	"insert", "lookup",	  "lookup-zipf", "scan",	  "floor",
	"95/5",	  "insert-erase", "50/50",	 "get-or-insert", "count",
	"pop",	  "erase-range",  NULL
};

const char *word_of(const char *const *words, unsigned int number)
{
	while (*words && number) {
		words++;
		number--;
	}
	return *words ?: "unknown";
}

const char *value_word(__u64 flags)
{
	return value_words[value_kind(flags)];
}
