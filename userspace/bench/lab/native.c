// SPDX-License-Identifier: GPL-2.0
/*
 * Points natively (backend.h). Each one is a process of its own, of the program
 * blink_lab_point, so that all begin with the same memory, and a scheme that crashes or
 * hangs ends only its own point. `blink_lab_point ORDER [KEY-FILE]` prints the answer, and
 * its exit status is 0 or an errno. A fork without exec is not enough: the threads of the
 * shim and of liburcu would be missing in the child.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/types.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "backend.h"

/* Seconds that a point can take. */
#define LIMIT 900

const char *const backend_world = "native";

#define SUFFIX "_point"

static char program_path[4096];
static const char *key_file;

/* Point after point would fail: say so at once. */
static enum status check_keys(const char *path)
{
	struct lab_keys keys;
	enum status status = keys_read(path, &keys);

	if (!status)
		free((u64 *)keys.key);
	return status;
}

enum status backend_open(const struct args *args)
{
	ssize_t length = readlink("/proc/self/exe", program_path,
				  sizeof(program_path) - sizeof(SUFFIX));

	if (length < 0) {
		message("/proc/self/exe: %s", strerror(errno));
		return STATUS_SYSTEM;
	}
	memcpy(program_path + length, SUFFIX, sizeof(SUFFIX));
	key_file = args->lab.key_file;
	return key_file ? check_keys(key_file) : STATUS_OK;
}

void backend_close(void)
{
}

/* Returns 0 or an error of posix_spawn(), which is positive. */
static int start(const char *order, int to, pid_t *pid)
{
	char *const words[] = { program_path, (char *)order, (char *)key_file,
				NULL };
	posix_spawn_file_actions_t actions;
	int error;

	error = posix_spawn_file_actions_init(&actions);
	if (error)
		return error;
	error = posix_spawn_file_actions_adddup2(&actions, to, STDOUT_FILENO);
	if (!error)
		error = posix_spawn(pid, program_path, &actions, NULL, words,
				    environ);
	posix_spawn_file_actions_destroy(&actions);
	return error;
}

/* Read up to the end, a signal, or the time limit, which is an error. */
static int read_answer(int fd, char *text, size_t size)
{
	struct pollfd poll_fd = { .fd = fd, .events = POLLIN };
	time_t end = time(NULL) + LIMIT;
	size_t length = 0;
	ssize_t got;
	int ready;

	do {
		ready = poll(&poll_fd, 1, 1000 * (int)(end - time(NULL)));
		if (ready <= 0)
			return ready ? -errno : -ETIMEDOUT;
		got = read(fd, text + length, size - 1 - length);
		if (got < 0)
			return -errno;
		length += got;
	} while (got);
	text[length] = '\0';
	return 0;
}

/* The error of a process that has ended: its status, or a signal. */
static int find_error(int status, char *why, size_t size)
{
	if (WIFEXITED(status))
		return -WEXITSTATUS(status);
	snprintf(why, size, "signal %d ended it: %s", WTERMSIG(status),
		 strsignal(WTERMSIG(status)));
	return -ECHILD;
}

static int wait_for(pid_t pid, int fd, char *text, char *why, size_t size)
{
	int error = read_answer(fd, text, ANSWER_MAX), status = 0;

	if (error == -ETIMEDOUT)
		snprintf(why, size, "it ran longer than %d s", LIMIT);
	if (error)
		kill(pid, SIGKILL);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return error ?: find_error(status, why, size);
}

int backend_measure(const char *order, char **answer, char *why, size_t size)
{
	int fds[2], error;
	pid_t pid;

	*answer = malloc(ANSWER_MAX);
	if (!*answer)
		return -ENOMEM;
	if (pipe2(fds, O_CLOEXEC))
		return -errno;
	error = -start(order, fds[1], &pid);
	if (error)
		snprintf(why, size, "%s: %s", program_path, strerror(-error));
	close(fds[1]);
	if (!error)
		error = wait_for(pid, fds[0], *answer, why, size);
	close(fds[0]);
	return error;
}
