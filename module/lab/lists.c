// SPDX-License-Identifier: GPL-2.0
/* The schemes and mixes of this program or module: an object of JSON on each line. */
#include <linux/bits.h>
#include <linux/kernel.h>
#include <linux/seq_file.h>

#include "lists.h"
#include "schemes/lab_index.h"
#include "workloads.h"

#define PROMISE_WORD(promise, word) word,

/* Each stands at the place of its bit. */
static const char *const promise_words[] = { LAB_PROMISES(PROMISE_WORD) };

static void show_scheme(struct seq_file *m, const struct lab_scheme *scheme)
{
	const char *comma = "";
	unsigned int i;

	seq_printf(m, "{\"scheme\": \"%s\", \"author\": \"%s\", ", scheme->name,
		   scheme->author);
	seq_printf(m, "\"paper\": \"%s\", \"section\": \"%s\", \"promises\": [",
		   scheme->paper, scheme->section);
	for (i = 0; i < ARRAY_SIZE(promise_words); i++) {
		if (!(scheme->promises & BIT(i)))
			continue;
		seq_printf(m, "%s\"%s\"", comma, promise_words[i]);
		comma = ", ";
	}
	seq_puts(m, "]}\n");
}

static void show_mix(struct seq_file *m, const struct lab_mix *mix)
{
	const char *comma = "";
	unsigned int i;

	seq_printf(m, "{\"mix\": \"%s\", \"source\": \"%s\", \"shares\": {",
		   mix->name, mix->source);
	for (i = 0; i < LAB_OP_NR; i++) {
		if (!mix->share[i])
			continue;
		seq_printf(m, "%s\"%s\": %u", comma, lab_op_names[i],
			   mix->share[i]);
		comma = ", ";
	}
	seq_printf(m, "}, \"popularity\": \"%s\", \"entries\": [%u, %u]}\n",
		   lab_popularity_names[mix->popularity], mix->scan_least,
		   mix->scan_most);
}

void lab_lists_show(struct seq_file *m)
{
	const struct lab_scheme *scheme;
	const struct lab_mix *mix;

	for (scheme = lab_schemes; scheme->name; scheme++)
		show_scheme(m, scheme);
	for (mix = lab_mixes; mix->name; mix++)
		show_mix(m, mix);
}
