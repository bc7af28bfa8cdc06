// SPDX-License-Identifier: GPL-2.0
/* Memory to pass, see memory.h. */
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "memory.h"

#define PAGE 4096UL
#define HOLE PAGE
#define READ_ONLY_BYTES (2 * PAGE)
#define READ_ONLY (MEMORY_WRITABLE + HOLE)
#define LANE_BYTES (READ_ONLY + READ_ONLY_BYTES + HOLE)

#define VIEW 0x10000000UL
#define ALIAS 0x20000000UL

/* Arrays begin here, so that they leave a structure alone. */
#define ARRAY_OFFSET 1024

#define WRITABLE_PAGES (MEMORY_WRITABLE / PAGE)

static int protection[LANES][WRITABLE_PAGES];
static bool changed;

static int map(int fd, unsigned long address, int prot)
{
	void *at = mmap((void *)address, LANES * LANE_BYTES, prot,
			MAP_SHARED | MAP_FIXED_NOREPLACE, fd, 0);

	return at == (void *)address ? 0 : -1;
}

static int protect(unsigned long address, size_t bytes, int prot)
{
	return mprotect((void *)address, bytes, prot);
}

static int protect_lane(unsigned int lane)
{
	unsigned long view = VIEW + lane * LANE_BYTES;
	unsigned int page;

	for (page = 0; page < WRITABLE_PAGES; page++)
		protection[lane][page] = PROT_READ | PROT_WRITE;
	return protect(view, MEMORY_WRITABLE, PROT_READ | PROT_WRITE) ||
	       protect(view + READ_ONLY, READ_ONLY_BYTES, PROT_READ);
}

int memory_map(void)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC), err;
	unsigned int lane;

	if (fd < 0)
		return -1;
	err = ftruncate(fd, LANES * LANE_BYTES) || map(fd, VIEW, PROT_NONE) ||
	      map(fd, ALIAS, PROT_READ | PROT_WRITE);
	close(fd);
	for (lane = 0; lane < LANES && !err; lane++)
		err = protect_lane(lane);
	return err ? -1 : 0;
}

__u64 memory_address(unsigned int lane, enum place place, size_t bytes,
		     bool array)
{
	__u64 view = VIEW + lane * LANE_BYTES;
	__u64 end = view + MEMORY_WRITABLE;
	size_t fits = bytes < MEMORY_WRITABLE ? bytes : MEMORY_WRITABLE;

	switch (place) {
	case PLACE_END:
		return end - fits;
	case PLACE_ACROSS:
		return end - fits / 2;
	case PLACE_READ_ONLY:
		return view + READ_ONLY + (array ? ARRAY_OFFSET : 0);
	case PLACE_NOT_THERE:
		return end;
	case PLACE_NULL:
		return 0;
	case PLACE_KERNEL:
		return 0xffff888000001000;
	case PLACE_LAST:
		return 0x7ffffffff000 - fits / 2;
	case PLACE_WRAP:
		return -(__u64)fits / 2;
	case PLACE_SAME:
		return view + (array ? 0 : ARRAY_OFFSET);
	case PLACE_OTHER:
		view = VIEW + (lane + 1) % LANES * LANE_BYTES;
		break;
	default:
		break;
	}
	return view + (array ? ARRAY_OFFSET : 0);
}

void *memory_alias(__u64 address, size_t *bytes)
{
	size_t offset = address - VIEW, left;

	if (offset >= LANES * LANE_BYTES)
		return NULL;
	left = LANES * LANE_BYTES - offset;
	if (*bytes > left)
		*bytes = left;
	return (char *)ALIAS + offset;
}

static bool page_allows(size_t offset, bool write)
{
	unsigned int lane = offset / LANE_BYTES;
	int prot = PROT_NONE;

	offset %= LANE_BYTES;
	if (offset < MEMORY_WRITABLE)
		prot = protection[lane][offset / PAGE];
	else if (offset >= READ_ONLY && offset < READ_ONLY + READ_ONLY_BYTES)
		prot = PROT_READ;
	return prot & (write ? PROT_WRITE : PROT_READ);
}

size_t memory_accessible(__u64 address, size_t bytes, bool write)
{
	size_t at = address - VIEW, end = at + bytes, next;

	for (; at < end; at = next) {
		if (at >= LANES * LANE_BYTES || !page_allows(at, write))
			break;
		next = (at / PAGE + 1) * PAGE;
	}
	at = at < end ? at : end;
	return at - (size_t)(address - VIEW);
}

void memory_protect(unsigned int lane, unsigned int page, unsigned int how)
{
	static const int prots[] = { PROT_NONE, PROT_READ,
				     PROT_READ | PROT_WRITE };
	int prot = prots[how % 3];

	page %= WRITABLE_PAGES;
	protection[lane][page] = prot;
	changed = true;
	protect(VIEW + lane * LANE_BYTES + page * PAGE, PAGE, prot);
}

void memory_reset(void)
{
	unsigned int lane;

	if (!changed)
		return;
	changed = false;
	for (lane = 0; lane < LANES; lane++)
		protect_lane(lane);
}

void memory_forget(__u64 address, size_t bytes)
{
	size_t offset = address - VIEW, left;

	if (offset >= LANES * LANE_BYTES)
		return;
	left = LANES * LANE_BYTES - offset;
	offset = offset / PAGE * PAGE;
	madvise((char *)VIEW + offset, bytes < left ? bytes : left,
		MADV_DONTNEED);
}
