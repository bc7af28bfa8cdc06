/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The programs that a fuzzer executes.
 *
 * A *program* is a sequence of *calls*. A call is of a *kind*, one of our ioctls
 * or another system call, works on the descriptor in a *slot* and is made by
 * the thread of its *lane*; calls of two lanes run side by side. An ioctl's
 * structure is made of *values*, one for each *field* that the kind has, and
 * lies at a *place* in memory; so does an array, of which further values, a
 * *recipe*, say what is in it.
 */
#ifndef FUZZ_PROGRAM_H
#define FUZZ_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <linux/types.h>

#define CALLS_MAX 24
#define VALUES 12
#define SLOTS 8
#define LANES 2

/* The device is always in this slot. */
#define SLOT_DEVICE 0

enum kind {
	CALL_INFO,
	CALL_CREATE,
	CALL_OPEN,
	CALL_UNLINK,
	CALL_LIST,
	CALL_OP,
	CALL_BATCH,
	CALL_SCAN,
	CALL_STATS,
	CALL_VERIFY,
	CALL_LOAD,
	CALL_LEVELS,
	CALL_ATTR,
	CALL_RECORDS,
	CALL_RECORD_SCAN,
	CALL_RECORD_ERASE,
	CALL_BPF_HANDLE,
	CALL_WATCH,
	CALL_HOT_LEAVES,
	CALL_RANGE,
	/* An ioctl by any number. */
	CALL_RAW,
	CALL_READ,
	CALL_WRITE,
	CALL_SEEK,
	CALL_POLL,
	CALL_MMAP,
	CALL_FDINFO,
	CALL_DUP,
	CALL_CLOSE,
	/* Send a descriptor by a socket, and receive it. */
	CALL_PASS,
	/* A signal soon, for whatever is under way then. */
	CALL_ALARM,
	/* The next ioctl of this lane fails at one of its fault points. */
	CALL_FAIL,
	/* Change the protection of a page that others may be passing. */
	CALL_PROTECT,
	KINDS
};

/* Where a structure or an array is. */
enum place {
	/* Memory for both, apart from each other. */
	PLACE_START,
	/* The last byte is the last one before memory that is not there. */
	PLACE_END,
	/* Half of it is not there. */
	PLACE_ACROSS,
	PLACE_READ_ONLY,
	PLACE_NOT_THERE,
	PLACE_NULL,
	PLACE_KERNEL,
	/* At the end of all addresses that a process may have. */
	PLACE_LAST,
	/* Where an address plus a length wraps. */
	PLACE_WRAP,
	/* An array in the structure's place; a structure in the array's. */
	PLACE_SAME,
	/* Memory of the other lane. */
	PLACE_OTHER,
	/* There, but for a page fault. */
	PLACE_FRESH,
	PLACES
};

/* The meaning of a field, so that values can be found that make sense. */
enum field_class {
	FIELD_ZERO,
	FIELD_FLAGS,
	FIELD_WORD,
	FIELD_COUNT,
	FIELD_KEY,
	FIELD_NAME,
	FIELD_MODE,
	FIELD_LIMIT,
	FIELD_OPS,
	FIELD_ENTRIES,
	FIELD_LISTED,
	FIELD_LEVELS,
	FIELD_LEAVES,
	FIELD_BASE,
	FIELD_STEP,
	FIELD_MIX,
	FIELD_SMALL,
	FIELD_BYTES,
	/* A stream of records: where it is, how many records and bytes more it has. */
	FIELD_INPUT,
	FIELD_INPUT_SIZE,
	/* A byte of a record that is not as it should be, the forms of keys and values. */
	FIELD_LIE,
	/* The room for a stream. */
	FIELD_OUTPUT,
	FIELD_OUTPUT_SIZE,
	/* The bounds of a range, their lengths, and from which keys they are made. */
	FIELD_FIRST,
	FIELD_LAST,
	FIELD_LENGTH,
	FIELD_BOUND,
};

/* A value of FIELD_INPUT_SIZE: the number of records, and the bytes more. */
#define STREAM_MORE_SHIFT 32

/*
 * A value of FIELD_LIE: the form of keys, and that of values; which record lies, at which
 * byte of it, and in which bits of this byte, if in any.
 */
