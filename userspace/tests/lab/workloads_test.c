// SPDX-License-Identifier: GPL-2.0
/*
 * The workloads of the laboratory: that each popularity is the law that it is named
 * after, by a chi-square test of fixed seeds; that mixes have their shares; and that an
 * operation of a stream succeeds however the threads take turns; and histograms of times.
 */
#include <linux/kernel.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <tap.h>

#include "keys.h"
#include "point/times.h"
#include "workloads.h"

#define CASES 11
#define SAMPLES 1000000

/* Chi-square has a mean of @free and a variance of twice that; six deviations. */
static bool fits(double chi_square, unsigned int free)
{
	return fabs(chi_square - free) < 6 * sqrt(2.0 * free) + 6;
}

static double chi_square(const u64 *seen, const double *share, unsigned int nr)
{
	double samples = 0, sum = 0, expected;
	unsigned int i;

	for (i = 0; i < nr; i++)
		samples += (double)seen[i];
	for (i = 0; i < nr; i++) {
		expected = samples * share[i];
		if (expected > 0)
			sum += pow((double)seen[i] - expected, 2) / expected;
		else if (seen[i])
			return INFINITY;
	}
	return sum;
}

/* The shares by Zipf's law, each number with those below @width after it. */
static double *zipf_shares(u64 nr, u64 width, unsigned int percent)
{
	double *share = calloc(nr / width + 1, sizeof(*share)), sum = 0;
	u64 k;

	for (k = 0; k < nr; k++)
		sum += pow((double)k + 1, -(double)percent / 100);
	for (k = 0; k < nr; k++)
		share[k / width] +=
			pow((double)k + 1, -(double)percent / 100) / sum;
	return share;
}

static void check_zipf(u64 nr, u64 width, unsigned int percent)
{
	double *share = zipf_shares(nr, width, percent);
	unsigned int cells = (nr + width - 1) / width;
	u64 *seen = calloc(cells, sizeof(*seen)), random = nr, k;
	struct lab_zipf zipf;
	unsigned int i;

	lab_zipf_init(&zipf, nr, percent);
	for (i = 0; i < SAMPLES; i++) {
		k = lab_zipf_next(&zipf, &random);
		if (!tap_check(k < nr))
			break;
		seen[k / width]++;
	}
	tap_check(fits(chi_square(seen, share, cells), cells - 1));
	free(seen);
	free(share);
}

static void test_zipf(void)
{
	u64 nr;

	for (nr = 1; nr <= 20; nr++)
		check_zipf(nr, 1, LAB_THETA);
	check_zipf(1000, 1, LAB_THETA);
	check_zipf(1000, 1, 50);
	check_zipf(1000, 1, 80);
	check_zipf(1 << 20, 1 << 10, LAB_THETA);
	check_zipf((1 << 20) + 12345, 1 << 12, LAB_THETA);
	tap_case("zipf: chi-square of numbers of all sizes");
}

static struct lab_workload workload(const char *mix, u64 window, u32 threads)
{
	return (struct lab_workload){
		.mix = lab_mix_find(mix),
		.window = window,
		.ops = SAMPLES,
		.threads = threads,
		.seed = 1,
	};
}

static void test_popularity(void)
{
	static const char *const mix[] = { "lookup", "lookup-zipf", "ycsb-d" };
	double *share = zipf_shares(1000, 1, LAB_THETA), even[1000];
	struct lab_workload load;
	struct lab_stream stream;
	struct lab_zipf zipf;
	u64 seen[1000], age;
	struct lab_op op;
	unsigned int m, i;

	for (i = 0; i < 1000; i++)
		even[i] = 0.001;
	lab_zipf_init(&zipf, 1000, LAB_THETA);
	for (m = 0; m < ARRAY_SIZE(mix); m++) {
		load = workload(mix[m], 1000, 1);
		lab_stream_init(&stream, &load, &zipf, 0);
		memset(seen, 0, sizeof(seen));
		for (i = 0; i < SAMPLES; i++) {
			lab_stream_next(&stream, &op);
			age = 999 + stream.inserted - op.number;
			if (op.kind == LAB_OP_READ)
				seen[m == 2 ? age : op.number]++;
		}
		tap_check(fits(chi_square(seen, m ? share : even, 1000), 999));
	}
	free(share);
	tap_case("popularity: uniform, zipfian and latest");
}

