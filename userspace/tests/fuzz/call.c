// SPDX-License-Identifier: GPL-2.0
/* Making the calls of programs. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <linux/blink_tree.h>

#include "memory.h"
#include "runner.h"

/* Numbers of system calls of 32-bit programs. */
#define COMPAT_GETPID 20
#define COMPAT_IOCTL 54

static long compat(unsigned int number, __u32 first, __u32 second, __u32 third)
{
	long ret;

	asm volatile("int $0x80"
		     : "=a"(ret)
		     : "a"(number), "b"(first), "c"(second), "d"(third)
		     : "memory", "r8", "r9", "r10", "r11");
	return (int)ret;
}

/* A kernel that runs no such programs takes the number for one of its own. */
static bool runs_compat(void)
{
	static int runs = -1;

	if (runs < 0)
		runs = compat(COMPAT_GETPID, -1, 0, 0) == getpid();
	return runs;
}

static long native_ioctl(int fd, unsigned int cmd, __u64 arg)
{
	long ret = syscall(SYS_ioctl, fd, cmd, arg);

	return ret < 0 ? -errno : ret;
}

void slot_put(struct runner *runner, unsigned int slot, long fd)
{
	if (fd < 0)
		return;
	if (slot != SLOT_DEVICE)
		fd = __atomic_exchange_n(&runner->slots[slot], fd,
					 __ATOMIC_ACQ_REL);
	if (fd >= 0)
		close(fd);
}

static void close_slot(struct runner *runner, unsigned int slot)
{
	int fd;

	if (slot == SLOT_DEVICE)
		return;
	fd = __atomic_exchange_n(&runner->slots[slot], -1, __ATOMIC_ACQ_REL);
	if (fd >= 0)
		close(fd);
}

/* A signal's frame is copied, too: where that fails the process is killed. */
static void hold_signals(int how)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
	pthread_sigmask(how, &set, NULL);
}

/* Armed last before the call, disarmed at once: nothing else is to fail. */
static void arm(struct lane *lane)
{
	char text[16];
	int len;

	if (!lane->fail_next || lane->fail_fd < 0)
		return;
	hold_signals(SIG_BLOCK);
	len = snprintf(text, sizeof(text), "%u", lane->fail_next);
	if (pwrite(lane->fail_fd, text, len, 0) == len)
		return;
	lane->fail_next = 0;
	hold_signals(SIG_UNBLOCK);
}

static void disarm(struct lane *lane)
{
	if (!lane->fail_next)
		return;
	lane->fail_next = 0;
	/* A write that hits the fault point itself disarms too. */
	if (lane->fail_fd >= 0 && pwrite(lane->fail_fd, "0", 1, 0) != 1)
		lane->fail_next = 0;
	hold_signals(SIG_UNBLOCK);
}

static unsigned int cmd_of(const struct call *call)
{
	unsigned int cmd = kind_specs[call->kind].cmd;

	if (call->kind == CALL_RAW)
		return _IOC(call->value[0] & 3, call->value[1] & 0xff,
			    call->value[2] & 0xff, call->size);
	return (cmd & ~IOCSIZE_MASK) | call->size << IOCSIZE_SHIFT;
}

static void make_ioctl(struct runner *runner, struct lane *lane,
		       const struct call *call, int fd)
{
	__u64 address = call_prepare(call, &runner->names);
	unsigned int cmd = cmd_of(call);
	long ret;

	judge_prepare(call, address);
	arm(lane);
	if (call->compat && runs_compat())
		ret = compat(COMPAT_IOCTL, fd, cmd, address);
	else
		ret = native_ioctl(fd, cmd, address);
	disarm(lane);
	lane->ioctls++;
	if (kind_opens(call->kind))
		slot_put(runner, call->to, ret);
	else if (call->kind == CALL_RAW &&
		 _IOC_TYPE(cmd) == BLINK_TREE_IOC_TYPE)
		slot_put(runner, SLOT_DEVICE, ret > 2 ? ret : -1);
	if (call->kind != CALL_RAW && !lane->complaint)
		lane->complaint = judge(call, ret, address, !runner->parallel);
}

