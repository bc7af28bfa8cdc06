// SPDX-License-Identifier: GPL-2.0
/*
 * Places that hinder the writer of a file: links of other users, limits, full and
 * forbidden directories, and each call that can fail. The old file must be unchanged
 * unless it was replaced, no temporary file may be left, and each failure is reported.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/blink_tree.h>

#include "../../tests/common/tap.h"
#include "../interrupt.h"
#include "../output.h"
#include "../util.h"
#include "../writer.h"
#include "wraps.h"

#define STRANGER 12345

static char work[32] = "/tmp/output_test.XXXXXX";
static bool is_root;

/* The call that fails next, of those that are wrapped, and its error; 0: none. */
static unsigned int fail_at;
static int fail_with;
static unsigned int calls;
static bool renamed;

/* A signal comes with the error. */
static bool signalling;

/* The file that takes the place of "link" when a link is read next; NULL: nothing. */
static const char *exchanged;

static bool fails(void)
{
	if (++calls != fail_at)
		return false;
	if (signalling)
		raise(SIGTERM);
	errno = fail_with;
	return true;
}

int __wrap_fsync(int fd)
{
	return fails() ? -1 : __real_fsync(fd);
}

/* Closing a directory loses nothing, nor a file that was never open. */
int __wrap_close(int fd)
{
	struct stat stat_;
	bool regular = !fstat(fd, &stat_) && S_ISREG(stat_.st_mode) &&
		       !(fcntl(fd, F_GETFL) & O_PATH);
	int ret = __real_close(fd);

	return regular && fails() ? -1 : ret;
}

int __wrap_renameat(int from_fd, const char *from, int to_fd, const char *to)
{
	if (fails() || __real_renameat(from_fd, from, to_fd, to))
		return -1;
	renamed = true;
	return 0;
}

/* A link is exchanged just before it is read. */
ssize_t __wrap_readlinkat(int fd, const char *path, char *text, size_t size)
{
	if (exchanged)
		tap_check(!renameat2(AT_FDCWD, "link", AT_FDCWD, exchanged,
				     RENAME_EXCHANGE));
	exchanged = NULL;
	return __real_readlinkat(fd, path, text, size);
}

/* Half of the bytes is no error. */
ssize_t __wrap_write(int fd, const void *bytes, size_t len)
{
	return fails() ? -1 : __real_write(fd, bytes, (len + 1) / 2);
}

static void skip(const char *name, const char *why)
{
	printf("ok %u %s # SKIP %s\n", ++tap_cases, name, why);
}

static void put(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	tap_check(file && fputs(text, file) >= 0 && !fclose(file));
}

static bool has(const char *path, const char *text)
{
	char bytes[100] = "";
	int fd = open(path, O_RDONLY);
	ssize_t nr, all = 0;

	/* A pipe returns what was written so far. */
	do {
		nr = read(fd, bytes + all, sizeof(bytes) - 1 - all);
		all += nr;
	} while (nr > 0);
	__real_close(fd);
	return !nr && !strcmp(bytes, text);
}

/* No file that begins like a temporary one is in a directory. */
static bool is_clean(const char *path)
{
	DIR *directory = opendir(path);
	const struct dirent *entry;
	bool clean = directory;

	while (clean && (entry = readdir(directory)))
		clean = strncmp(entry->d_name, ".blinktree-", 11);
	closedir(directory);
	return clean;
}

/* Write a file. Returns whether all went well. */
static bool save(const char *path)
{
	struct output *output = output_open(path, 0600);

	if (!output)
		return false;
	if (output_write(output, "new", 3))
		return output_commit(output);
	output_discard(output);
	return false;
}

/* An empty directory, which is the current one then. */
static void enter(const char *name, mode_t mode)
{
	tap_check(!chdir(work) && !mkdir(name, 0755) && !chmod(name, mode) &&
		  !chdir(name));
}

static void test_replaced(void)
{
	char longest[256];
	struct stat stat_;

	enter("replaced", 0755);
	put("file", "old");
	tap_check(save("file") && has("file", "new"));
	tap_check(!stat("file", &stat_) && (stat_.st_mode & 0777) == 0600);
	tap_check(save("./../replaced//other") && has("other", "new"));
	memset(longest, 'x', 255);
	longest[255] = '\0';
	tap_check(save(longest) && has(longest, "new"));
	tap_check(!save("") && !save(".") && !save("..") && !save("/") &&
		  !save("file/") && !save("none/file") && !save("file/file"));
	tap_check(is_clean("."));
	tap_case("a file is replaced, or created");
}

static void test_links(void)
{
	enter("links", 0755);
	tap_check(!mkdir("directory", 0755));
	put("directory/file", "old");
	tap_check(!symlink("directory/file", "link") &&
		  !symlink("../links/link", "twice") &&
		  !symlink("directory", "way") && !symlink("loop", "loop") &&
		  !symlink("directory/none", "dangling"));
	tap_check(save("twice") && has("directory/file", "new"));
	put("directory/file", "old");
	tap_check(save("way/file") && has("directory/file", "new"));
	tap_check(save("dangling") && has("directory/none", "new"));
	tap_check(!save("loop") && !save("loop/file"));
	tap_check(is_clean(".") && is_clean("directory"));
	tap_case("links of the caller are followed, and stay");
}