static void test_shares(void)
{
	u64 seen[LAB_OP_NR], lengths;
	const struct lab_mix *mix;
	double share[LAB_OP_NR];
	struct lab_workload load;
	struct lab_stream stream;
	struct lab_zipf zipf;
	struct lab_op op;
	unsigned int i, kinds;

	lab_zipf_init(&zipf, 8 * SAMPLES, LAB_THETA);
	for (mix = lab_mixes; mix->name; mix++) {
		load = workload(mix->name, 8 * SAMPLES, 2);
		tap_check(lab_workload_valid(&load));
		tap_check(mix->popularity != LAB_LATEST ||
			  !mix->share[LAB_OP_ERASE]);
		tap_check(mix->scan_most <= LAB_MIX_SCAN_MAX);
		lab_stream_init(&stream, &load, &zipf, 1);
		memset(seen, 0, sizeof(seen));
		for (i = 0, lengths = 0; i < SAMPLES; i++) {
			lab_stream_next(&stream, &op);
			seen[op.kind]++;
			lengths += op.kind == LAB_OP_SCAN ? op.nr : 0;
			tap_check(op.kind != LAB_OP_SCAN ||
				  (op.nr >= mix->scan_least && op.nr &&
				   op.nr <= mix->scan_most));
		}
		for (i = 0, kinds = 0; i < LAB_OP_NR; i++) {
			share[i] = (double)mix->share[i] / stream.shares;
			kinds += !!mix->share[i];
		}
		if (!tap_check(fits(chi_square(seen, share, LAB_OP_NR),
				    kinds - 1)))
			printf("# %s\n", mix->name);
		tap_check(fabs((double)lengths -
			       (double)seen[LAB_OP_SCAN] *
				       (mix->scan_least + mix->scan_most) / 2) <
			  0.01 * (double)lengths + 1);
	}
	tap_case("mixes: each kind has its share, and scans their lengths");
}

/* Threads take turns at random; @present says which numbers the index has. */
static void check_turns(const struct lab_workload *load,
			const struct lab_zipf *zipf, u8 *present)
{
	struct lab_stream stream[3];
	u64 random = load->seed;
	struct lab_op op;
	unsigned int i;

	memset(present, 0, load->window + 3 * load->ops);
	memset(present, 1, load->window);
	for (i = 0; i < 3; i++)
		lab_stream_init(&stream[i], load, zipf, i);
	for (i = 0; i < load->ops; i++) {
		lab_stream_next(&stream[lab_below(&random, 3)], &op);
		switch (op.kind) {
		case LAB_OP_MISS:
		case LAB_OP_FLOOR:
			tap_check(op.number >= LAB_ABSENT);
			break;
		case LAB_OP_INSERT:
			tap_check(!present[op.number]);
			present[op.number] = 1;
			break;
		case LAB_OP_ERASE:
			tap_check(present[op.number]);
			present[op.number] = 0;
			break;
		case LAB_OP_GET_OR_INSERT:
			tap_check(present[op.number] == !op.nr);
			present[op.number] = 1;
			break;
		case LAB_OP_COUNT:
		case LAB_OP_ERASE_RANGE:
			tap_check(op.key < op.last && op.last <= LAB_KEY_MAX);
			continue;
		default:
			tap_check(present[op.number]);
		}
		tap_check(op.key == lab_key(&load->keys, op.number));
	}
}

static void test_turns(void)
{
	u8 *present = malloc(1000 + 3 * 20000);
	const struct lab_mix *mix;
	struct lab_workload load;
	struct lab_zipf zipf;

	lab_zipf_init(&zipf, 1000, LAB_THETA);
	for (mix = lab_mixes; mix->name; mix++) {
		load = workload(mix->name, 1000, 3);
		load.ops = 20000;
		check_turns(&load, &zipf, present);
		if (tap_broken)
			printf("# %s\n", mix->name);
	}
	free(present);
	tap_case("streams: each operation succeeds, whose turn it ever is");
}

static int compare(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return (x > y) - (x < y);
}

