// SPDX-License-Identifier: GPL-2.0
/* Users (account.h). The real and the saved user remain those of the caller. */
#include <errno.h>
#include <pwd.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "account.h"
#include "message.h"
#include "number.h"

static uid_t caller_uid;
static gid_t caller_gid;

bool account_number(const char *text, __u32 *id)
{
	__u64 number;

	if (number_parse(text, strlen(text), &number) || number >= UINT32_MAX)
		return false;
	*id = number;
	return true;
}

bool account_find(const char *text, struct account *account)
{
	const struct passwd *user = getpwnam(text);

	*account = (struct account){ .name = text, .gid = getegid() };
	if (!user && !account_number(text, &account->uid)) {
		message("--owner %s: no such user", text);
		return false;
	}
	user = user ?: getpwuid(account->uid);
	if (user) {
		account->uid = user->pw_uid;
		account->gid = user->pw_gid;
	}
	return true;
}

bool account_become(const struct account *account)
{
	caller_uid = geteuid();
	caller_gid = getegid();
	if (account->uid == caller_uid)
		return true;
	if (!setegid(account->gid) && !seteuid(account->uid))
		return true;
	message("--owner %s: only root can create a tree of another user: %s",
		account->name, strerror(errno));
	account_return();
	return false;
}

void account_return(void)
{
	if (seteuid(caller_uid) || setegid(caller_gid))
		abort();
}
