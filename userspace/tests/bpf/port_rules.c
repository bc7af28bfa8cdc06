// SPDX-License-Identifier: GPL-2.0
/* The program of examples/bpf/port_rules.c: a tree of ranges of ports. */
#include <arpa/inet.h>
#include <linux/bpf.h>
#include <linux/if_ether.h>
#include <linux/ip.h>
#include <linux/udp.h>

#include "kselftest_harness.h"

#include "bpf_test.h"

/* Have the program filter a packet. Returns its decision. */
static int filter(int program, __u8 protocol, __u16 port)
{
	char packet[sizeof(struct ethhdr) + sizeof(struct iphdr) +
		    sizeof(struct udphdr)] = {};
	LIBBPF_OPTS(bpf_test_run_opts, opts, .data_in = packet,
		    .data_size_in = sizeof(packet));
	struct ethhdr *eth = (void *)packet;
	struct iphdr *ip = (void *)(eth + 1);
	struct udphdr *udp = (void *)(ip + 1);

	eth->h_proto = htons(ETH_P_IP);
	ip->version = 4;
	ip->ihl = 5;
	ip->protocol = protocol;
	udp->dest = htons(port);
	return bpf_prog_test_run_opts(program, &opts) ? -1 : (int)opts.retval;
}

/* Let the ports from one to another be in a range. */
static int open_ports(int tree, __u64 first, __u64 last)
{
	struct blink_tree_ioc_range range = {
		.op = BLINK_TREE_RANGE_STORE,
		.first = first,
		.last = last,
		.value = 1,
	};

	return call(tree, BLINK_TREE_IOC_RANGE, &range);
}

TEST(ports_in_ranges)
{
	static const __u16 open[] = { 53, 1000, 1500, 1999, 65535 };
	static const __u16 closed[] = { 0, 52, 54, 999, 2000, 65534 };
	struct bpf_object *object;
	unsigned int i;
	int tree, program;

	if (!bpf_usable())
		SKIP(return, "the kernel does not know the module's types");
	tree = tree_new(0);
	ASSERT_GE(tree, 0);
	ASSERT_EQ(0, open_ports(tree, 53, 53));
	ASSERT_EQ(0, open_ports(tree, 1000, 1999));
	ASSERT_EQ(0, open_ports(tree, 65535, 65535));
	object = object_open("port_rules");
	ASSERT_NE(NULL, object);
	ASSERT_EQ(0, set_variable(object, handle_of(tree)));
	ASSERT_EQ(0, bpf_object__load(object));
	program = program_fd(object, "filter");
	for (i = 0; i < ARRAY_SIZE(open); i++)
		EXPECT_EQ(XDP_PASS, filter(program, IPPROTO_UDP, open[i]));
	for (i = 0; i < ARRAY_SIZE(closed); i++)
		EXPECT_EQ(XDP_DROP, filter(program, IPPROTO_UDP, closed[i]));
	EXPECT_EQ(XDP_PASS, filter(program, IPPROTO_TCP, 0));
	/* The ranges may change at any time. */
	EXPECT_EQ(0, open_ports(tree, 54, 60));
	EXPECT_EQ(XDP_PASS, filter(program, IPPROTO_UDP, 60));
	close(tree);
	EXPECT_EQ(XDP_DROP, filter(program, IPPROTO_UDP, 53));
	bpf_object__close(object);
}

TEST_HARNESS_MAIN
