/* SPDX-License-Identifier: GPL-2.0 */
/* How a task gets a node to itself, in each of the three schemes (mx_tree.h). */
#ifndef BLINK_LAB_SCHEMES_MX_H
#define BLINK_LAB_SCHEMES_MX_H

#include "mx_tree.h"

struct mx_core;

/* mx_core.c */
int mx_core_start(struct mx_tree *mx, u32 nr);
bool mx_core_run(struct mx_core *core);
void mx_core_enqueue(struct mx_tree *mx, struct mx_task *task,
		     struct plain_node *node);

/* mx_sync.c */
extern const unsigned int mx_sync_head;
void mx_sync_init(void *latch);
int mx_sync_start(struct mx_tree *mx, u32 nr);
bool mx_sync_run(struct mx_core *core);
void mx_sync_enqueue(struct mx_tree *mx, struct mx_core *core,
		     struct mx_task *task, struct plain_node *node);

/* mx_spin.c */
extern const unsigned int mx_spin_head;
void mx_spin_init(void *latch);
void mx_spin_execute(struct mx_tree *mx, struct mx_task *task);

#endif /* BLINK_LAB_SCHEMES_MX_H */
