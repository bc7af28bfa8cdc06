// SPDX-License-Identifier: GPL-2.0
/* The CPUs of the simulated machine, and the locks that they wait for (replay.h). */
#include "numa/count/trace.h"
#include "replay.h"

#define NO_CPU (~0U)
#define HELD_MAX 64

/**
 * struct cpu - a CPU
 * @now: its time
 * @first: the first of its operations, by their number in the trace
 * @stride: the difference to the next one
 * @nr: how many there are
 * @done: how many of them it has done, counted round and round
 * @event: the event that is next
 * @join: the event that ends the wait of its operation for tasks
 * @joins: its operation waits for the tasks: it executes tasks of all operations meanwhile
 * @idle: there are none
 * @adds: it has the line for the task that it adds
 * @task: 1 + the task that it executes, or 0
 * @exclusive: it waits for a lock to hold it alone
 * @behind: the CPU that waits behind it for a lock, or NO_CPU
 * @held: 1 + the numbers of locks that it holds, or 0
 * @nr_held: how many these are
 * @stored: when its last stores become visible, in turn; the next one's place in there
 * @visible: when all of them are
 * @seen: in this operation: words that it loaded at an event, and their versions then
 */
struct cpu {
	__u64 now;
	__u32 first;
	__u32 stride;
	__u32 nr;
	__u32 done;
	__u32 event;
	__u32 join;
	bool joins;
	bool idle;
	bool adds;
	__u32 task;
	bool exclusive;
	__u32 behind;
	__u32 held[HELD_MAX];
	__u32 nr_held;
	__u64 stored[REPLAY_STORES_MAX];
	__u32 nr_stored;
	__u64 visible;
	struct {
		__u32 word;
		__u32 version;
		__u32 event;
	} seen[REPLAY_SEEN_MAX];
	__u32 nr_seen;
};

/**
 * struct lock - a lock
 * @writer: the CPU that holds it exclusively, or NO_CPU
 * @readers: how many share it
 * @head: the CPU that waits first, or NO_CPU
 * @tail: the last one
 */
struct lock {
	__u32 writer;
	__u32 readers;
	__u32 head;
	__u32 tail;
};

static const struct replay_machine *m;
static const struct replay_trace *trace;
static struct replay_result *result;
static struct cpu *cpus;
static struct lock *locks;
/* Of each word that is compared, how often it was stored to. */
static __u32 *versions;

/* CPUs that do not wait for a lock: a heap, the earliest first. */
static __u32 heap[REPLAY_CPUS_MAX];
static __u32 nr_ready;

static bool measuring;

static bool is_before(__u32 a, __u32 b)
{
	return cpus[a].now < cpus[b].now ||
	       (cpus[a].now == cpus[b].now && a < b);
}

static void swap(__u32 i, __u32 j)
{
	__u32 cpu = heap[i];

	heap[i] = heap[j];
	heap[j] = cpu;
}

static void sink(__u32 i)
{
	__u32 child;

	for (; (child = 2 * i + 1) < nr_ready; i = child) {
		if (child + 1 < nr_ready &&
		    is_before(heap[child + 1], heap[child]))
			child++;
		if (!is_before(heap[child], heap[i]))
			return;
		swap(i, child);
	}
}

static void make_ready(__u32 cpu)
{
	__u32 i = nr_ready++;

	heap[i] = cpu;
	for (; i && is_before(heap[i], heap[(i - 1) / 2]); i = (i - 1) / 2)
		swap(i, (i - 1) / 2);
}

/* The first one of the heap waits. */
static void remove_first(void)
{
	heap[0] = heap[--nr_ready];
	sink(0);
}

static __u32 *find_held(struct cpu *cpu, __u32 lock)
{
	__u32 i;

	for (i = 0; i < HELD_MAX; i++)
		if (cpu->held[i] == lock)
			return &cpu->held[i];
	return NULL;
}

static void hold(__u32 number, __u32 lock, bool exclusive)
{
	__u32 *place = find_held(&cpus[number], 0);

	if (!place)
		return;
	*place = lock + 1;
	cpus[number].nr_held++;
	if (exclusive)
		locks[lock].writer = number;
	else
		locks[lock].readers++;
}