/* The link that is followed is the one whose owner was seen. */
static void test_exchanged(void)
{
	enter("exchanged", 0755);
	put("good", "old");
	put("victim", "old");
	tap_check(!symlink("good", "link") && !symlink("victim", "evil"));
	exchanged = "evil";
	tap_check(save("link") && !exchanged);
	tap_check(has("good", "new") && has("victim", "old"));
	tap_check(is_clean("."));
	tap_case("a link that is exchanged while it is followed");
}

/* A link or a pipe of another user, in a directory in which he can write. */
static void test_foreign(mode_t mode)
{
	enter(mode & S_ISVTX ? "sticky" : "open", mode);
	tap_check(!mkdir("../victim", 0755) || errno == EEXIST);
	put("../victim/file", "old");
	tap_check(!symlink("../victim/file", "link") &&
		  !symlink("../victim", "way") && !mkfifo("pipe", 0666) &&
		  !lchown("link", STRANGER, STRANGER) &&
		  !lchown("way", STRANGER, STRANGER) &&
		  !lchown("pipe", STRANGER, STRANGER));
	tap_check(!save("link"));
	if (mode & S_ISVTX)
		tap_check(!save("way/file") && !save("pipe"));
	tap_check(has("../victim/file", "old"));
	/* A file of another user is replaced, and never written. */
	put("file", "old");
	tap_check(!link("file", "same") && !chown("file", STRANGER, STRANGER));
	tap_check(save("file") && has("same", "old") && has("file", "new"));
	tap_check(is_clean(".") && is_clean("../victim"));
}

static void test_strangers(void)
{
	if (!is_root) {
		skip("a link of another user is not followed",
		     "only root can create it");
		return;
	}
	test_foreign(01777);
	test_foreign(0777);
	tap_case("a link of another user is not followed");
}

/* The same as another user, in a directory of root. */
static void test_forbidden(void)
{
	enter("forbidden", 0755);
	put("file", "old");
	tap_check(!chmod(".", 0555));
	tap_check(!is_root || !seteuid(STRANGER));
	tap_check(!save("file") && !save("other"));
	tap_check(!is_root || !seteuid(0));
	tap_check(has("file", "old") && is_clean("."));
	tap_check(!chmod(".", 0755));
	tap_case("a directory that is not the caller's stays");
}

/* A directory that can be written and searched but not read. */
static void test_unreadable(void)
{
	enter("unreadable", 0777);
	tap_check(!chmod(".", 0333));
	tap_check(!is_root || !seteuid(STRANGER));
	tap_check(save("file"));
	tap_check(!is_root || !seteuid(0));
	tap_check(!chmod(".", 0755) && has("file", "new") && is_clean("."));
	tap_case("a directory need not be readable");
}

/* The current directory plays no part in a path from the root. */
static void test_absolute(void)
{
	char path[64];

	enter("absolute", 0777);
	tap_check(!mkdir("closed", 0755) && !chdir("closed"));
	snprintf(path, sizeof(path), "%s/absolute/file", work);
	tap_check(!chmod(".", 0));
	tap_check(!is_root || !seteuid(STRANGER));
	tap_check(save(path) && !save("file"));
	tap_check(!is_root || !seteuid(0));
	tap_check(!chdir(work) && !chmod("absolute/closed", 0755));
	tap_check(has(path, "new"));
	tap_case("an absolute path from a closed directory");
}

static void test_too_big(void)
{
	struct rlimit limit, none = { .rlim_cur = 0 };

	enter("big", 0755);
	put("file", "old");
	tap_check(!getrlimit(RLIMIT_FSIZE, &limit));
	none.rlim_max = limit.rlim_max;
	signal(SIGXFSZ, SIG_DFL);
	/* The limit holds for standard output too. */
	fflush(stdout);
	tap_check(!setrlimit(RLIMIT_FSIZE, &none) && !save("file"));
	tap_check(!setrlimit(RLIMIT_FSIZE, &limit));
	tap_check(has("file", "old") && is_clean("."));
	tap_case("a file over the limit of the process");
}

/* A file system for one file of a few pages, in a namespace of its own. */
static void test_full(void)
{
	char bytes[4096] = "new";
	struct output *output;
	bool written = true;

	enter("full", 0755);
	if (unshare(CLONE_NEWNS) ||
	    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("none", "../full", "tmpfs", 0, "size=16k") ||
	    chdir("../full")) {
		skip("a full file system", "only root can mount one");
		return;
	}
	put("file", "old");
	output = output_open("file", 0600);
	while (written)
		written = output_write(output, bytes, sizeof(bytes));
	tap_check(output_position(output) >= sizeof(bytes));
	output_discard(output);
	tap_check(has("file", "old") && is_clean("."));
	tap_check(!chdir("..") && !umount("full"));
	tap_case("a full file system");
}

