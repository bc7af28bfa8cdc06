// SPDX-License-Identifier: GPL-2.0
/* The tables of commands, and the parser of command lines. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <linux/blink_tree.h>

#include "../../tests/common/tap.h"
#include "../../bench/lab/lists.h"
#include "../entry.h"
#include "../parse.h"
#include "../util.h"

/* Whether two tables have an option with the same name or letter. */
static bool collide(const struct option_spec *a, const struct option_spec *b)
{
	const struct option_spec *first = b;

	for (; a && a->name; a++) {
		for (b = first; b && b->name; b++) {
			if (a != b && (!strcmp(a->name, b->name) ||
				       (a->letter && a->letter == b->letter)))
				return true;
		}
	}
	return false;
}

static void check_operands(const struct command *command)
{
	const struct operand *operand;

	for (operand = command->operands; operand->name; operand++) {
		tap_check(operand < command->operands + OPERANDS_MAX);
		/* Only the last operand can be optional or come several times. */
		tap_check(!operand[1].name ||
			  !(operand->optional || operand->repeats));
		/* target_open() takes the first one. A snapshot has a name too. */
		tap_check(operand->kind != OPERAND_TREE || operand->optional ||
			  operand == command->operands);
	}
}

/* A group has commands, each other command a function. */
static void check_commands(const struct command *commands,
			   const struct command *group)
{
	const struct command *command;

	for (command = commands; command->name; command++) {
		tap_check(command->summary &&
			  !command->run == !!command->commands);
		tap_check(command_find(commands, command->name) == command);
		tap_check(!collide(command->options, command->options));
		tap_check(!group || !collide(command->options, group->options));
		/* Options of figures and runs: --json FILE instead of --json. */
		tap_check(group || !collide(command->options, program.options));
		check_operands(command);
		if (command->commands)
			check_commands(command->commands, command);
	}
	tap_check(command > commands);
}

static void test_tables(void)
{
	tap_check(!collide(program.options, program.options));
	check_commands(program.commands, NULL);
	tap_check(!command_find(program.commands, "") &&
		  !command_find(program.commands, "get "));
	tap_case("no name or letter is in the tables twice");
}

#define WORDS_MAX 16

/* The words of a line, as main() gets them. */
static enum status parse(const char *line, struct args *args,
			 const struct command **command)
{
	static char copy[256];
	static char *words[WORDS_MAX + 1];
	int nr = 0;
	char *word;

	snprintf(copy, sizeof(copy), "blinktree %s", line);
	for (word = strtok(copy, " "); word; word = strtok(NULL, " "))
		words[nr++] = word;
	words[nr] = NULL;
	return parse_command_line(nr, words, args, command);
}

static bool refused(const char *line)
{
	const struct command *command;
	struct args args;
	enum status status = parse(line, &args, &command);

	parse_release(&args);
	if (status != STATUS_USAGE)
		printf("# it is '%s'\n", line);
	return status == STATUS_USAGE;
}

static void test_operands(void)
{
	const struct command *command;
	struct args args;

	tap_check(!parse("get tree 1 0x2 -j 3", &args, &command));
	tap_check(command == command_find(program.commands, "get") &&
		  args.nr == 4);
	tap_check(!strcmp(args.words[0], "tree"));
	tap_check(!strcmp(args.words[2], "0x2") && args.json && !args.hex);
	parse_release(&args);
	/* The kinds of the tree decide whether a text is a key, or a value. */
	tap_check(!parse("cas tree x y z", &args, &command) && args.nr == 4);
	tap_check(!strcmp(args.words[3], "z"));
	parse_release(&args);
	tap_check(!parse("load tree", &args, &command) && args.nr == 1);
	parse_release(&args);
	tap_check(!parse("load tree -", &args, &command) && args.nr == 2);
	parse_release(&args);
	tap_check(!parse("create -- -n", &args, &command));
	tap_check(!strcmp(args.words[0], "-n"));
	parse_release(&args);

	tap_check(refused("get"));
	tap_check(refused("get tree"));
	tap_check(refused("put tree 1"));
	tap_check(refused("cas tree 1 2"));
	tap_check(refused("put tree 1 2 3"));
	tap_check(refused("info tree"));
	tap_check(refused("load tree file file"));
	tap_check(refused("rm"));
	tap_case("operands");
}