union control {
	struct cmsghdr header;
	char bytes[CMSG_SPACE(sizeof(int))];
};

static int receive(int socket)
{
	char byte;
	struct iovec iov = { .iov_base = &byte, .iov_len = 1 };
	union control control;
	struct msghdr msg = {
		.msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control),
	};
	int fd;

	if (recvmsg(socket, &msg, MSG_DONTWAIT | MSG_CMSG_CLOEXEC) != 1 ||
	    !CMSG_FIRSTHDR(&msg))
		return -1;
	memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&msg)), sizeof(fd));
	return fd;
}

static int pass(const int socket[2], int fd)
{
	char byte = 0;
	struct iovec iov = { .iov_base = &byte, .iov_len = 1 };
	union control control = { .header = {
					  .cmsg_level = SOL_SOCKET,
					  .cmsg_type = SCM_RIGHTS,
					  .cmsg_len = CMSG_LEN(sizeof(int)),
				  } };
	struct msghdr msg = {
		.msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control),
	};

	memcpy(CMSG_DATA(&control.header), &fd, sizeof(fd));
	if (sendmsg(socket[0], &msg, MSG_DONTWAIT) != 1)
		return -1;
	return receive(socket[1]);
}

static void read_fdinfo(int fd)
{
	char path[48], text[512];
	int info;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	info = open(path, O_RDONLY | O_CLOEXEC);
	if (info < 0)
		return;
	while (read(info, text, sizeof(text)) > 0)
		;
	close(info);
}

static void try_mmap(int fd, const struct call *call)
{
	void *at = mmap(NULL, 4096, call->value[0] & 7,
			call->value[0] & 8 ? MAP_PRIVATE : MAP_SHARED, fd,
			call->value[1] & ~0xfffULL);

	if (at != MAP_FAILED)
		munmap(at, 4096);
}

static void set_alarm(__u64 microseconds)
{
	struct itimerval when = {
		.it_value.tv_usec = 1 + microseconds % 1000,
	};

	setitimer(ITIMER_REAL, &when, NULL);
}

static void make_other(struct runner *runner, struct lane *lane,
		       const struct call *call, int fd)
{
	const __u64 *value = call->value;
	struct pollfd polled = { .fd = fd, .events = value[0] };
	__u64 address = memory_address(lane->id, call->place, value[0], true);

	switch (call->kind) {
	case CALL_READ:
		syscall(SYS_read, fd, address, value[0]);
		break;
	case CALL_WRITE:
		syscall(SYS_write, fd, address, value[0]);
		break;
	case CALL_SEEK:
		lseek(fd, value[0], value[1]);
		break;
	case CALL_POLL:
		poll(&polled, 1, 0);
		break;
	case CALL_MMAP:
		try_mmap(fd, call);
		break;
	case CALL_FDINFO:
		read_fdinfo(fd);
		break;
	case CALL_DUP:
		slot_put(runner, call->to, fcntl(fd, F_DUPFD_CLOEXEC, 0));
		break;
	case CALL_CLOSE:
		close_slot(runner, call->slot);
		break;
	case CALL_PASS:
		slot_put(runner, call->to, pass(lane->socket, fd));
		break;
	case CALL_ALARM:
		set_alarm(value[0]);
		break;
	case CALL_FAIL:
		lane->fail_next = 1 + value[0] % 64;
		break;
	case CALL_PROTECT:
		memory_protect(lane->id, value[0], value[1]);
		break;
	}
}

void lane_call(struct runner *runner, struct lane *lane,
	       const struct call *call)
{
	int fd = __atomic_load_n(&runner->slots[call->slot], __ATOMIC_ACQUIRE);

	lane->calls++;
	if (kind_specs[call->kind].cmd || call->kind == CALL_RAW)
		make_ioctl(runner, lane, call, fd);
	else
		make_other(runner, lane, call, fd);
}
