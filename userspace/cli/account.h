/* SPDX-License-Identifier: GPL-2.0 */
/* Users, by name or by number. */
#ifndef BLINKTREE_CLI_ACCOUNT_H
#define BLINKTREE_CLI_ACCOUNT_H

#include <stdbool.h>
#include <sys/types.h>

#include <linux/types.h>

/**
 * struct account - a user
 * @name: the text on the command line
 * @uid: the number
 * @gid: the primary group; that of the caller if the system does not know the user
 */
struct account {
	const char *name;
	uid_t uid;
	gid_t gid;
};

/* Read the number of a user or a group. The system need not know it. */
bool account_number(const char *text, __u32 *id);

/* Find the user that --owner names. False after a message. */
bool account_find(const char *text, struct account *account);

/*
 * Act as a user, for example to create a tree that is charged to him. False after a
 * message.
 */
bool account_become(const struct account *account);

/* Act as before account_become(). Ends the program if this is impossible. */
void account_return(void);

#endif /* BLINKTREE_CLI_ACCOUNT_H */