static void test_options(void)
{
	const struct command *command;
	struct args args;

	tap_check(!parse("scan t", &args, &command));
	tap_check(!args.first && !args.last && !args.prefix && !args.reverse &&
		  args.limit == UINT64_MAX && !args.device);
	parse_release(&args);
	tap_check(!parse("-x --device=/d scan --from 0x5 t -rn7 --to=9", &args,
			 &command));
	tap_check(args.hex && !strcmp(args.device, "/d") &&
		  !strcmp(args.first, "0x5") && !strcmp(args.last, "9") &&
		  args.reverse && args.limit == 7);
	parse_release(&args);
	tap_check(!parse("-p list", &args, &command));
	tap_check(args.json && args.pretty);
	parse_release(&args);
	tap_check(!parse("load t --form csv -J 8", &args, &command));
	tap_check(args.format == FORMAT_CSV && args.jobs == 8);
	parse_release(&args);
	tap_check(!parse("create t -m 0644", &args, &command));
	tap_check(args.mode == 0644);
	parse_release(&args);
	tap_check(!parse("create t", &args, &command));
	tap_check(args.replication == BLINK_TREE_REPLICATE_NONE &&
		  args.locking == BLINK_TREE_LOCKING_PLAIN &&
		  args.placement == BLINK_TREE_PLACE_LOCAL && !args.compress);
	parse_release(&args);
	tap_check(!parse("create t --compress", &args, &command));
	tap_check(args.compress);
	parse_release(&args);

	tap_check(!parse("bench", &args, &command));
	tap_check(!args.bench.indexes && !args.bench.workloads &&
		  !args.bench.threads && args.bench.batch == 32 &&
		  args.bench.rounds == 5 && !args.bench.lab);
	parse_release(&args);
	tap_check(!parse("bench --index rbtree,xarray --workload 50/50 --lab d",
			 &args, &command));
	tap_check(args.bench.indexes == 0xc && args.bench.workloads == 0x80 &&
		  !strcmp(args.bench.lab, "d"));
	parse_release(&args);
	tap_check(!parse("bench -t 3 -k 1000 -n 7 -b 1 -r 9 -R full -L cohort",
			 &args, &command));
	tap_check(args.bench.threads == 3 && args.bench.keys == 1000 &&
		  args.bench.ops == 7 && args.bench.batch == 1 &&
		  args.bench.rounds == 9);
	tap_check(args.replication == BLINK_TREE_REPLICATE_FULL &&
		  args.locking == BLINK_TREE_LOCKING_COHORT);
	parse_release(&args);

	tap_check(refused("-r scan t"));
	tap_check(refused("scan t --nothing"));
	tap_check(refused("scan t -Z"));
	tap_check(refused("scan t --reverse=1"));
	tap_check(refused("scan t --from"));
	tap_check(refused("scan t -f"));
	tap_check(refused("scan t --prefix 1 --to 2"));
	tap_check(refused("scan t --key-form bytes"));
	tap_check(refused("create t --key u32"));
	tap_check(refused("create t --key u128 --compress"));
	tap_check(refused("create t --key bytes --compress"));
	tap_check(refused("create t --value u128"));
	tap_check(refused("create t --value bytes --compress"));
	tap_check(refused("create t --value bytes --key multi"));
	tap_check(refused("bench --value bytes"));
	tap_check(refused("load t -J 0"));
	tap_check(refused("load t --sorted --fill 0"));
	tap_check(refused("load t --sorted --fill 101"));
	tap_check(refused("load t -J 257"));
	tap_check(refused("load t -F json"));
	tap_check(refused("create t -m 1777"));
	tap_check(refused("create t -R"));
	tap_check(refused("create t -R inne"));
	tap_check(refused("create t -L inner"));
	tap_check(refused("create t --compress=1"));
	tap_check(refused("put t 1 2 -ir"));
	tap_check(refused("dump t -j"));
	tap_check(refused("bench t"));
	tap_check(refused("bench --index rbtre"));
	tap_check(refused("bench --index rbtree,"));
	tap_check(refused("bench --workload lookup,50-50"));
	tap_check(refused("bench -k 999"));
	tap_check(refused("bench -n 0"));
	tap_check(refused("bench -b 65"));
	tap_check(refused("bench -r 0"));
	tap_check(refused("bench -r 100"));
	tap_case("options");
}

