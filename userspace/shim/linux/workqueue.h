/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Work that is done by somebody else, later: there, by the thread that calls
 * shim_work_step(), when it does so. A program that never calls it does the same
 * whenever it runs, and no work.
 */
#ifndef SHIM_LINUX_WORKQUEUE_H
#define SHIM_LINUX_WORKQUEUE_H

#include <linux/types.h>

struct workqueue_struct;
struct work_struct;

typedef void (*work_func_t)(struct work_struct *work);

struct work_struct {
	work_func_t func;
	struct work_struct *next;
	bool pending;
	bool running;
	unsigned int canceled;
};

#define WQ_UNBOUND 0x1
#define WQ_MEM_RECLAIM 0x2
#define WQ_HIGHPRI 0x4

#define INIT_WORK(work, fn) (*(work) = (struct work_struct){ .func = (fn) })
#define alloc_workqueue(name, flags, active) shim_workqueue_alloc()

struct workqueue_struct *shim_workqueue_alloc(void);
void destroy_workqueue(struct workqueue_struct *wq);
bool queue_work_node(int nid, struct workqueue_struct *wq,
		     struct work_struct *work);
bool cancel_work_sync(struct work_struct *work);

#endif /* SHIM_LINUX_WORKQUEUE_H */
