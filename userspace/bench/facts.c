// SPDX-License-Identifier: GPL-2.0
/* The facts about the machine (facts.h). */
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

/* No character of a name that JSON would have to escape. */
static void make_plain(char *text)
{
	for (; *text; text++)
		if (*text < ' ' || *text == '"' || *text == '\\')
			*text = ' ';
}

char *facts_json(void)
{
	char cpu[128], huge_pages[64], *json;
	struct utsname name = {};
	double load;

	read_line("/proc/cpuinfo", "model name", ": ", cpu, sizeof(cpu));
	make_plain(cpu);
	read_line("/sys/kernel/mm/transparent_hugepage/enabled", "", "",
		  huge_pages, sizeof(huge_pages));
	keep_bracketed(huge_pages);
	uname(&name);
	/* Others on the machine: 0 is best. */
	if (getloadavg(&load, 1) != 1)
		load = -1;
	if (asprintf(
		    &json,
		    "{\"cpu\": \"%s\", \"kernel\": \"%s %s\", \"huge_pages\": \"%s\", \"compiler\": \"%s\", \"load_average\": %.2f, \"cpus\": %ld, \"cache_bytes\": [%ld, %ld, %ld]}",
		    cpu, name.sysname, name.release, huge_pages, __VERSION__,
		    load, sysconf(_SC_NPROCESSORS_ONLN),
		    sysconf(_SC_LEVEL1_DCACHE_SIZE),
		    sysconf(_SC_LEVEL2_CACHE_SIZE),
		    sysconf(_SC_LEVEL3_CACHE_SIZE)) < 0)
		return NULL;
	return json;
}
