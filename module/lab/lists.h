/* SPDX-License-Identifier: GPL-2.0 */
/* The schemes and mixes as text. */
#ifndef BLINK_LAB_LISTS_H
#define BLINK_LAB_LISTS_H

struct seq_file;

void lab_lists_show(struct seq_file *m);

#endif /* BLINK_LAB_LISTS_H */
