// SPDX-License-Identifier: GPL-2.0
/* The kernel's record of what it did; see kcov.h. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include <linux/kcov.h>

#include "kcov.h"

#define RECORD_WORDS (64UL << 10)

static __u64 module_start;
static __u64 module_bytes;

int kcov_find_module(void)
{
	FILE *file = fopen("/proc/modules", "re");
	char name[64];
	int found = -1;

	while (file && found &&
	       fscanf(file, "%63s %llu %*s %*s %*s %llx%*[^\n]", name,
		      &module_bytes, &module_start) == 3)
		found = strcmp(name, "blink_tree") ? -1 : 0;
	if (file)
		fclose(file);
	return module_start ? found : -1;
}

int kcov_open(struct kcov *kcov)
{
	kcov->fd = open("/sys/kernel/debug/kcov", O_RDWR | O_CLOEXEC);
	if (kcov->fd < 0 || ioctl(kcov->fd, KCOV_INIT_TRACE, RECORD_WORDS))
		return -1;
	kcov->record = mmap(NULL, RECORD_WORDS * sizeof(*kcov->record),
			    PROT_READ | PROT_WRITE, MAP_SHARED, kcov->fd, 0);
	return kcov->record == MAP_FAILED ? -1 : 0;
}

static int record(struct kcov *kcov, unsigned long mode)
{
	__atomic_store_n(&kcov->record[0], 0, __ATOMIC_RELAXED);
	return ioctl(kcov->fd, KCOV_ENABLE, mode);
}

int kcov_record_blocks(struct kcov *kcov)
{
	/* An error if it was off. */
	ioctl(kcov->fd, KCOV_DISABLE, 0);
	return record(kcov, KCOV_TRACE_PC);
}

int kcov_record_comparisons(struct kcov *kcov)
{
	ioctl(kcov->fd, KCOV_DISABLE, 0);
	return record(kcov, KCOV_TRACE_CMP);
}

static unsigned int see_block(struct seen *seen, __u64 from, __u64 to)
{
	unsigned int edge =
		((from * 0x9e3779b97f4a7c15ULL ^ to * 0xc2b2ae3d27d4eb4fULL) >>
		 40) %
		KCOV_EDGES;

	if (!seen->blocks[to]) {
		seen->blocks[to] = 1;
		__atomic_fetch_add(&seen->nr_blocks, 1, __ATOMIC_RELAXED);
	}
	if (seen->edges[edge])
		return 0;
	seen->edges[edge] = 1;
	__atomic_fetch_add(&seen->nr_edges, 1, __ATOMIC_RELAXED);
	return 1;
}

unsigned int kcov_take(struct kcov *kcov, struct seen *seen)
{
	__u64 nr = __atomic_load_n(&kcov->record[0], __ATOMIC_RELAXED);
	unsigned int fresh = 0;
	__u64 i, from = 0, to;

	for (i = 1; i <= nr && i < RECORD_WORDS; i++) {
		to = kcov->record[i] - module_start;
		if (to >= module_bytes || to >= KCOV_BLOCKS)
			continue;
		fresh += see_block(seen, from, to);
		from = to;
	}
	__atomic_store_n(&kcov->record[0], 0, __ATOMIC_RELAXED);
	return fresh;
}

/* Loops compare the same again and again; returns how many there are then. */
static unsigned int add_hint(struct hint *hints, unsigned int nr, __u64 have,
			     __u64 want)
{
	unsigned int i;

	for (i = 0; i < nr; i++) {
		if (hints[i].have == have && hints[i].want == want)
			return nr;
	}
	hints[nr] = (struct hint){ .have = have, .want = want };
	return nr + 1;
}

/* A comparison: its type, two values and where it was. */
static unsigned int add_hints(const __u64 *comparison, struct hint *hints,
			      unsigned int nr)
{
	__u64 a = comparison[1], b = comparison[2];

	if (a == b)
		return nr;
	/* Of a constant and another one the constant is the first. */
	nr = add_hint(hints, nr, b, a);
	if (comparison[0] & KCOV_CMP_CONST)
		return nr;
	return add_hint(hints, nr, a, b);
}

unsigned int kcov_take_hints(struct kcov *kcov, struct hint *hints,
			     unsigned int room)
{
	__u64 nr = __atomic_load_n(&kcov->record[0], __ATOMIC_RELAXED), i;
	unsigned int found = 0;

	for (i = 0; i < nr && i < RECORD_WORDS / 4 - 1; i++) {
		const __u64 *comparison = &kcov->record[1 + 4 * i];

		if (comparison[3] - module_start >= module_bytes)
			continue;
		if (found + 2 > room)
			break;
		found = add_hints(comparison, hints, found);
	}
	return found;
}
