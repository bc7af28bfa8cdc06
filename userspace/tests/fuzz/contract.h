/* SPDX-License-Identifier: GPL-2.0 */
/* The calls that the tests of the contract make: results are as in the kernel. */
#ifndef FUZZ_CONTRACT_H
#define FUZZ_CONTRACT_H

#include <linux/blink_tree.h>

#include "host.h"
#include "program.h"

/* The device, opened for reading and writing. */
extern int device;

/* Set up the module, open the device. */
void contract_begin(void);

/* Where arrays go: zeroed, and big enough for any here. */
__u64 array_address(void);
void *array(size_t bytes);

/* An ioctl with a structure that is in the memory of user space meanwhile. */
long call(int fd, unsigned int cmd, void *arg);
long call_at(enum place place, int fd, unsigned int cmd, void *arg);
/* Execute the stream at @input; @room bytes of results are wanted at @output. */
long call_records(int tree, const void *input, size_t size, void *output,
		  size_t room, struct blink_tree_ioc_records *arg);
long create(const char *name, unsigned int mode);
long open_tree(const char *name, unsigned int flags);
long unlink_tree(const char *name);
long attr_of(int tree, struct blink_tree_ioc_attr *arg);
/* As the user @uid. */
long set_attr(int tree, unsigned int uid, struct blink_tree_ioc_attr how);

/* Cases: calls that end half-way, or are done in pieces; contract_partial.c. */
void second_chunks(void);
void loaded_in_any_order(void);
void halves(void);
void levels_add_up(void);
void given_to_a_worker(void);

/* Case: O_NONBLOCK; contract_nonblock.c. */
void nothing_waits(void);

/* Cases: the access of descriptors; contract_access.c. */
void access_by_cells(void);
void erase_tells_no_key(void);

/* Cases: the rights of users; contract_rights.c. */
void rights_by_cells(void);
void attributes(void);
void attributes_all_or_none(void);
void list_tells_what_may_be_read(void);
void three_names(void);

/* contract_names.c */
void names_of_namespaces(void);
void owners_demanded(void);

/* Cases: how much memory trees may take; contract_limits.c. */
void owner_sets_limits(void);
void limit_of_the_tree(void);
void limit_of_the_user(void);
void limit_of_all_trees(void);
void reserve_of_services(void);
void users_are_shown(void);
void shares_become_bytes(void);
void objects_are_charged(void);
void users_of_namespaces(void);
void creator_pays(void);

/* Cases: streams of records, in trees of all kinds; contract_records.c. */
void records_malformed(void);
void fields_refused(void);
void records_in_order(void);
void kinds_created(void);
void words_refused(void);
void arguments_refused(void);

/* Cases: operations on keys and values; contract_operations.c. */
void operations_of_all_ways(void);
void operations_on_many_keys(void);
void operations_on_pairs(void);
void full_trees(void);

/* Cases: commits; contract_commit.c. */
void commits_of_records(void);
void commits_of_pairs(void);
void commits_of_batches(void);
void ranges_of_keys(void);
void ranges_of_a_full_tree(void);
void parts_of_ranges(void);

/* Cases: calls that end early, and loads; contract_cut.c. */
void records_cut(void);
void loads_cut(void);

/* Cases: ranges, and a model; contract_ranges.c. */
void ranges_bounded(void);
void operations_at_random(void);

/* Cases: reports of what happens in a tree; contract_reports.c. */
void reads_counted(void);
void hot_leaves_told(void);
void hot_leaves_refused(void);
void levels_of_copies(void);

/* Cases: handles for BPF programs; contract_handles.c. */
void handles_malformed(void);
void handles_end(void);
void handles_unforeseeable(void);
void handles_have_access(void);

/* Cases: functions that BPF programs call; contract_programs.c. */
void programs_read(void);
void programs_read_bytes(void);
void programs_modify(void);

#endif /* FUZZ_CONTRACT_H */
