/* SPDX-License-Identifier: GPL-2.0 */
/* libFuzzer's calls, by names of the kind that we have. */
#ifndef FUZZ_LIBFUZZER_H
#define FUZZ_LIBFUZZER_H

#include <stddef.h>

#include <linux/types.h>

/* The functions that a target defines. */
int target_initialize(int *argc, char ***argv) __asm__("LLVMFuzzerInitialize");
int target_run(const __u8 *data, size_t size) __asm__("LLVMFuzzerTestOneInput");
size_t target_mutate(__u8 *data, size_t size, size_t room,
		     unsigned int seed) __asm__("LLVMFuzzerCustomMutator");
size_t target_cross(const __u8 *a, size_t a_size, const __u8 *b, size_t b_size,
		    __u8 *out, size_t room,
		    unsigned int seed) __asm__("LLVMFuzzerCustomCrossOver");

/* Mutate some bytes of which nothing is known. */
size_t libfuzzer_mutate(__u8 *data, size_t size,
			size_t room) __asm__("LLVMFuzzerMutate");

#endif /* FUZZ_LIBFUZZER_H */
