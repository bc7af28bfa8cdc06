/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The version of the project, which is defined here only. Makefiles read it by
 * version.mk. CHANGELOG.md has an entry for it.
 */
#ifndef BLINK_VERSION_H
#define BLINK_VERSION_H

#define BLINK_VERSION "0.2.0"

#endif /* BLINK_VERSION_H */