static void test_orders(void)
{
	enum { NR = 200000 };
	u64 *key = malloc(2 * NR * sizeof(*key)), i, next_to = 0;
	struct lab_keys keys;

	for (keys.order = 0; keys.order < LAB_FILE; keys.order++) {
		for (i = 0; i < NR; i++) {
			key[i] = lab_key(&keys, i);
			key[NR + i] = lab_key(&keys, LAB_ABSENT + i);
			if (i && keys.order == LAB_ASCENDING)
				tap_check(key[i] > key[i - 1]);
			if (i && keys.order == LAB_DESCENDING)
				tap_check(key[i] < key[i - 1]);
			if (i && keys.order == LAB_CLUSTERED)
				next_to += key[i] == key[i - 1] + 1;
		}
		qsort(key, 2 * NR, sizeof(*key), compare);
		for (i = 1; i < 2 * NR; i++)
			tap_check(key[i] > key[i - 1]);
		tap_check(key[2 * NR - 1] <= LAB_KEY_MAX);
	}
	tap_check(next_to == NR / 64 * 63);
	free(key);
	tap_case("orders: keys are distinct, of 63 bits, and in order");
}

static void test_file(void)
{
	const u64 key[] = { 7, 3, 5, 1 };
	struct lab_workload load = workload("lookup", 4, 2);
	struct lab_stream stream;
	struct lab_op op;
	unsigned int i;

	load.keys = (struct lab_keys){ .order = LAB_FILE, .nr = 4, .key = key };
	tap_check(lab_workload_valid(&load));
	lab_stream_init(&stream, &load, NULL, 0);
	for (i = 0; i < 100; i++) {
		lab_stream_next(&stream, &op);
		tap_check(op.number < 4 && op.key == key[op.number]);
	}
	load.mix = lab_mix_find("insert");
	tap_check(!lab_workload_valid(&load));
	load.mix = lab_mix_find("lookup-miss");
	tap_check(!lab_workload_valid(&load));
	tap_case("a file: its keys, and no workload that needs more");
}

static void test_invalid(void)
{
	struct lab_workload load = workload("lookup", 8, 4);

	tap_check(lab_workload_valid(&load));
	load.threads = 0;
	tap_check(!lab_workload_valid(&load));
	load.threads = 5;
	tap_check(!lab_workload_valid(&load));
	load = workload("insert", LAB_ABSENT, 1);
	tap_check(!lab_workload_valid(&load));
	tap_check(!lab_mix_find("no such mix"));
	tap_case("workloads without threads, or without keys, are invalid");
}

static int read_mix(const char *words, struct lab_mix *mix)
{
	char text[64];

	snprintf(text, sizeof(text), "%s", words);
	return lab_mix_read(text, mix);
}

static void test_written(void)
{
	static const char *const wrong[] = {
		"",
		"none",
		"read=0",
		"read=1,write=1",
		"read=1,often",
		"read=70000",
		"read=",
		"read=1,",
		"read=1,erase=1,latest",
		"read=1,pop=1",
		"count=1,erase-range=1",
		"count=1,insert=1",
		"count=1,erase=1",
	};
	struct lab_mix mix;
	size_t i;

	tap_check(!read_mix("ycsb-e", &mix) && mix.scan_most == 100);
	tap_check(!read_mix("read=90,insert=10,zipfian", &mix));
	tap_check(mix.share[LAB_OP_READ] == 90 &&
		  mix.share[LAB_OP_INSERT] == 10 && !mix.share[LAB_OP_ERASE] &&
		  mix.popularity == LAB_ZIPFIAN);
	tap_check(!read_mix("scan=1,entries=7", &mix) && mix.scan_least == 7 &&
		  mix.scan_most == 7 && mix.popularity == LAB_UNIFORM);
	tap_check(!read_mix("scan=1", &mix) && mix.scan_most == 48);
	tap_check(read_mix("scan=1,entries=101", &mix) == -ERANGE);
	for (i = 0; i < ARRAY_SIZE(wrong); i++) {
		if (!tap_check(read_mix(wrong[i], &mix) == -EINVAL))
			printf("# %s\n", wrong[i]);
	}
	tap_case("mixes that are written out");
}

