// SPDX-License-Identifier: GPL-2.0
/*
 * The scratch memory of the kfuncs (scratch.h): a *stack* of places for each CPU. A call
 * takes a place with interrupts disabled, and gives it back before it enables them. Only an
 * NMI can come in between, or a program that traces what the call does. These take the
 * place above, and give it back before the call goes on. So the depth of the stack need
 * not be atomic.
 */
#ifdef BLINK_KFUNCS

#include <linux/errno.h>
#include <linux/lockdep.h>
#include <linux/percpu.h>

#include "scratch.h"

/* Calls inside of each other: in a task, in an NMI, and in a program that traces it. */
#define PLACES 3

/**
 * struct stack - the places of a CPU
 * @depth: those in use
 * @places: the places
 */
struct stack {
	unsigned int depth;
	struct blink_bpf_scratch places[PLACES];
};

static struct stack __percpu *stacks;

/**
 * blink_bpf_scratch_get() - take a place
 *
 * Context: any, interrupts disabled until blink_bpf_scratch_put(), which is called
 * unless this function returns NULL.
 * Return: the place, or NULL if too many calls are inside of each other.
 */
struct blink_bpf_scratch *blink_bpf_scratch_get(void)
{
	struct stack *stack = this_cpu_ptr(stacks);
	unsigned int depth = READ_ONCE(stack->depth);

	lockdep_assert_irqs_disabled();
	if (unlikely(depth == PLACES))
		return NULL;
	/* An NMI takes this place and gives it back, or the next one. */
	WRITE_ONCE(stack->depth, depth + 1);
	barrier();
	return &stack->places[depth];
}

/**
 * blink_bpf_scratch_put() - give back the place that was taken last
 *
 * Context: as blink_bpf_scratch_get().
 */
void blink_bpf_scratch_put(void)
{
	struct stack *stack = this_cpu_ptr(stacks);

	/* The call has read its place. */
	barrier();
	WRITE_ONCE(stack->depth, stack->depth - 1);
}

/**
 * blink_bpf_scratch_init() - allocate the places
 *
 * Context: process context, before the kfuncs are registered.
 * Return: 0 or -ENOMEM.
 */
int blink_bpf_scratch_init(void)
{
	stacks = alloc_percpu(struct stack);
	return stacks ? 0 : -ENOMEM;
}

/**
 * blink_bpf_scratch_exit() - free the places
 *
 * Context: process context, when no program is loaded that calls a kfunc.
 */
void blink_bpf_scratch_exit(void)
{
	free_percpu(stacks);
}

#endif /* BLINK_KFUNCS */
