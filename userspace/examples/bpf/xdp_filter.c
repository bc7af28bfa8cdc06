// SPDX-License-Identifier: GPL-2.0
/*
 * Drop the packets of an interface whose source address is in a list of prefixes.
 *
 *	xdp_filter INTERFACE FILE
 *
 * Each line of FILE has a prefix, such as 192.0.2.0/24 or 2001:db8::/32, or an address.
 * SIGHUP reads FILE again. Packets are filtered meanwhile: a prefix that is in the old
 * list and in the new one is never missing.
 */
#include <errno.h>
#include <net/if.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "filter_handles.h"
#include "loader.h"
#include "prefixes.h"

/* Returns 0, or -1 after a message. */
static int read_list(struct prefix_list *list, const char *path)
{
	FILE *file = fopen(path, "r");
	long ret = file ? prefix_list_read(list, file) : -errno;

	if (file)
		fclose(file);
	if (ret < 0)
		fprintf(stderr, "%s: %s\n", path, strerror(-ret));
	if (ret > 0)
		fprintf(stderr, "%s:%ld: no prefix\n", path, ret);
	prefixes_tidy(&list->ipv4);
	prefixes_tidy(&list->ipv6);
	return ret ? -1 : 0;
}

/* The trees, and the list that they have. */
struct state {
	struct blinktree *ipv4;
	struct blinktree *ipv6;
	struct prefix_list list;
};

static void tell(const struct state *state)
{
	printf("%zu prefixes of IPv4, %zu of IPv6\n", state->list.ipv4.nr,
	       state->list.ipv6.nr);
	fflush(stdout);
}

static void begin(struct state *state, const char *path)
{
	int err;

	prefix_list_init(&state->list);
	if (read_list(&state->list, path))
		exit(1);
	state->ipv4 = new_tree(BLINK_TREE_KEY_U64);
	state->ipv6 = new_tree(BLINK_TREE_KEY_U128);
	err = prefixes_load(state->ipv4, &state->list.ipv4);
	if (!err)
		err = prefixes_load(state->ipv6, &state->list.ipv6);
	if (err)
		die("load", err);
}

/* A list with a mistake changes nothing. */
static void read_again(struct state *state, const char *path)
{
	struct prefix_list list;
	int err;

	prefix_list_init(&list);
	if (read_list(&list, path)) {
		prefix_list_free(&list);
		return;
	}
	err = prefixes_store(state->ipv4, &state->list.ipv4, &list.ipv4);
	if (!err)
		err = prefixes_store(state->ipv6, &state->list.ipv6,
				     &list.ipv6);
	if (err)
		die("store", err);
	prefix_list_free(&state->list);
	state->list = list;
	tell(state);
}

static struct bpf_link *attach(const struct state *state, const char *interface)
{
	const struct filter_handles handles = {
		.ipv4 = handle_of(state->ipv4),
		.ipv6 = handle_of(state->ipv6),
	};
	unsigned int index = if_nametoindex(interface);
	struct bpf_object *object;
	struct bpf_link *link;

	if (!index)
		die(interface, -errno);
	object = load_object("xdp_filter", &handles, sizeof(handles));
	link = bpf_program__attach_xdp(program_of(object, "xdp_filter"), index);
	if (!link)
		die(interface, -errno);
	return link;
}

int main(int argc, char **argv)
{
	struct bpf_link *link;
	struct state state;
	sigset_t signals;
	int signal_;

	if (argc != 3) {
		fprintf(stderr, "usage: xdp_filter INTERFACE FILE\n");
		return 2;
	}
	sigemptyset(&signals);
	sigaddset(&signals, SIGHUP);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigprocmask(SIG_BLOCK, &signals, NULL);
	begin(&state, argv[2]);
	link = attach(&state, argv[1]);
	tell(&state);
	while (!sigwait(&signals, &signal_) && signal_ == SIGHUP)
		read_again(&state, argv[2]);
	bpf_link__destroy(link);
	return 0;
}