static bool is_free(const struct lock *lock, bool exclusive)
{
	return lock->writer == NO_CPU && (!exclusive || !lock->readers);
}

/* Returns whether the CPU has the lock; it waits otherwise. */
static bool take(__u32 number, __u32 lock, bool exclusive)
{
	struct lock *one = &locks[lock];

	/* It does not go back behind this. */
	cpus[number].nr_seen = 0;
	if (find_held(&cpus[number], lock + 1))
		return true;
	if (one->head == NO_CPU && is_free(one, exclusive)) {
		hold(number, lock, exclusive);
		return true;
	}
	result->waits += measuring;
	cpus[number].exclusive = exclusive;
	cpus[number].behind = NO_CPU;
	if (one->head == NO_CPU)
		one->head = number;
	else
		cpus[one->tail].behind = number;
	one->tail = number;
	return false;
}

/* When others see what a CPU has stored so far. */
static __u64 visible_from(const struct cpu *cpu)
{
	return cpu->visible > cpu->now ? cpu->visible : cpu->now;
}

/* Those that wait first have the lock now. */
static void pass_on(__u32 lock, __u64 now)
{
	struct lock *one = &locks[lock];
	__u32 number;

	while ((number = one->head) != NO_CPU &&
	       is_free(one, cpus[number].exclusive)) {
		one->head = cpus[number].behind;
		hold(number, lock, cpus[number].exclusive);
		if (cpus[number].now < now)
			cpus[number].now = now;
		make_ready(number);
	}
}

static void give_up(__u32 number, __u32 lock)
{
	__u32 *place = find_held(&cpus[number], lock + 1);
	struct lock *one = &locks[lock];

	if (!place)
		return;
	*place = 0;
	cpus[number].nr_held--;
	if (one->writer == number)
		one->writer = NO_CPU;
	else
		one->readers--;
	pass_on(lock, visible_from(&cpus[number]));
}

/* All wait: the holder of a lock of another order is overtaken. */
static void break_one(void)
{
	__u32 lock, number;

	for (lock = 0; locks[lock].head == NO_CPU; lock++)
		;
	number = locks[lock].head;
	locks[lock].head = cpus[number].behind;
	result->broken++;
	make_ready(number);
}

/* The CPU whose operation a CPU executes. */
static __u32 client_of(__u32 number)
{
	return cpus[number].task ? tasks_client(cpus[number].task - 1) : number;
}

/* The line of an event: each CPU has lines of its own, which go with its operation. */
static __u32 line_of(__u32 number, const struct replay_event *event)
{
	return event->line < trace->lines ?
		       event->line :
		       event->line + client_of(number) * (trace->own + 1);
}

/* The line of the queue of a CPU. */
static __u32 queue_of(__u32 number)
{
	return trace->lines + number * (trace->own + 1) + trace->own;
}

/* A CPU loads a word. False if it begins again where this operation loaded it first. */
static bool compare(__u32 number, __u32 word)
{
	struct cpu *cpu = &cpus[number];
	bool same;
	__u32 i;

	if (cpu->nr_held)
		return true;
	for (i = 0; i < cpu->nr_seen && cpu->seen[i].word != word; i++)
		;
	if (i == REPLAY_SEEN_MAX)
		return true;
	if (i == cpu->nr_seen) {
		cpu->nr_seen++;
		cpu->seen[i].word = word;
		cpu->seen[i].version = versions[word];
		cpu->seen[i].event = cpu->event;
		return true;
	}
	same = cpu->seen[i].version == versions[word];
	cpu->seen[i].version = versions[word];
	if (same)
		return true;
	result->retries += measuring;
	cpu->event = cpu->seen[i].event + 1;
	/* It loads all later words for the first time, again. */
	cpu->nr_seen = i + 1;
	return false;
}

static void begin(struct cpu *cpu)
{
	cpu->event =
		trace->begin[cpu->first + cpu->done % cpu->nr * cpu->stride];
	cpu->join = trace->events[cpu->event].join;
	cpu->nr_seen = 0;
	cpu->joins = false;
}

