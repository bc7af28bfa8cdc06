/* SPDX-License-Identifier: GPL-2.0 */
/* Tracepoints that never fire. */
#ifndef SHIM_LINUX_TRACEPOINT_H
#define SHIM_LINUX_TRACEPOINT_H

#define TP_PROTO(...) __VA_ARGS__
#define TRACE_EVENT(name, proto, ...)          \
	static inline void trace_##name(proto) \
	{                                      \
	}                                      \
	struct trace_event_##name

#endif /* SHIM_LINUX_TRACEPOINT_H */
