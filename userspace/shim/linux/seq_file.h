/* SPDX-License-Identifier: GPL-2.0 */
/* Text that goes to a buffer. As in the kernel, @count is @size if it was too small. */
#ifndef SHIM_LINUX_SEQ_FILE_H
#define SHIM_LINUX_SEQ_FILE_H

#include <linux/kernel.h>
#include <stdarg.h>

struct seq_file {
	char *buf;
	size_t size;
	size_t count;
};

__printf(2, 3) static inline void seq_printf(struct seq_file *m,
					     const char *format, ...)
{
	size_t room = m->size - m->count, bytes;
	va_list args;

	va_start(args, format);
	bytes = vsnprintf(m->buf + m->count, room, format, args);
	va_end(args);
	m->count = bytes < room ? m->count + bytes : m->size;
}

#define seq_puts(m, text) seq_printf(m, "%s", text)

static inline bool seq_has_overflowed(const struct seq_file *m)
{
	return m->count == m->size;
}

#endif /* SHIM_LINUX_SEQ_FILE_H */