/* The ranges of all threads are all keys, each once; those to count have as many. */
static void test_ranges(void)
{
	struct lab_workload load = workload("erase-range", 90000, 3);
	struct lab_stream stream;
	struct lab_op op;
	u64 next = 0, sum = 0;
	u32 id, i;

	load.warm_up = 10;
	load.ops = 20;
	for (id = 0; id < 3; id++) {
		lab_stream_init(&stream, &load, NULL, id);
		for (i = 0; i < 30; i++) {
			lab_stream_next(&stream, &op);
			tap_check(op.key == next && op.nr == 1000);
			next = op.last + 1;
		}
	}
	tap_check(LAB_KEY_MAX - next < 90);
	load = workload("count", 10000, 1);
	lab_stream_init(&stream, &load, NULL, 0);
	for (i = 0; i < 1000; i++) {
		lab_stream_next(&stream, &op);
		tap_check(op.nr == 1000 &&
			  (op.last - op.key) / 1000 == LAB_KEY_MAX / 10000 - 1);
		sum += op.key / 1000;
	}
	tap_check(sum > LAB_KEY_MAX / 5 * 2 && sum < LAB_KEY_MAX / 2);
	tap_case("ranges: each thread erases its part, and counts some");
}

/* Operations of two streams that are the same, of a thousand. */
static unsigned int count_same(u32 seed_a, u32 id_a, u32 seed_b, u32 id_b)
{
	struct lab_workload a = workload("ycsb-a", 100000, 4), b = a;
	struct lab_stream one, other;
	struct lab_op op_a, op_b;
	unsigned int i, same = 0;
	struct lab_zipf zipf;

	lab_zipf_init(&zipf, 100000, LAB_THETA);
	a.seed = seed_a;
	b.seed = seed_b;
	lab_stream_init(&one, &a, &zipf, id_a);
	lab_stream_init(&other, &b, &zipf, id_b);
	for (i = 0; i < 1000; i++) {
		lab_stream_next(&one, &op_a);
		lab_stream_next(&other, &op_b);
		same += op_a.kind == op_b.kind && op_a.key == op_b.key;
	}
	return same;
}

static void test_seeds(void)
{
	tap_check(count_same(1, 0, 1, 0) == 1000);
	tap_check(count_same(1, 0, 2, 0) < 50);
	tap_check(count_same(1, 0, 1, 1) < 50);
	tap_check(count_same(0, 0, 0, 1) < 50);
	tap_case(
		"seeds: a seed repeats a stream; other seeds and threads differ");
}

static void check_buckets(u64 ns)
{
	struct lab_times times = {};
	unsigned int i = 0;

	lab_times_add(&times, ns);
	while (i < LAB_TIMES_BUCKETS && !times.bucket[i])
		i++;
	tap_check(i < LAB_TIMES_BUCKETS && times.bucket[i] == 1);
	tap_check(lab_times_low(i) <= ns);
	tap_check(ns - lab_times_low(i) <= ns / LAB_TIMES_PARTS);
	tap_check(i == LAB_TIMES_BUCKETS - 1 || lab_times_low(i + 1) > ns);
	tap_check(times.count == 1 && times.sum == ns);
	tap_check(times.least == ns && times.most == ns);
}

static void test_times(void)
{
	struct lab_times some = {}, all = {};
	unsigned int i;
	u64 ns;

	for (ns = 0; ns < 5000; ns++)
		check_buckets(ns);
	for (i = 4; i < 64; i++) {
		check_buckets(1ULL << i);
		check_buckets((1ULL << i) - 1);
		check_buckets((1ULL << i) + (1ULL << (i - 4)) - 1);
	}
	check_buckets(U64_MAX);
	lab_times_merge(&all, &some);
	tap_check(!all.count && !all.most);
	for (ns = 7; ns <= 70; ns += 7) {
		lab_times_add(&some, ns);
		if (ns == 35)
			lab_times_merge(&all, &some);
	}
	lab_times_merge(&all, &some);
	tap_check(all.count == 15 && all.sum == 385 + 105);
	tap_check(all.least == 7 && all.most == 70);
	tap_check(all.bucket[7] == 2 && all.bucket[14] == 2);
	tap_case("times: each is in the bucket that is for it");
}

int main(void)
{
	tap_begin(CASES);
	test_zipf();
	test_popularity();
	test_shares();
	test_turns();
	test_orders();
	test_file();
	test_invalid();
	test_written();
	test_ranges();
	test_seeds();
	test_times();
	return tap_exit(CASES);
}