static void end(__u32 number)
{
	struct cpu *cpu = &cpus[number];
	__u32 i;

	for (i = 0; i < HELD_MAX; i++)
		if (cpu->held[i])
			give_up(number, cpu->held[i] - 1);
	cpu->done++;
	result->share[number].calls += measuring;
	begin(cpu);
}

static void refer(__u32 number, const struct replay_event *event)
{
	struct cpu *cpu = &cpus[number];
	bool changes = event->kind != TRACE_LOAD;
	__u32 line = line_of(number, event);
	__u64 at, *place;

	cpu->now = prefetch_wait(number, line, cpu->now);
	prefetch_follow(number, line, cpu->now);
	place = &cpu->stored[cpu->nr_stored % m->stores];
	if (event->kind == TRACE_ATOMIC)
		cpu->now = visible_from(cpu);
	else if (event->kind == TRACE_STORE && *place > cpu->now)
		cpu->now = *place;
	at = caches_refer(number, line, changes, cpu->now);
	if (event->kind == TRACE_STORE) {
		cpu->visible = at > cpu->visible ? at : cpu->visible;
		*place = cpu->visible;
		cpu->nr_stored++;
	} else {
		cpu->now = at;
	}
	/* An operation that has changed something does not go back behind that. */
	if (changes)
		cpu->nr_seen = 0;
	if (changes && event->word)
		versions[event->word - 1]++;
}

/* An atomic instruction that no event is. */
static void refer_atomic(__u32 number, __u32 line)
{
	struct cpu *cpu = &cpus[number];

	cpu->now = caches_refer(number, line, true, visible_from(cpu));
	cpu->nr_seen = 0;
}

/* The CPU has work to do, if it had none. */
static void wake(__u32 number, __u64 now)
{
	struct cpu *cpu = &cpus[number];

	if (!cpu->idle)
		return;
	cpu->idle = false;
	if (cpu->now < now)
		cpu->now = now;
	make_ready(number);
}

/* A CPU adds a task. False if it first has to get the line that it changes: others go on. */
static bool add_task(__u32 number, const struct replay_event *event)
{
	struct cpu *cpu = &cpus[number];
	__u32 client = client_of(number);
	bool to_node = event->kind == TRACE_TO_NODE;
	__u32 core = to_node ? number : tasks_core(event->line);

	cpu->adds = !cpu->adds;
	if (cpu->adds) {
		cpu->now += (__u64)event->insns * m->insn;
		refer_atomic(number, to_node ? event->line : queue_of(core));
		return false;
	}
	if (to_node)
		tasks_add_to_node(number, client, event->task, event->line);
	else
		tasks_add(core, client, event->task);
	wake(core, cpu->now);
	return true;
}

/* A task, or the first part of an operation, has ended; other tasks follow. */
static void end_part(__u32 number)
{
	struct cpu *cpu = &cpus[number];
	__u32 task = cpu->task - 1;

	cpu->task = 0;
	cpu->joins = true;
	if (task + 1 && tasks_end(task))
		wake(tasks_client(task), visible_from(cpu));
}

/* Go on behind an event of another place. */
static void go_to(__u32 number, __u32 event)
{
	struct cpu *cpu = &cpus[number];

	cpu->now += (__u64)trace->events[event].insns * m->insn;
	cpu->event = event + 1;
	cpu->nr_seen = 0;
}

/* The outcomes of an event: the next one may follow, an operation has ended, the CPU waits. */
enum outcome { GOES_ON, OP_ENDED, WAITS };

/* A CPU whose operation waits for tasks does the next work that it has. */
static enum outcome work(__u32 number)
{
	struct cpu *cpu = &cpus[number];
	__u32 next;

	switch (tasks_next(number, &next)) {
	case WORK_TASK:
		cpu->task = next + 1;
		go_to(number, trace->task[next]);
		break;
	case WORK_QUEUE:
		cpu->now =
			caches_refer(number, queue_of(number), false, cpu->now);
		refer_atomic(number, queue_of(number));
		break;
	case WORK_NODE:
		refer_atomic(number, next);
		break;
	case WORK_NONE:
		cpu->joins = false;
		go_to(number, cpu->join);
		break;
	case WORK_LATER:
		cpu->idle = true;
		return WAITS;
	}
	return GOES_ON;
}

