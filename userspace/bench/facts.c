// SPDX-License-Identifier: GPL-2.0
/* What of the machine bears on the figures. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "facts.h"

/* The first line of a file that begins with @key, from @skip on. */
static void read_line(const char *path, const char *key, const char *skip,
		      char *to, size_t size)
{
	FILE *file = fopen(path, "r");
	char line[256];
	char *from;

	snprintf(to, size, "unknown");
	if (!file)
		return;
	while (fgets(line, sizeof(line), file)) {
		if (strncmp(line, key, strlen(key)))
			continue;
		line[strcspn(line, "\n")] = '\0';
		from = strstr(line, skip);
		if (from)
			snprintf(to, size, "%.*s", (int)size - 1,
				 from + strlen(skip));
		break;
	}
	fclose(file);
}

/* Of "always [madvise] never" what is in brackets. */
static void keep_bracketed(char *text)
{
	char *open = strchr(text, '['), *close = strchr(text, ']');

	if (!open || !close || close < open)
		return;
	*close = '\0';
	memmove(text, open + 1, strlen(open + 1) + 1);
}

void facts_read(struct facts *facts)
{
	struct utsname name;

	memset(facts, 0, sizeof(*facts));
	read_line("/proc/cpuinfo", "model name", ": ", facts->cpu,
		  sizeof(facts->cpu));
	read_line("/sys/kernel/mm/transparent_hugepage/enabled", "", "",
		  facts->huge_pages, sizeof(facts->huge_pages));
	keep_bracketed(facts->huge_pages);
	if (!uname(&name))
		snprintf(facts->kernel, sizeof(facts->kernel), "%s %s",
			 name.sysname, name.release);
	/* Others on the machine: 0 is best. */
	if (getloadavg(&facts->load, 1) != 1)
		facts->load = -1;
	facts->cpus = sysconf(_SC_NPROCESSORS_ONLN);
	facts->l1d = sysconf(_SC_LEVEL1_DCACHE_SIZE);
	facts->l2 = sysconf(_SC_LEVEL2_CACHE_SIZE);
	facts->l3 = sysconf(_SC_LEVEL3_CACHE_SIZE);
}