static void test_moved(void)
{
	struct output *output;

	enter("moved", 0755);
	tap_check(!mkdir("a", 0755) && !mkdir("trap", 0755));
	put("trap/file", "trap");
	output = output_open("a/file", 0600);
	tap_check(!rename("a", "b") && !symlink("trap", "a"));
	tap_check(output_write(output, "new", 3) && output_commit(output));
	tap_check(has("b/file", "new") && has("trap/file", "trap"));
	tap_check(is_clean("b") && is_clean("trap"));

	/* Someone removes the directory, with the temporary file. */
	output = output_open("b/file", 0600);
	tap_check(!system("rm -r b"));
	tap_check(output_write(output, "new", 3) && !output_commit(output));
	tap_case("a directory that gets another name, or vanishes");
}

static void test_direct(void)
{
	pid_t child;
	int status;

	enter("direct", 0755);
	tap_check(!save("/dev/full") && save("/dev/null"));
	tap_check(!mkfifo("pipe", 0600));
	child = fork();
	if (!child)
		_exit(!has("pipe", "new"));
	tap_check(save("pipe") && waitpid(child, &status, 0) == child &&
		  !status);
	tap_check(output_is_standard("-") &&
		  output_is_standard("/dev/stdout") &&
		  !output_is_standard("standard"));
	tap_check(is_clean("."));
	tap_case("pipes and devices are written directly");
}

/* Save with the call at @at failing. Returns whether there was such a call. */
static bool save_failing(unsigned int at, int error, unsigned int *failed)
{
	bool saved, fired;

	put("file", "old");
	renamed = false;
	calls = 0;
	fail_at = at;
	fail_with = error;
	saved = save("file");
	fired = calls >= at;
	fail_at = 0;
	*failed += !saved;
	tap_check(has("file", renamed ? "new" : "old") && is_clean("."));
	tap_check(renamed || !saved);
	tap_check(fired || saved);
	/* No error: a directory that cannot be flushed alone, and a write again. */
	tap_check(!fired || !saved || error == EINVAL || error == EINTR);
	return fired;
}

static void test_failures(void)
{
	static const int errors[] = { EIO, ENOSPC, EDQUOT, EINVAL, EINTR };
	unsigned int at, failed;
	size_t i;

	enter("failures", 0755);
	for (i = 0; i < ARRAY_SIZE(errors); i++) {
		at = 1;
		failed = 0;
		while (save_failing(at, errors[i], &failed))
			at++;
		tap_check(at > 6 && failed > 4);
	}
	tap_case("each call that fails is told");
}

/* Dump entries until the second call fails. Returns whether it was the last one. */
static bool stops(enum format format)
{
	struct writer *writer = writer_open("file", format, false, 0);
	static unsigned char bytes[VALUE_BYTES_MAX];
	static struct entry entry;
	bool last;

	memset(bytes, '"', sizeof(bytes));
	key_set(&entry.key, BLINK_TREE_KEY_BYTES, bytes, KEY_BYTES_MAX);
	value_set(&entry.value, VALUE_BYTES, bytes, sizeof(bytes));
	calls = 0;
	fail_at = 2;
	while (writer_put(writer, &entry))
		;
	last = calls == fail_at;
	/* The temporary file is closed too. */
	return !writer_close(writer, false) && last && calls == fail_at + 1;
}

/* A full pipe makes each other call wait, and a full disk gives each its message. */
static void test_stopped(void)
{
	static const enum format formats[] = { FORMAT_TEXT, FORMAT_CSV };
	pid_t child;
	int status;
	size_t i;

	enter("stopped", 0755);
	for (i = 0; i < 2 * ARRAY_SIZE(formats); i++) {
		child = fork();
		if (!child) {
			signalling = i / ARRAY_SIZE(formats);
			fail_with = signalling ? EINTR : ENOSPC;
			interrupt_catch();
			_exit(!stops(formats[i % ARRAY_SIZE(formats)]));
		}
		tap_check(waitpid(child, &status, 0) == child && !status);
	}
	tap_check(is_clean("."));
	tap_case("nothing is written after an error or a signal");
}

int main(void)
{
	const unsigned int planned = 13;

	is_root = !geteuid();
	if (!mkdtemp(work) || chmod(work, 0755) ||
	    !freopen("/dev/null", "w", stderr))
		return 1;
	umask(022);
	tap_begin(planned);
	test_replaced();
	test_links();
	test_exchanged();
	test_strangers();
	test_forbidden();
	test_unreadable();
	test_absolute();
	test_too_big();
	test_moved();
	test_direct();
	test_failures();
	test_stopped();
	test_full();
	if (chdir("/") || fork() == 0)
		execlp("rm", "rm", "-r", work, NULL);
	return tap_exit(planned);
}