/* A word of an option, and its number in the UAPI header. */
static const struct {
	const char *option;
	const char *word;
	unsigned int number;
	size_t offset;
} words[] = {
#define WORD(option, word, number) \
	{ "--" #option, word, number, offsetof(struct args, option) }
	WORD(replication, "none", BLINK_TREE_REPLICATE_NONE),
	WORD(replication, "inner", BLINK_TREE_REPLICATE_INNER),
	WORD(replication, "full", BLINK_TREE_REPLICATE_FULL),
	WORD(locking, "plain", BLINK_TREE_LOCKING_PLAIN),
	WORD(locking, "cohort", BLINK_TREE_LOCKING_COHORT),
	WORD(placement, "local", BLINK_TREE_PLACE_LOCAL),
	WORD(placement, "interleave", BLINK_TREE_PLACE_INTERLEAVE),
	WORD(key, "u64", BLINK_TREE_KEY_U64),
	WORD(key, "u128", BLINK_TREE_KEY_U128),
	WORD(key, "multi", BLINK_TREE_KEY_MULTI),
	WORD(key, "bytes", BLINK_TREE_KEY_BYTES),
	WORD(value, "u64", VALUE_U64),
	WORD(value, "bytes", VALUE_BYTES),
	{ "--key-form", "uuid", KEY_FORM_UUID,
	  offsetof(struct args, key_form) },
	{ "--key-form", "ipv6", KEY_FORM_IPV6,
	  offsetof(struct args, key_form) },
#undef WORD
};

static void test_words(void)
{
	const struct command *command;
	unsigned int *number;
	struct args args;
	char line[64];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(words); i++) {
		snprintf(line, sizeof(line), "create t %s %s", words[i].option,
			 words[i].word);
		number = (void *)((char *)&args + words[i].offset);
		tap_check(!parse(line, &args, &command));
		tap_check(*number == words[i].number);
		parse_release(&args);
	}
	tap_case("words have the numbers of the UAPI header");
}

/* A list has these numbers, up to a 0. */
static bool has(const struct list *list, const __u64 *numbers)
{
	size_t i;

	for (i = 0; i < list->nr; i++) {
		if (list->at[i] != numbers[i])
			return false;
	}
	return !numbers[i];
}

static void test_groups(void)
{
	const struct command *command;
	struct args args;

	tap_check(!parse(
		"lab -j run --scheme rbtree --threads 1,0x10 -b 8 --lab d",
		&args, &command));
	tap_check(command == command_find(lab_commands, "run") &&
		  args.group == command_find(program.commands, "lab"));
	tap_check(args.json && !strcmp(args.lab.directory, "d"));
	tap_check(has(&args.lab.threads, (__u64[]){ 1, 16, 0 }) &&
		  has(&args.lab.batches, (__u64[]){ 8, 0 }) &&
		  !args.lab.node_bytes.nr && args.lab.seed == 1);
	tap_check(args.lab.schemes.nr == 1 &&
		  !strcmp(lab_scheme_at(args.lab.schemes.at[0]), "rbtree"));
	parse_release(&args);
	tap_check(!parse("lab figure olfit-8 all --json f", &args, &command));
	tap_check(!args.json && !strcmp(args.lab.json, "f") && args.nr == 2);
	tap_check(!strcmp(lab_figure_at(args.numbers[0]), "olfit-8"));
	parse_release(&args);
	tap_check(!parse("lab --help", &args, &command) && args.help &&
		  command == command_find(program.commands, "lab"));
	parse_release(&args);

	tap_check(refused("lab"));
	tap_check(refused("lab -j"));
	tap_check(refused("lab get"));
	tap_check(refused("figure olfit-8"));
	tap_check(refused("lab figure"));
	tap_check(refused("lab figure olfit"));
	tap_check(refused("lab figure olfit-8 --threads 0"));
	tap_check(refused("lab figure olfit-8 --threads 1,"));
	tap_check(refused("lab figure olfit-8 --rounds 100"));
	tap_check(refused("lab figure olfit-8 --json"));
	tap_check(refused("lab figures olfit-8"));
	tap_check(refused("lab run --scheme rbtree,"));
	tap_check(refused("lab run --mix no"));
	tap_check(refused("lab run --batch 65"));
	tap_check(refused("lab run --order up"));
	tap_check(refused(
		"lab run -t 1,2,3,4,5,6,7,8,9,1,2,3,4,5,6,7,8,9,1,2,3,4,5,6,7,8,9,1,2,3,4,5"));
	tap_case("groups of commands, and lists");
}

static void test_help(void)
{
	const struct command *command;
	struct args args;

	tap_check(!parse("--help", &args, &command) && args.help && !command);
	parse_release(&args);
	tap_check(!parse("put --help", &args, &command) && args.help &&
		  command == command_find(program.commands, "put"));
	parse_release(&args);
	tap_check(!parse("--version", &args, &command) && args.version);
	parse_release(&args);
	tap_check(refused(""));
	tap_check(refused("-j"));
	tap_check(refused("nothing"));
	tap_case("help needs no operands, all other options need a command");
}

int main(void)
{
	const unsigned int planned = 6;

	/* Hide the messages for the user. */
	freopen("/dev/null", "w", stderr);
	tap_begin(planned);
	test_tables();
	test_operands();
	test_options();
	test_words();
	test_groups();
	test_help();
	return tap_exit(planned);
}
