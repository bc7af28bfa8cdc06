// SPDX-License-Identifier: GPL-2.0
/* The table of all commands and their options. Nothing repeats it elsewhere. */
#include <limits.h>
#include <stdint.h>
#include <string.h>

#include "../lib/blinktree.h"
#include "command.h"
#include "entry.h"
#include "options.h"

#define OPTION_FROM                                   \
	VALUE('f', "from", "KEY", OPTION_PATH, first, \
	      "begin at this key (default: the least key)")

#define OPTION_TO                                  \
	VALUE('t', "to", "KEY", OPTION_PATH, last, \
	      "end at this key, included (default: the greatest)")

#define OPTION_PREFIX_IS                                    \
	VALUE('P', "prefix", "PREFIX", OPTION_PATH, prefix, \
	      "only keys that begin so: hex digits, or IPV6/BITS")

#define OPTION_FORMAT_IS                                    \
	WORD('F', "format", "FORMAT", format_names, format, \
	     "text, csv or binary (default: text)")

#define OPTION_OWNER_IS                                 \
	VALUE('o', "owner", "USER", OPTION_PATH, owner, \
	      "fail unless the tree belongs to this user")

#define OPERAND_IS(name_, kind_) { .name = name_, .kind = OPERAND_##kind_ }
#define OPERAND_OR_NONE(name_, kind_) \
	{ .name = name_, .kind = OPERAND_##kind_, .optional = true }
#define OPERAND_TREE_IS OPERAND_IS("TREE", TREE)
#define OPERAND_KEY_IS OPERAND_IS("KEY", KEY)
#define OPERAND_KEY_OR_NONE OPERAND_OR_NONE("KEY", KEY)
#define OPERAND_VALUE_IS(name_) OPERAND_IS(name_, VALUE)
#define OPERAND_FILE_OR_NONE OPERAND_OR_NONE("FILE", FILE)
#define OPERAND_KEYS { .name = "KEY", .kind = OPERAND_KEY, .repeats = true }

static const struct option_spec global_options[] = {
	FLAG('h', "help", help, "print this help, and exit"),
	FLAG(0, "version", version, "print the version, and exit"),
	FLAG('j', "json", json, "print JSON"),
	FLAG('p', "pretty", pretty, "print JSON with line breaks"),
	FLAG('x', "hex", hex, "print keys and values in hexadecimal"),
	WORD(0, "key-form", "FORM", key_form_words, key_form,
	     "print keys of 128 bits as hex (default), uuid, ipv6"),
	VALUE(0, "device", "PATH", OPTION_PATH, device,
	      "use this device (default: " BLINK_TREE_DEVICE ")"),
	{},
};

#define OPTION_REPLICATION_IS                                            \
	WORD('R', "replication", "WHAT", replication_words, replication, \
	     "copies on NUMA nodes: none (default), inner, full")

#define OPTION_LOCKING_IS                                   \
	WORD('L', "locking", "HOW", locking_words, locking, \
	     "order of waiting writers: plain (default), cohort")

static const struct option_spec create_options[] = {
	VALUE('m', "mode", "MODE", OPTION_MODE, mode,
	      "permissions, octal, less the umask (default: 600)"),
	NUMBER('n', "max-entries", "N", max_entries, 0, UINT64_MAX,
	       "most keys of the tree (default: 0, no limit)"),
	NUMBER('b', "max-bytes", "N", max_bytes, 0, UINT64_MAX,
	       "most memory of its nodes (default: 0, no limit)"),
	OPTION_REPLICATION_IS,
	OPTION_LOCKING_IS,
	WORD(0, "placement", "WHERE", placement_words, placement,
	     "NUMA node of new leaves: local (default), interleave"),
	WORD('k', "key", "KIND", key_words, key,
	     "kind of the keys: u64 (default), u128, multi, bytes"),
	WORD('v', "value", "KIND", value_words, value,
	     "kind of the values: u64 (default), bytes"),
	FLAG('c', "compress", compress,
	     "store keys and values in as few bytes as they need"),
	{},
};

static const struct option_spec list_options[] = {
	FLAG('n', "names", names_only, "print only the names"),
	FLAG('b', "below", below,
	     "list trees of user namespaces below this one too"),
	{},
};

static const struct option_spec rm_options[] = {
	FLAG('i', "id", by_id, "TREE is a number, as list prints it"),
	{},
};

static const struct option_spec attr_options[] = {
	VALUE('o', "owner", "USER", OPTION_PATH, attr.owner,
	      "set the owner, a name or a number; needs root"),
	VALUE('g', "group", "GROUP", OPTION_PATH, attr.group,
	      "set the group, a name or a number"),
	VALUE('m', "mode", "MODE", OPTION_MODE, attr.mode,
	      "set the permissions, octal"),
	VALUE('N', "name", "NAME", OPTION_PATH, attr.name, "rename the tree"),
	NUMBER('n', "max-entries", "N", attr.max_entries, 0, ATTR_NO_LIMIT - 1,
	       "set the most keys of the tree; 0: no limit"),
	NUMBER('b', "max-bytes", "N", attr.max_bytes, 0, ATTR_NO_LIMIT - 1,
	       "set the most memory of its nodes; 0: no limit"),
	{},
};

static const struct option_spec put_options[] = {
	FLAG('i', "insert-only", insert_only, "fail if the key is present"),
	FLAG('r', "replace-only", replace_only, "fail if the key is absent"),
	{},
};

static const struct option_spec add_options[] = {
	FLAG('s', "saturate", saturate, "stop at 0 and at 2^64 - 1"),
	{},
};

static const struct option_spec range_options[] = {
	FLAG('H', "highest", highest, "gap, alloc: the highest keys"),
	FLAG('P', "parts", parts,
	     "put, del: in parts, if it is too much for one moment"),
	{},
};

static const struct option_spec get_options[] = {
	FLAG('v', "value", value_only, "print only the values"),
	{},
};

static const struct option_spec scan_options[] = {
	OPTION_FROM,
	OPTION_TO,
	OPTION_PREFIX_IS,
	NUMBER('n', "limit", "N", limit, 0, UINT64_MAX,
	       "print at most N entries (default: all)"),
	FLAG('r', "reverse", reverse,
	     "print from the greatest key to the least"),
	{},
};

static const struct option_spec count_options[] = {
	OPTION_FROM,
	OPTION_TO,
	OPTION_PREFIX_IS,
	{},
};

static const struct option_spec top_options[] = {
	NUMBER('i', "interval", "SECONDS", interval, 1, 86400,
	       "time between two samples (default: 2)"),
	NUMBER('n', "count", "N", limit, 0, UINT64_MAX,
	       "end after N samples (default: 0, never)"),
	FLAG('N', "numa", numa,
	     "show memory by NUMA node; this visits all nodes"),
	NUMBER('l', "leaves", "N", leaves, 1, BLINK_TREE_HOT_LEAVES_MAX,
	       "show up to N leaves that writers wait for in each tree"),
	{},
};

static const struct option_spec watch_options[] = {
	OPTION_FROM,
	OPTION_TO,
	OPTION_PREFIX_IS,
	OPTION_OWNER_IS,
	FLAG('a', "all", all, "print the present entries first"),
	NUMBER('n', "limit", "N", limit, 1, UINT64_MAX,
	       "end after N lines (default: never)"),
	NUMBER('s', "slots", "N", slots, BLINK_TREE_WATCH_SLOTS_MIN,
	       BLINK_TREE_WATCH_SLOTS_MAX,
	       "changes that the kernel keeps, 2^n (default: 16384)"),
	{},
};

static const struct option_spec load_options[] = {
	OPTION_FORMAT_IS,
	OPTION_OWNER_IS,
	NUMBER('J', "jobs", "N", jobs, 1, 256,
	       "store from N threads at once (default: 1)"),
	NUMBER('b', "batch", "N", batch, 1, 1 << 20,
	       "store N entries per system call (default: 1024)"),
	FLAG('s', "sorted", sorted,
	     "keys ascend and are new: fill leaf after leaf"),
	NUMBER('l', "fill", "N", fill, 1, 100,
	       "with --sorted: fill N % of a leaf (default: 100)"),
	{},
};

static const struct option_spec dump_options[] = {
	OPTION_FORMAT_IS, OPTION_FROM,	   OPTION_TO,
	OPTION_PREFIX_IS, OPTION_OWNER_IS, {},
};

static const struct option_spec owner_options[] = {
	OPTION_OWNER_IS,
	{},
};

static const struct option_spec restore_options[] = {
	FLAG('r', "replace", replace,
	     "overwrite the values of keys that are present"),
	VALUE('o', "owner", "USER", OPTION_PATH, owner,
	      "the tree, and the saved one, must belong to this user"),
	FLAG('k', "keep", keep, "give a new tree its saved mode and group"),
	VALUE('m', "mode", "MODE", OPTION_MODE, attr.mode,
	      "permissions of a new tree (default: saved less umask)"),
	{},
};

static const struct option_spec bench_options[] = {
	WORDS("index", index_words, bench.indexes,
	      "measure only these indexes (default: all)"),
	WORDS("workload", workload_words, bench.workloads,
	      "measure only these workloads (default: all)"),
	NUMBER('t', "threads", "N", bench.threads, 0, UINT32_MAX,
	       "threads, on all NUMA nodes (default: 0, all CPUs)"),
	NUMBER('k', "keys", "N", bench.keys, 1000, 1 << 30,
	       "number of keys to insert (default: 1000000)"),
	NUMBER('n', "ops", "N", bench.ops, 1, 1 << 30,
	       "operations of each thread (default: 1000000)"),
	NUMBER('b', "batch", "N", bench.batch, 1, 64,
	       "measure batches of N operations too (default: 32)"),
	NUMBER('r', "rounds", "N", bench.rounds, 1, BENCH_ROUNDS_MAX,
	       "number of rounds (default: 5)"),
	OPTION_REPLICATION_IS,
	OPTION_LOCKING_IS,
	VALUE(0, "lab", "DIR", OPTION_PATH, bench.lab,
	      "use the files in DIR (default: those in debugfs)"),
	{},
};

static const struct command commands[] = {
	{
		.name = "info",
		.summary = "Show version, features and limits of the module.",
		.run = run_info,
	},
	{
		.name = "create",
		.summary = "Create a tree. It exists until rm or rmmod.",
		.operands = { OPERAND_IS("NAME", NEW_TREE) },
		.options = create_options,
		.run = run_create,
	},
	{
		.name = "list",
		.summary = "List the trees.",
		.options = list_options,
		.run = run_list,
	},
	{
		.name = "attr",
		.summary = "Show or change the attributes of a tree.",
		.details =
			"Without options it shows them. A limit below the present use removes\n"
			"no keys: the tree gets no new keys or leaves until it is below it.",
		.operands = { OPERAND_TREE_IS },
		.options = attr_options,
		.run = run_attr,
	},
	{
		.name = "rm",
		.summary = "Remove trees.",
		.details =
			"A tree that a process has open exists until that process closes it.",
		.operands = { { .name = "TREE",
				.kind = OPERAND_TREE,
				.repeats = true } },
		.options = rm_options,
		.run = run_rm,
	},
	{
		.name = "put",
		.summary = "Add a key, or overwrite its value.",
		.operands = { OPERAND_TREE_IS, OPERAND_KEY_IS,
			      OPERAND_VALUE_IS("VALUE") },
		.options = put_options,
		.run = run_operation,
		.opcode = BLINK_TREE_OP_STORE,
	},
	{
		.name = "get",
		.summary = "Look up keys.",
		.details =
			"One line per key: KEY VALUE, or KEY - if the key is absent.",
		.operands = { OPERAND_TREE_IS, OPERAND_KEYS },
		.options = get_options,
		.run = run_keys,
		.opcode = BLINK_TREE_OP_LOOKUP,
	},
	{
		.name = "del",
		.summary = "Remove keys.",
		.details =
			"In a tree of the kind multi it removes all values of each key.",
		.operands = { OPERAND_TREE_IS, OPERAND_KEYS },
		.run = run_keys,
		.opcode = BLINK_TREE_OP_ERASE,
	},
	{
		.name = "cas",
		.summary = "Set the value of a key to NEW if it is OLD.",
		.operands = { OPERAND_TREE_IS, OPERAND_KEY_IS,
			      OPERAND_VALUE_IS("OLD"),
			      OPERAND_VALUE_IS("NEW") },
		.run = run_operation,
		.opcode = BLINK_TREE_OP_CMPXCHG,
	},
	{
		.name = "cad",
		.summary = "Remove a key if its value is OLD.",
		.details = "In a tree of the kind multi it removes this pair.",
		.operands = { OPERAND_TREE_IS, OPERAND_KEY_IS,
			      OPERAND_VALUE_IS("OLD") },
		.run = run_operation,
		.opcode = BLINK_TREE_OP_CMPERASE,
	},
	{
		.name = "get-or-insert",
		.summary = "Print the value of a key. Add the key if absent.",
		.details =
			"Prints KEY VALUE: the value that the key has afterwards.",
		.operands = { OPERAND_TREE_IS, OPERAND_KEY_IS,
			      OPERAND_VALUE_IS("VALUE") },
		.run = run_operation,
		.opcode = BLINK_TREE_OP_GET_OR_INSERT,
	},
	{
		.name = "add",
		.summary = "Add a number to the value of a key.",
		.details =
			"Prints KEY VALUE: the value that the key has afterwards. An absent key\n"
			"has the value 0 before. NUMBER is 1 if it is missing; a negative one is\n"
			"behind --. Sums are modulo 2^64.",
		.operands = { OPERAND_TREE_IS, OPERAND_KEY_IS,
			      OPERAND_OR_NONE("NUMBER", VALUE) },
		.options = add_options,
		.run = run_operation,
		.opcode = BLINK_TREE_OP_ADD,
	},
	{
		.name = "pop-min",
		.summary = "Remove the least key that is not below KEY.",
		.details =
			"Prints KEY VALUE of the removed key. KEY is 0 if it is missing.",
		.operands = { OPERAND_TREE_IS, OPERAND_KEY_OR_NONE },
		.run = run_operation,
		.opcode = BLINK_TREE_OP_POP_MIN,
	},
	{
		.name = "pop-max",
		.summary = "Remove the greatest key that is not above KEY.",
		.details =
			"Prints KEY VALUE of the removed key. Without KEY it removes the greatest\n"
			"key of the tree.",
		.operands = { OPERAND_TREE_IS, OPERAND_KEY_OR_NONE },
		.run = run_operation,
		.opcode = BLINK_TREE_OP_POP_MAX,
	},
	{
		.name = "floor",
		.summary = "Find for each KEY the greatest key not above it.",
		.details = "One line per key: KEY FOUND VALUE, or KEY - -.",
		.operands = { OPERAND_TREE_IS, OPERAND_KEYS },
		.run = run_keys,
		.opcode = BLINK_TREE_OP_FLOOR,
	},
	{
		.name = "ceil",
		.summary = "Find for each KEY the least key not below it.",
		.details = "One line per key: KEY FOUND VALUE, or KEY - -.",
		.operands = { OPERAND_TREE_IS, OPERAND_KEYS },
		.run = run_keys,
		.opcode = BLINK_TREE_OP_CEILING,
	},
	{
		.name = "scan",
		.summary = "Print the entries of a range, in order of keys.",
		.operands = { OPERAND_TREE_IS },
		.options = scan_options,
		.run = run_scan,
	},
	{
		.name = "count",
		.summary = "Count the keys of a range, or the values of KEY.",
		.details =
			"In a tree of the kind multi it counts pairs of a key and a value.",
		.operands = { OPERAND_TREE_IS, OPERAND_KEY_OR_NONE },
		.options = count_options,
		.run = run_count,
	},
	{
		.name = "erase-range",
		.summary = "Remove the keys from FIRST to LAST, both included.",
		.details =
			"Prints the number of keys that were removed. Keys that others add\n"
			"meanwhile can remain.",
		.operands = { OPERAND_TREE_IS, OPERAND_IS("FIRST", KEY),
			      OPERAND_IS("LAST", KEY) },
		.run = run_erase_range,
	},
	{
		.name = "range",
		.summary = "Find or store ranges of keys with one value each.",
		.details =
			"The words are one of these; without them it is list:\n"
			"  get KEY      insert FIRST LAST VALUE    gap SIZE [FIRST LAST]\n"
			"  list [FIRST [LAST]]    put FIRST LAST VALUE    del FIRST LAST\n"
			"  alloc SIZE VALUE [FIRST LAST]\n"
			"One line per range: FIRST LAST VALUE. The value of a hole is -. put stores\n"
			"all keys at one moment, insert if they are in no range, and alloc where\n"
			"gap finds so many of them.",
		.operands = { OPERAND_TREE_IS,
			      { .name = "WORD",
				.kind = OPERAND_VALUE,
				.optional = true,
				.repeats = true } },
		.options = range_options,
		.run = run_range,
	},
	{
		.name = "stat",
		.summary = "Show the size, shape and counters of a tree.",
		.operands = { OPERAND_TREE_IS },
		.options = owner_options,
		.run = run_stat,
	},
	{
		.name = "top",
		.summary = "Show what happens in all trees, again and again.",
		.details =
			"A line for each tree that the caller may read: its keys and bytes, and\n"
			"for each second keys searched for, inserted, updated and erased, nodes\n"
			"split and merged, waits for locks, and reads repeated.\n"
			"With --json each sample is one line.",
		.options = top_options,
		.run = run_top,
	},
	{
		.name = "watch",
		.summary = "Print the changes of a tree as they occur.",
		.details =
			"One line per change: POSITION CHANGE KEY LAST VALUE OLD, with - for what\n"
			"a change does not have. CHANGE is insert, update, erase, or erase-range,\n"
			"which removes the keys from KEY to LAST. After the line overrun changes\n"
			"are missing, because they came faster than they were printed. With --all\n"
			"the lines from scan to ready have all entries, also after an overrun.\n"
			"With --json each line is an object.",
		.operands = { OPERAND_TREE_IS },
		.options = watch_options,
		.run = run_watch,
	},
	{
		.name = "metrics",
		.summary = "Print the statistics of all trees for Prometheus.",
		.details =
			"The text format of Prometheus, for the textfile collector of its node\n"
			"exporter. Counting nodes visits all of them.",
		.raw = true,
		.run = run_metrics,
	},
	{
		.name = "load",
		.summary = "Store entries from a file or standard input.",
		.details =
			"text: KEY VALUE per line; # begins a comment line; strings can have\n"
			"  blanks if a TAB is between KEY and VALUE\n"
			"csv: KEY,VALUE per record, as RFC 4180 has it; a string has no\n"
			"  escapes, a first record key,value is skipped\n"
			"binary: pairs of 64-bit numbers, least significant byte first;\n"
			"  a key of 128 bits has 16 bytes, the most significant one first\n"
			"If the file has a key several times, the last value stays, with any\n"
			"number of jobs. With --sorted there is one job; a key that is in the\n"
			"tree ends the load, and keys that do not ascend make it slower.",
		.operands = { OPERAND_TREE_IS, OPERAND_FILE_OR_NONE },
		.options = load_options,
		.run = run_load,
	},
	{
		.name = "dump",
		.summary = "Write entries to a file, for load.",
		.operands = { OPERAND_TREE_IS, OPERAND_FILE_OR_NONE },
		.options = dump_options,
		.raw = true,
		.run = run_dump,
	},
	{
		.name = "save",
		.summary = "Write a snapshot of a tree, for restore.",
		.details =
			"The snapshot has the options of the tree and all its entries, with\n"
			"checksums. A key that is in the tree during the whole save is in it\n"
			"once. Others can change the tree meanwhile: it is not that of a moment.\n"
			"FILE changes when the snapshot is complete.",
		.operands = { OPERAND_TREE_IS, OPERAND_FILE_OR_NONE },
		.options = owner_options,
		.run = run_save,
	},
	{
		.name = "restore",
		.summary = "Create a tree from a snapshot, or add its entries.",
		.details =
			"Without NAME the new tree has its saved name. A new tree appears when\n"
			"it has all entries. If NAME exists it must have the same kinds of keys\n"
			"and values, and gets the entries whose keys are absent.",
		.operands = { OPERAND_IS("FILE", FILE),
			      OPERAND_OR_NONE("NAME", TREE) },
		.options = restore_options,
		.run = run_restore,
	},
	{
		.name = "batch",
		.summary = "Execute operations from a file or standard input.",
		.details =
			"One operation per line; # begins a comment line:\n"
			"  get KEY       put KEY VALUE      cas KEY OLD NEW\n"
			"  del KEY       insert KEY VALUE   cad KEY OLD\n"
			"  floor KEY     replace KEY VALUE  ceil KEY\n"
			"  pop-min KEY   get-or-insert KEY VALUE  pop-max KEY\n"
			"  add KEY NUMBER   add-saturate KEY NUMBER\n"
			"One line per result: OPERATION KEY RESULT FOUND VALUE OLD. RESULT is\n"
			"ok or the name of an error. A field without a value is -.",
		.operands = { OPERAND_TREE_IS, OPERAND_FILE_OR_NONE },
		.run = run_batch,
	},
	{
		.name = "commit",
		.summary = "Execute operations at one instant, or none.",
		.details =
			"The operations are those of batch that name their key, at most 32, and\n"
			"two conditions:\n"
			"  expect KEY OLD   the value of KEY is OLD\n"
			"  absent KEY       there is no KEY\n"
			"A line can end with a word on the keys between its own and the next greater\n"
			"one of the commit: +empty, there must be none; +clear, they are removed.\n"
			"If an operation fails, nothing changes: it has its error as RESULT, and\n"
			"the others have ECANCELED. A get that finds no key does not fail. Lines\n"
			"of output are those of batch. An empty line ends the commit, and another\n"
			"one begins.",
		.operands = { OPERAND_TREE_IS, OPERAND_FILE_OR_NONE },
		.run = run_commit,
	},
	{
		.name = "verify",
		.summary = "Check the invariants of a tree.",
		.operands = { OPERAND_TREE_IS },
		.run = run_verify,
	},
	{
		.name = "bench",
		.summary = "Compare the tree with other indexes in a kernel.",
		.details =
			"This needs root and the module blink_tree_lab. Each line of the table\n"
			"is an index and a workload: operations per second of all threads\n"
			"together (median, least and most of the rounds), and the ratio: the\n"
			"speed of the tree without batches, divided by that of the index. Every\n"
			"answer is checked; a wrong answer ends the benchmark.",
		.options = bench_options,
		.run = run_bench,
	},
	{
		.name = "completion",
		.summary = "Print the completion for a shell.",
		.details = "To enable it in this session: . <(" PROGRAM
			   " completion bash)",
		.operands = { OPERAND_IS("SHELL", SHELL) },
		.raw = true,
		.run = run_completion,
	},
	{},
};

const struct program program = {
	.name = PROGRAM,
	.summary = "Ordered maps from keys to values in the kernel.",
	.ending =
		"Keys and values are decimal, or hexadecimal after 0x. A key of 128 bits\n"
		"can also be a UUID or an IPv6 address. A string has escapes: \\\\ \\t \\n \\r\n"
		"\\xHH, and \\& for nothing.\n"
		"FILE is standard input or output if it is - or missing.\n"
		"\n"
		"Exit status:\n"
		"  0  success\n"
		"  1  a key is absent (put -i, restore: present; cas, cad: its value differs),\n"
		"     in batch, too; a condition of commit is not true; range found no gap, or a\n"
		"     key in a range; verify found a violation; or the tree of watch was removed\n"
		"  2  the command line or the input has a mistake\n"
		"  3  the system refused the request or failed, or the tree\n"
		"     does not exist\n"
		"  4  a snapshot is truncated\n"
		"  5  a snapshot is corrupted\n"
		"  6  a snapshot is newer than this program\n"
		"  7  a snapshot has other kinds of keys or values than the tree\n"
		"130  a signal ended dump, save or restore\n",
	.version = blinktree_version,
	.options = global_options,
	.commands = commands,
};
