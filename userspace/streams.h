/* SPDX-License-Identifier: GPL-2.0 */
/* The standard streams of every program. */
#ifndef BLINK_STREAMS_H
#define BLINK_STREAMS_H

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/*
 * Open the standard streams that the caller has closed. Otherwise the next file that the
 * program opens would be one of them, and take the output that is meant for the stream.
 * Each is opened for the other direction, so its use is an error, as it was.
 */
static inline void streams_open(void)
{
	int fd;

	for (fd = 0; fd <= 2; fd++) {
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF &&
		    open("/dev/null", fd ? O_RDONLY : O_WRONLY) != fd)
			_exit(127);
	}
}

#endif /* BLINK_STREAMS_H */
