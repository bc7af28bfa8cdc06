// SPDX-License-Identifier: GPL-2.0
/* The caches of the simulated machine, and the holders of each line (replay.h). */
#include "replay.h"

#define WAYS 16
#define WORDS (REPLAY_CPUS_MAX / 64)

/**
 * struct line - the holders of a line
 * @cpus: CPUs in whose own caches it is, a bit for each
 * @nodes: NUMA nodes in whose caches it is, likewise
 * @changed: 1 + the CPU that changed it, and holds it alone; or 0
 * @touched: a CPU has referred to it
 * @home: the NUMA node of its memory
 * @free: when the transfer ends that is under way
 */
struct line {
	__u64 cpus[WORDS];
	__u8 nodes;
	__u16 changed;
	bool touched;
	__u8 home;
	__u64 free;
};

/* A CPU's own cache: of each set its lines, and when each was used. */
struct cache {
	struct {
		__u32 line;
		__u32 used;
	} *way;
	__u32 clock;
};

static const struct replay_machine *m;
static struct line *lines;
static struct cache caches[REPLAY_CPUS_MAX];
static __u32 sets;
static __u64 objects;
static __u64 transfers;

static __u64 mix(__u64 number)
{
	number = (number + 1) * 0x9e3779b97f4a7c15ULL;
	return number ^ number >> 29;
}

/* Whether a line, by chance of its own, is among so many of all objects' lines. */
static bool among(__u32 line, __u64 nr)
{
	return mix(line) % 65536 * objects < nr * 65536;
}

static unsigned int node_of(unsigned int cpu)
{
	return cpu % m->nodes;
}

void caches_init(const struct replay_machine *machine,
		 const struct replay_trace *trace)
{
	__u32 own = trace->own + 1, i, cpu;

	m = machine;
	objects = trace->objects > trace->lines ? trace->objects : trace->lines;
	lines = replay_alloc(trace->lines + (size_t)m->cpus * own,
			     sizeof(*lines));
	for (i = 0; i < trace->lines; i++)
		lines[i].home =
			(trace->home[i] ? trace->home[i] - 1U : i) % m->nodes;
	for (cpu = 0; cpu < m->cpus; cpu++)
		for (i = 0; i < own; i++)
			lines[trace->lines + cpu * own + i].home = node_of(cpu);
	sets = m->own_lines / WAYS ?: 1;
	for (cpu = 0; cpu < m->cpus; cpu++) {
		caches[cpu].way =
			replay_alloc((size_t)sets * WAYS, sizeof(*caches->way));
		for (i = 0; i < sets * WAYS; i++)
			caches[cpu].way[i].line = REPLAY_NO_LINE;
	}
}

static bool has(const struct line *line, unsigned int cpu)
{
	return line->cpus[cpu / 64] >> cpu % 64 & 1;
}

/* A CPU's cache was full and lost a line: the cache of its NUMA node has it. */
static void evict(__u32 number, unsigned int cpu)
{
	struct line *line = &lines[number];

	if (number == REPLAY_NO_LINE || !has(line, cpu))
		return;
	line->cpus[cpu / 64] &= ~(1ULL << cpu % 64);
	line->nodes |= 1 << node_of(cpu);
	if (line->changed == cpu + 1)
		line->changed = 0;
}

/* The CPU uses a line that it holds, or will. */
static void use(unsigned int cpu, __u32 number)
{
	struct cache *cache = &caches[cpu];
	__u32 from = mix(number) % sets * WAYS, oldest = from, i;

	cache->clock++;
	for (i = from; i < from + WAYS; i++) {
		if (cache->way[i].line == number) {
			cache->way[i].used = cache->clock;
			return;
		}
		if (cache->way[i].used < cache->way[oldest].used)
			oldest = i;
	}
	evict(cache->way[oldest].line, cpu);
	cache->way[oldest].line = number;
	cache->way[oldest].used = cache->clock;
}

static __u64 from_cpu(unsigned int cpu, unsigned int other)
{
	return node_of(cpu) == node_of(other) ? m->near : m->far;
}

/* The longest way to a CPU that holds the line, or to a cache of another NUMA node; or 0. */
static __u64 from_others(const struct line *line, unsigned int cpu)
{
	__u64 longest = line->nodes & ~(1 << node_of(cpu)) ? m->far : 0, way;
	unsigned int word, other;
	__u64 left;

	for (word = 0; word < WORDS; word++) {
		for (left = line->cpus[word]; left; left &= left - 1) {
			other = word * 64 + __builtin_ctzll(left);
			way = other == cpu ? 0 : from_cpu(cpu, other);
			longest = way > longest ? way : longest;
		}
	}
	return longest;
}

/* The way to a line that no CPU changed. */
static __u64 from_rest(const struct line *line, unsigned int cpu)
{
	bool near = line->home == node_of(cpu);
	__u32 number = line - lines;

	if (!line->touched && among(number, m->own_lines))
		return 0;
	if (line->nodes >> node_of(cpu) & 1)
		return m->shared;
	if (line->nodes)
		return m->far;
	if (among(number, m->own_lines + (__u64)m->node_lines * m->nodes))
		return near ? m->shared : m->far;
	return near ? m->memory : m->far_memory;
}

/* A transfer begins when the one before it has ended. */
static __u64 transfer(struct line *line, __u64 way, __u64 now)
{
	__u64 begin = line->free > now ? line->free : now;

	transfers++;
	line->free = begin + way;
	return line->free;
}

static __u64 load(struct line *line, unsigned int cpu, __u64 now)
{
	__u64 way;

	if (has(line, cpu))
		return now;
	if (line->changed) {
		way = from_cpu(cpu, line->changed - 1U);
		line->nodes |= 1 << node_of(line->changed - 1U);
		line->changed = 0;
		now = transfer(line, way, now);
	} else {
		now += from_rest(line, cpu);
	}
	line->nodes |= 1 << node_of(cpu);
	return now;
}

static __u64 change(struct line *line, unsigned int cpu, __u64 now)
{
	unsigned int word;
	__u64 way;

	if (line->changed == cpu + 1U)
		return now;
	way = from_others(line, cpu);
	if (way)
		now = transfer(line, way, now);
	else if (!has(line, cpu))
		now += from_rest(line, cpu);
	for (word = 0; word < WORDS; word++)
		line->cpus[word] = 0;
	line->nodes = 0;
	line->changed = cpu + 1;
	return now;
}

/* A CPU loads or changes a line. Returns when it has the line. */
__u64 caches_refer(unsigned int cpu, __u32 number, bool changes, __u64 now)
{
	struct line *line = &lines[number];

	now = changes ? change(line, cpu, now) : load(line, cpu, now);
	line->touched = true;
	line->cpus[cpu / 64] |= 1ULL << cpu % 64;
	use(cpu, number);
	return now;
}

/* How many lines have gone from CPU to CPU, or from cache to cache. */
__u64 caches_transfers(void)
{
	return transfers;
}