/* A CPU, which is not in the heap, executes an event. */
static enum outcome execute(__u32 number)
{
	struct cpu *cpu = &cpus[number];
	const struct replay_event *event = &trace->events[cpu->event];

	if (cpu->joins && !cpu->task)
		return work(number);
	if (event->kind == TRACE_TASK || event->kind == TRACE_JOIN) {
		end_part(number);
		return GOES_ON;
	}
	if (event->kind == TRACE_TO_CORE || event->kind == TRACE_TO_NODE) {
		cpu->event += add_task(number, event);
		return GOES_ON;
	}
	cpu->now += (__u64)event->insns * m->insn;
	switch (event->kind) {
	case TRACE_END:
		end(number);
		return OP_ENDED;
	case TRACE_LOAD:
	case TRACE_STORE:
	case TRACE_ATOMIC:
		refer(number, event);
		if (event->kind == TRACE_LOAD && event->word &&
		    !compare(number, event->word - 1))
			return GOES_ON;
		break;
	case TRACE_ASK:
		cpu->now = prefetch(number, line_of(number, event), cpu->now);
		break;
	case TRACE_LOCK:
	case TRACE_LOCK_SHARED:
		cpu->event++;
		return take(number, event->lock, event->kind == TRACE_LOCK) ?
			       GOES_ON :
			       WAITS;
	case TRACE_UNLOCK:
		give_up(number, event->lock);
		break;
	}
	cpu->event++;
	return GOES_ON;
}

/* The earliest CPU goes on until another one is earlier; returns how many operations ended. */
static __u32 go_on(void)
{
	enum outcome outcome = GOES_ON;
	__u32 number;

	if (!nr_ready)
		break_one();
	number = heap[0];
	remove_first();
	while (outcome == GOES_ON && !(nr_ready && is_before(heap[0], number)))
		outcome = execute(number);
	if (outcome != WAITS)
		make_ready(number);
	return outcome == OP_ENDED;
}

static int init_cpus(void)
{
	__u32 number, thread, turn, turns, ops;
	struct cpu *cpu;

	cpus = replay_alloc(m->cpus, sizeof(*cpus));
	for (number = 0; number < m->cpus; number++) {
		cpu = &cpus[number];
		thread = number % trace->threads;
		turn = number / trace->threads;
		turns = (m->cpus - thread - 1) / trace->threads + 1;
		ops = trace->first[thread + 1] - trace->first[thread];
		cpu->first = trace->first[thread] + turn;
		cpu->stride = turns;
		cpu->nr = ops / turns;
		if (!cpu->nr)
			return -1;
		begin(cpu);
		make_ready(number);
	}
	return 0;
}

/* The time that all CPUs have reached that wait for no lock. */
static __u64 earliest(void)
{
	return nr_ready ? cpus[heap[0]].now : 0;
}

int replay_run(const struct replay_machine *machine,
	       const struct replay_trace *read, struct replay_result *out)
{
	__u64 all = 0, done = 0, since = 0, transfers = 0;
	__u32 i;

	m = machine;
	trace = read;
	result = out;
	locks = replay_alloc(trace->locks, sizeof(*locks));
	versions = replay_alloc(trace->words, sizeof(*versions));
	for (i = 0; i < trace->locks; i++)
		locks[i] = (struct lock){ .writer = NO_CPU, .head = NO_CPU };
	caches_init(m, trace);
	prefetch_init(m, trace);
	tasks_init(m, trace);
	if (init_cpus())
		return -1;
	for (i = 0; i < m->cpus; i++)
		all += cpus[i].nr;
	/* The first half fills the caches. */
	while (done < all) {
		done += go_on();
		if (measuring || done < all / 2)
			continue;
		measuring = true;
		since = earliest();
		transfers = caches_transfers();
	}
	result->time = earliest() - since;
	for (i = 0; i < m->cpus; i++)
		result->share[i].time = result->time;
	result->transfers = caches_transfers() - transfers;
	return 0;
}
