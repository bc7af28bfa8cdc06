// SPDX-License-Identifier: GPL-2.0
/*
 * Let in only the UDP packets of an interface whose port is in a range.
 *
 *	port_rules INTERFACE TREE
 *
 * TREE is a tree of 64-bit keys with ranges. Any process may change them meanwhile, each at
 * one moment, for example:
 *
 *	blinktree create ports && blinktree range ports put 53 53 1 &&
 *	blinktree range ports put 1000 1999 1
 */
#include <errno.h>
#include <net/if.h>
#include <signal.h>
#include <stdio.h>

#include "loader.h"

static struct blinktree *open_tree(const char *name)
{
	struct blinktree_ctl *ctl;
	struct blinktree *tree;
	int err = blinktree_ctl_open(NULL, &ctl);

	if (err)
		die(BLINK_TREE_DEVICE, err);
	err = blinktree_open(ctl, name, BLINK_TREE_OPEN_READ, &tree);
	if (err)
		die(name, err);
	blinktree_ctl_close(ctl);
	return tree;
}

int main(int argc, char **argv)
{
	struct bpf_object *object;
	unsigned int interface;
	struct bpf_link *link;
	sigset_t signals;
	__u64 handle;
	int signal_;

	if (argc != 3) {
		fprintf(stderr, "usage: port_rules INTERFACE TREE\n");
		return 2;
	}
	interface = if_nametoindex(argv[1]);
	if (!interface)
		die(argv[1], -errno);
	sigemptyset(&signals);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigprocmask(SIG_BLOCK, &signals, NULL);
	handle = handle_of(open_tree(argv[2]));
	object = load_object("port_rules", &handle, sizeof(handle));
	link = bpf_program__attach_xdp(program_of(object, "filter"), interface);
	if (!link)
		die(argv[1], -errno);
	puts("ready");
	fflush(stdout);
	sigwait(&signals, &signal_);
	bpf_link__destroy(link);
	return 0;
}
