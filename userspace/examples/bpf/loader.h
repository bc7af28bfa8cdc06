/* SPDX-License-Identifier: GPL-2.0 */
/* Functions of all loaders: errors, trees, handles, objects of programs. */
#ifndef EXAMPLES_BPF_LOADER_H
#define EXAMPLES_BPF_LOADER_H

#include <bpf/libbpf.h>
#include <blinktree.h>

/* Print a message about an error, and end with status 1. */
[[gnu::noreturn]] void die(const char *what, int err);

/* Create a tree without a name: it ends with this program. It ends for an error. */
struct blinktree *new_tree(enum blink_tree_key key);

/* The number by which BPF programs name a tree. It ends for an error. */
__u64 handle_of(struct blinktree *tree);

/* Load NAME.bpf.o beside this program, its variables set. It ends for an error. */
struct bpf_object *load_object(const char *name, const void *variables,
			       size_t size);

/* A program of an object. It ends if there is none. */
struct bpf_program *program_of(const struct bpf_object *object,
			       const char *name);

#endif /* EXAMPLES_BPF_LOADER_H */
