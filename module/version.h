/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The version of the project, in its only place: everything that needs it reads
 * this line. Makefiles do so by version.mk. CHANGELOG.md has an entry for it.
 */
#ifndef BLINK_VERSION_H
#define BLINK_VERSION_H

#define BLINK_VERSION "0.2.0"

#endif /* BLINK_VERSION_H */
