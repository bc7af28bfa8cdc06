/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Stand-ins for what a file that is mapped and polled needs. No call of the fuzzer
 * reaches these functions of a file here; those in guests do.
 */
#ifndef FUZZ_MAPPING_H
#define FUZZ_MAPPING_H

#include "chardev.h"

typedef unsigned int __poll_t;
typedef unsigned int vm_fault_t;
typedef struct poll_table_struct poll_table;

typedef struct wait_queue_head {
	int unused;
} wait_queue_head_t;

struct page;

struct vm_area_struct {
	unsigned long vm_flags;
	void *vm_private_data;
	const struct vm_operations_struct *vm_ops;
};

struct vm_fault {
	struct vm_area_struct *vma;
	unsigned long pgoff;
	struct page *page;
};

struct vm_operations_struct {
	vm_fault_t (*fault)(struct vm_fault *vmf);
};

#define EPOLLIN 0x1U
#define EPOLLRDNORM 0x40U
#define EPOLLHUP 0x10U
#define VM_WRITE 0x2UL
#define VM_EXEC 0x4UL
#define VM_MAYWRITE 0x20UL
#define VM_MAYEXEC 0x40UL
#define VM_DONTEXPAND 0x40000UL
#define VM_DONTDUMP 0x4000000UL
#define VM_FAULT_SIGBUS 0x2

#define DIV_ROUND_UP(n, d) (((n) + (d) - 1) / (d))
#define PAGE_ALIGN(size) (DIV_ROUND_UP(size, PAGE_SIZE) * PAGE_SIZE)
#define is_power_of_2(n) ((n) && !((n) & ((n) - 1)))

#define init_waitqueue_head(queue) ((void)(queue))
#define wake_up_interruptible_all(queue) ((void)(queue))
/* No other thread exists that could wake it. */
#define wait_event_interruptible(queue, cond) ((cond) ? 0 : -ERESTARTSYS)
#define poll_wait(file, queue, table) ((void)(table))
#define vm_flags_mod(vma, set, clear) \
	((vma)->vm_flags = ((vma)->vm_flags | (set)) & ~(clear))
#define vmalloc_to_page(address) ((struct page *)(address))
#define get_page(page) ((void)(page))
#define __vmalloc(size, gfp) kzalloc(size, (gfp) & ~__GFP_ZERO)
#define vfree(memory) kfree(memory)
#define put_user(value, to) \
	(copy_to_user(to, &(value), sizeof(value)) ? -EFAULT : 0)

#endif /* FUZZ_MAPPING_H */