#define LIE_FORM 0xf
#define LIE_VALUE_SHIFT 4
#define LIE_RECORD_SHIFT 8
#define LIE_OFFSET_SHIFT 16
#define LIE_BITS_SHIFT 24

/* A value of FIELD_BOUND: the number of the key, and its form. */
#define BOUND_FORM_SHIFT 60

/* The forms that a key can have, of which its number and its form tell all bytes. */
enum key_form {
	/* A number of 8 bytes, most significant byte first, and one of 16. */
	FORM_NUMBER,
	FORM_WIDE,
	/* The number without the bytes before its last one or two. */
	FORM_SHORT,
	/* The number behind many equal bytes: the longest key, and half of it. */
	FORM_LONG,
	FORM_HALF,
	/* As many equal bytes as the number says: one of three, or the greatest. */
	FORM_ZEROS,
	FORM_LETTERS,
	FORM_ONES,
	/* Lengths at the greatest one, and beyond. */
	FORM_TOO_LONG,
	KEY_FORMS
};

/* The forms that a value can have, of which its number and its form tell all bytes. */
enum value_form {
	/* A number of 8 bytes. */
	VALUE_NUMBER,
	VALUE_EMPTY,
	/* Fewer bytes than a word, or some more. */
	VALUE_SHORT,
	/* As many bytes as the number says, or the most that there can be. */
	VALUE_ANY,
	VALUE_LONGEST,
	/* Lengths at the greatest one, and beyond. */
	VALUE_TOO_LONG,
	VALUE_FORMS
};

/**
 * struct field - the use of a value of a call
 * @class: its meaning
 * @offset: where it is in the structure
 * @bytes: its size there, 0 if it is not in there
 * @usual: greatest usual value, or the usual bits
 */
struct field {
	enum field_class class;
	unsigned short offset;
	unsigned short bytes;
	__u64 usual;
};

/**
 * struct kind_spec - the properties of a kind of call
 * @name: how it is written
 * @cmd: the ioctl, 0 if it is none of ours
 * @bytes: size of its structure
 * @nr: number of values
 * @fields: their uses
 */
struct kind_spec {
	const char *name;
	unsigned int cmd;
	unsigned int bytes;
	unsigned int nr;
	struct field fields[VALUES];
};

/**
 * struct call - one call
 * @kind: enum kind
 * @compat: an ioctl as a 32-bit process makes it
 * @lane: the thread that makes it
 * @slot: where its descriptor is
 * @to: where a descriptor goes that it returns
 * @place: enum place, of the structure
 * @tail: the value of each byte that the structure has more than we know
 * @size: how large the structure is said to be
 * @value: by field
 */
struct call {
	__u8 kind;
	__u8 compat;
	__u8 lane;
	__u8 slot;
	__u8 to;
	__u8 place;
	__u8 tail;
	__u16 size;
	__u64 value[VALUES];
};

struct program {
	unsigned int nr;
	struct call calls[CALLS_MAX];
};

extern const struct kind_spec kind_specs[KINDS];

/* Whether a call returns a new descriptor. */
static inline bool kind_opens(unsigned int kind)
{
	return kind == CALL_CREATE || kind == CALL_OPEN || kind == CALL_WATCH;
}

/* text.c: programs as people can read them, separated by empty lines. */
extern const char *const place_names[PLACES];

/*
 * Read the next program.
 * Return: 1; 0 at the end; -1, and @line says where, if it is none.
 */
int program_read(struct program *program, FILE *file, unsigned int *line);
void program_write(const struct program *program, FILE *file);

/* mutate.c: new programs from nothing, or from others. */
void program_generate(struct program *program, __u64 *random);

/* A value that the kernel compared with another one. */
struct hint {
	__u64 have;
	__u64 want;
};

/**
 * struct donors - the sources that mutations may take from
 * @other: another program, or NULL
 * @hints: see there; they may be none
 * @nr_hints: how many
 */
struct donors {
	const struct program *other;
	const struct hint *hints;
	unsigned int nr_hints;
};

void program_mutate(struct program *program, const struct donors *donors,
		    __u64 *random);

/* Put what a value was compared with in its place; false if no call has it. */
bool program_apply_hint(struct program *program, const struct hint *hint,
			__u64 *random);

/* Whether any call is of the second lane. */
bool program_is_parallel(const struct program *program);

#endif /* FUZZ_PROGRAM_H */
