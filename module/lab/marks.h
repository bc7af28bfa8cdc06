/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: marks
 *
 * The module, or a program (userspace/bench/kernel), reports to the plugin in
 * QEMU that counts instructions and memory references
 * (userspace/bench/numa/count, which includes this file too). Off QEMU, or
 * without the plugin, a mark has no effect.
 *
 * A *mark* is an instruction that does nothing, nopl imm32(%rax); the immediate
 * says what it means:
 *
 * - BEGIN and END enclose an *operation*, of a class; of one CPU, not nested.
 * - FORGET begins a *run*: nothing is known of any memory.
 * - COUNT zeroes all counters, and begins to count.
 * - PAUSE ends that.
 * - WAIT encloses instructions in the middle of an operation that are no part of it: a
 *   thread of a program that is recorded has its turn by them, or a signal is handled.
 * - DUMP writes the counters out; dumps are numbered from 1.
 *
 * To *tell* is to load a byte, movzbl imm32(%rax), %eax, out of a cache line,
 * so that the plugin sees the line's physical address. Which byte of the line
 * is loaded, the *tag*, says what the line is: node of which level and whether
 * its first one, which begins with the node's lock. Such a load is not counted.
 *
 * To *ask* is what a prefetch does in a program that is built with SHIM_LINES: the
 * instruction compares what the prefetch would load, cmpl $imm32, address. A prefetch
 * of a processor is an instruction without effect in QEMU, which does not compute its
 * address. A prefetch may have an address where no memory is. So each of these
 * instructions is in a table, the section blink_asks, and the program goes on behind it
 * (userspace/bench/lines/ask.c).
 *
 * A program that is built with SHIM_TRACED is recorded instead (count/trace.h). It tells
 * which NUMA node the memory of an object belongs to: HOME, and the number of the node.
 * And it tells the line of a lock, before an operation takes the lock, waiting if it must:
 * LOCK, or LOCK_SHARED for a reader; and after it has given the lock up: UNLOCK. Besides,
 * SECOND is for a lock that consists of others, of which one is in the same line. These
 * are part of an operation.
 *
 * Some schemes divide their operations into tasks on nodes, which other threads execute
 * (schemes/mx_tree.h). If such a program is recorded, the thread of the call executes all
 * of them, and tells with the line of the node when a task is added, for the core of the
 * node (TO_CORE) or for the node itself (TO_NODE); and when the oldest task of the node
 * begins (TASK). The mark JOIN says that the call has no task left. Lines that are OWN are
 * those of the call, to which its tasks refer. The mark HIDE encloses instructions whose
 * references are not recorded: those to the queues.
 *
 * With the tag STACK the line is one of the thread's own stack: the plugin counts no
 * reference of this CPU to that stack, until the next FORGET. The kernel takes the
 * memory of stacks from any NUMA node, and it is no memory of the index.
 */
#ifndef BLINK_LAB_MARKS_H
#define BLINK_LAB_MARKS_H

/* The upper half of each immediate; the lower is a mark and its argument. */
#define BLINK_MARK_MAGIC 0x4e4d0000
#define BLINK_MARK_BEGIN 0x100 /* | class */
#define BLINK_MARK_END 0x200
#define BLINK_MARK_FORGET 0x300
#define BLINK_MARK_COUNT 0x400
#define BLINK_MARK_PAUSE 0x500
#define BLINK_MARK_DUMP 0x600
#define BLINK_MARK_TELL 0x700
#define BLINK_MARK_ASK 0x800
#define BLINK_MARK_WAIT 0x900 /* | 1: no more */
#define BLINK_MARK_HIDE 0xa00 /* | 1: no more */
#define BLINK_MARK_JOIN 0xb00 /* it ends HIDE, too */

/* Classes of operations; 0 is for whatever happens outside of them. */
#define BLINK_CLASS_NONE 0
#define BLINK_CLASS_LOOKUP 1
#define BLINK_CLASS_INSERT 2
#define BLINK_CLASS_ERASE 3
#define BLINK_CLASS_PROBE 4
#define BLINK_CLASS_LOCK 5
#define BLINK_CLASS_CALL 6
#define BLINK_CLASS_NR 7

/* Tags: a node's level or one of these; with HEAD, the line of its lock. */
#define BLINK_TAG_PROBE 16
#define BLINK_TAG_TREE 17
#define BLINK_TAG_STACK 18
#define BLINK_TAG_NR 19
#define BLINK_TAG_LOCK 20
#define BLINK_TAG_LOCK_SHARED 21
#define BLINK_TAG_UNLOCK 22
#define BLINK_TAG_HOME 24
#define BLINK_TAG_SECOND 32
#define BLINK_TAG_HEAD 32
#define BLINK_TAG_TO_CORE 56
#define BLINK_TAG_TO_NODE 57
#define BLINK_TAG_TASK 58
#define BLINK_TAG_OWN 59

#define BLINK_LINE_BYTES 64
#define BLINK_LOCK_BYTES 4
/* Of the stack of a thread of the kernel, which is aligned to it. */
#define BLINK_STACK_BYTES 16384

#ifdef __KERNEL__
#include <linux/compiler.h>
#else
#include <sys/cdefs.h>
#endif

#ifdef __x86_64__
/* @code must be a constant where this is inlined. */
static __always_inline void blink_mark(unsigned int code)
{
	asm volatile(".byte 0x0f, 0x1f, 0x80; .long %c0"
		     :
		     : "i"(BLINK_MARK_MAGIC | code)
		     : "memory");
}

static __always_inline void blink_tell(const void *line, unsigned int tag)
{
	unsigned long byte = (unsigned long)line + tag;

	/* The instruction adds its immediate to the address. */
	byte -= BLINK_MARK_MAGIC | BLINK_MARK_TELL;
	asm volatile(".byte 0x0f, 0xb6, 0x80; .long %c1"
		     : "+a"(byte)
		     : "i"(BLINK_MARK_MAGIC | BLINK_MARK_TELL)
		     : "memory");
}

static __always_inline void blink_ask(const void *address)
{
	asm volatile("1:\tcmpl %1, %0\n"
		     "2:\n\t"
		     ".pushsection blink_asks, \"a\"\n\t"
		     ".balign 4\n\t"
		     ".long 1b - ., 2b - .\n\t"
		     ".popsection"
		     :
		     : "m"(*(const char *)address),
		       "i"(BLINK_MARK_MAGIC | BLINK_MARK_ASK)
		     : "cc");
}

static __always_inline void blink_tell_stack(void)
{
	unsigned long here = (unsigned long)__builtin_frame_address(0);

	blink_tell((const void *)(here & -BLINK_LINE_BYTES), BLINK_TAG_STACK);
}
#else
/* The plugin knows x86-64 alone. */
#define blink_mark(code) ((void)(code))
#define blink_tell_stack() ((void)0)
#endif /* __x86_64__ */

#ifdef SHIM_TRACED
#define blink_tell_lock(lock, tag)                                            \
	blink_tell((const void *)((unsigned long)(lock) & -BLINK_LINE_BYTES), \
		   tag)
#define blink_mark_traced(code) blink_mark(code)
#else
#define blink_tell_lock(lock, tag) ((void)(lock))
#define blink_mark_traced(code) ((void)(code))
#endif
/* The node of a task. */
#define blink_tell_task(node, tag) blink_tell_lock(node, tag)

#endif /* BLINK_LAB_MARKS_H */
