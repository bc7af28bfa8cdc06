// SPDX-License-Identifier: GPL-2.0
/* The cost of this process, from perf_event_open(2) and its CPU clock. */
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "cost.h"

/* A reading of an event: its value, and the time during which it was counted. */
struct reading {
	__u64 value;
	__u64 enabled;
	__u64 running;
};

/*
 * 0 after the event had to share a counter: the kernel then missed instructions.
 */
static __u64 instructions(int fd)
{
	struct reading reading;

	if (fd < 0 || read(fd, &reading, sizeof(reading)) != sizeof(reading) ||
	    reading.running != reading.enabled)
		return 0;
	return reading.value;
}

int cost_open(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_HW_INSTRUCTIONS,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED |
			       PERF_FORMAT_TOTAL_TIME_RUNNING,
		.exclude_hv = 1,
	};

	return syscall(SYS_perf_event_open, &attr, 0, -1, -1,
		       PERF_FLAG_FD_CLOEXEC);
}

void cost_close(int fd)
{
	if (fd >= 0)
		close(fd);
}

struct cost cost_now(int fd)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return (struct cost){
		.nanoseconds = ts.tv_sec * 1000000000ULL + ts.tv_nsec,
		.instructions = instructions(fd),
	};
}

void cost_add_since(struct cost *sum, const struct cost *begin, int fd)
{
	struct cost end = cost_now(fd);

	sum->nanoseconds += end.nanoseconds - begin->nanoseconds;
	sum->instructions += end.instructions - begin->instructions;
}
