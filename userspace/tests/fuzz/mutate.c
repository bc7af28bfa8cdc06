// SPDX-License-Identifier: GPL-2.0
/*
 * New programs. Most of what is made up makes sense, so that calls get far;
 * each choice that does not is rare by itself, so that it stands alone.
 */
#include <string.h>

#include <linux/blink_tree.h>

#include "program.h"
#include "random.h"

/* Which values of a CALL_CREATE are the flags and the kind of the keys. */
#define FLAGS 0
#define KEY_KIND 8

static __u64 pick(__u64 *random, const __u64 *from, size_t nr)
{
	return from[random_below(random, nr)];
}

#define PICK(random, from) pick(random, from, sizeof(from) / sizeof(*(from)))

static __u64 odd_number(__u64 *random)
{
	static const __u64 odd[] = {
		0,	    1,		2,	    0x7f,	0xff,
		0x100,	    0xffff,	0x10000,    0x7ffffff,	0x8000000,
		0x7fffffff, 0x80000000, 0xffffffff, 1ULL << 32, 1ULL << 58,
		1ULL << 60, 1ULL << 63, ~0ULL >> 1, ~0ULL - 1,	~0ULL,
	};

	if (one_in(random, 3))
		return random_next(random);
	return PICK(random, odd) +
	       (one_in(random, 4) ? random_below(random, 9) : 0);
}

/* Few keys, so that calls meet; many now and then, so that nodes split. */
static __u64 make_key(__u64 *random)
{
	switch (random_below(random, 8)) {
	case 0:
		return odd_number(random);
	case 1:
		return random_below(random, 65536);
	default:
		return random_below(random, 600);
	}
}

/* Long arrays take long: enough of them for a tree to grow, and no more. */
static __u64 make_count(__u64 *random)
{
	switch (random_below(random, 16)) {
	case 0:
		return odd_number(random);
	case 1:
		return random_below(random, 700);
	case 2:
	case 3:
	case 4:
		return random_below(random, 80);
	default:
		return random_below(random, 10);
	}
}

static __u64 make_mode(__u64 *random)
{
	static const __u64 modes[] = { 0, 0600, 0640, 0644, 0666, 0777, 01000 };

	return PICK(random, modes);
}

static __u64 make_step(__u64 *random)
{
	static const __u64 steps[] = { 0, 1, 1,	    1,	   2,
				       3, 7, 0x101, ~0ULL, ~0ULL - 2 };

	return one_in(random, 8) ? random_next(random) : PICK(random, steps);
}

static __u64 make_place(__u64 *random)
{
	return one_in(random, 4) ? random_below(random, PLACES) : PLACE_START;
}

/* The low byte is a place, the rest moves the address on. */
static __u64 make_pointer(__u64 *random)
{
	__u64 place = make_place(random);

	return one_in(random, 8) ? place | random_below(random, 9000) << 8 :
				   place;
}

/* The size of an element: that of today, of earlier and of later days. */
static __u64 make_bytes(__u64 usual, __u64 *random)
{
	switch (random_below(random, 8)) {
	case 0:
		return odd_number(random);
	case 1:
		return random_below(random, 2 * usual);
	case 2:
		return random_below(random, 4200);
	default:
		return usual;
	}
}

/* Whole records, and sometimes some bytes more, or fewer. */
static __u64 make_stream_size(__u64 *random)
{
	__u64 more = one_in(random, 6) ? random_below(random, 80) : 0;

	if (one_in(random, 24))
		more = random_next(random);
	return make_count(random) | more << STREAM_MORE_SHIFT;
}

static __u64 make_form(__u64 *random)
{
	return random_below(random, one_in(random, 2) ? KEY_FORMS : 2);
}

/* The length of a bound: that of a number, or any that a string can have. */
static __u64 make_length(__u64 *random)
{
	static const __u64 lengths[] = {
		0, 0, 0, 1, 2, 3, 8, 8, 16, 1023, 1024
	};

	switch (random_below(random, 12)) {
	case 0:
		return odd_number(random);
	case 1:
		return random_below(random, 17);
	case 2:
		return random_below(random, BLINK_TREE_RECORD_KEY_MAX + 1);
	default:
		return PICK(random, lengths);
	}
}

/* Room for some results, or for about the longest one. */
static __u64 make_output_size(__u64 *random)
{
	static const __u64 longest[] = { 4120, 4128, 4136, 5144, 5600 };

	if (one_in(random, 2))
		return make_count(random) * 24;
	return PICK(random, longest) + random_below(random, 3) - 1;
}

/* A byte of the header, or behind it, of one of the first records. */
static __u64 make_lie(__u64 *random)
{
	static const __u64 bits[] = { 1, 4, 8, 0x10, 0x80, 0xff };
	__u64 form = make_form(random);

	if (one_in(random, 2))
		form |= random_below(random, VALUE_FORMS) << LIE_VALUE_SHIFT;
	if (!one_in(random, 4))
		return form;
	return form | random_below(random, 4) << LIE_RECORD_SHIFT |
	       random_below(random, 48) << LIE_OFFSET_SHIFT |
	       PICK(random, bits) << LIE_BITS_SHIFT;
}

static __u64 make_value(const struct field *field, __u64 *random)
{
	switch (field->class) {
	case FIELD_ZERO:
		return one_in(random, 24) ? odd_number(random) : 0;
	case FIELD_FLAGS:
		if (one_in(random, 24))
			return odd_number(random);
		return field->usual ? random_next(random) & field->usual : 0;
	case FIELD_WORD:
		if (one_in(random, 32))
			return odd_number(random);
		return random_below(random, field->usual + 1);
	case FIELD_SMALL:
		if (one_in(random, 12))
			return odd_number(random);
		return one_in(random, 3) ?
			       field->usual :
			       random_below(random, field->usual + 1);
	case FIELD_BYTES:
		return make_bytes(field->usual, random);
	case FIELD_COUNT:
		return make_count(random);
	case FIELD_KEY:
	case FIELD_BASE:
		return make_key(random);
	case FIELD_NAME:
		return random_below(random, one_in(random, 4) ? 10 : 3);
	case FIELD_MODE:
		return one_in(random, 24) ? odd_number(random) :
					    make_mode(random);
	case FIELD_LIMIT:
		return one_in(random, 3) ? make_count(random) : 0;
	case FIELD_STEP:
		return make_step(random);
	case FIELD_MIX:
		return random_below(random, field->usual + 3);
	case FIELD_INPUT_SIZE:
		return make_stream_size(random);
	case FIELD_OUTPUT_SIZE:
		return make_output_size(random);
	case FIELD_LIE:
		return make_lie(random);
	case FIELD_LENGTH:
		return make_length(random);
	case FIELD_BOUND:
		return (make_key(random) & ~(15ULL << BOUND_FORM_SHIFT)) |
		       make_form(random) << BOUND_FORM_SHIFT;
	case FIELD_OPS:
	case FIELD_ENTRIES:
	case FIELD_LISTED:
	case FIELD_LEVELS:
	case FIELD_LEAVES:
	case FIELD_INPUT:
	case FIELD_OUTPUT:
	case FIELD_FIRST:
	case FIELD_LAST:
		return make_pointer(random);
	}
	return 0;
}

static __u16 make_size(const struct kind_spec *spec, __u64 *random)
{
	switch (random_below(random, 24)) {
	case 0:
		return random_below(random, spec->bytes + 40);
	case 1:
		return (spec->bytes + random_below(random, 64)) & 0x3fff;
	case 2:
		return random_next(random) & 0x3fff;
	default:
		return spec->bytes;
	}
}

/* Any kind of call, the common ones more often. */
static enum kind make_kind(__u64 *random)
{
	static const __u8 common[] = {
		CALL_CREATE,	  CALL_CREATE,	     CALL_OPEN,
		CALL_UNLINK,	  CALL_LIST,	     CALL_OP,
		CALL_OP,	  CALL_OP,	     CALL_BATCH,
		CALL_BATCH,	  CALL_BATCH,	     CALL_BATCH,
		CALL_SCAN,	  CALL_SCAN,	     CALL_LOAD,
		CALL_LOAD,	  CALL_STATS,	     CALL_LEVELS,
		CALL_ATTR,	  CALL_VERIFY,	     CALL_DUP,
		CALL_FAIL,	  CALL_RECORD_ERASE, CALL_RECORDS,
		CALL_RECORDS,	  CALL_RECORDS,	     CALL_RECORDS,
		CALL_RECORD_SCAN, CALL_RECORD_SCAN,  CALL_RECORD_ERASE,
		CALL_HOT_LEAVES,  CALL_RANGE,	     CALL_RANGE,
		CALL_RANGE,
	};

	if (one_in(random, 5))
		return random_below(random, KINDS);
	return common[random_below(random, sizeof(common))];
}

static bool is_control(enum kind kind)
{
	return kind <= CALL_LIST;
}

static void make_call(struct call *call, __u64 *random)
{
	const struct kind_spec *spec;
	unsigned int i;

	memset(call, 0, sizeof(*call));
	call->kind = make_kind(random);
	spec = &kind_specs[call->kind];
	call->compat = one_in(random, 12);
	/* Few slots are in use most of the time, so that they hold something. */
	call->slot =
		1 + random_below(random, one_in(random, 4) ? SLOTS - 1 : 2);
	if (is_control(call->kind) != one_in(random, 40))
		call->slot = SLOT_DEVICE;
	call->to = 1 + random_below(random, one_in(random, 4) ? SLOTS - 1 : 2);
	call->place = one_in(random, 3) ? make_place(random) : PLACE_START;
	call->size = make_size(spec, random);
	call->tail = one_in(random, 4) ? random_next(random) : 0;
	for (i = 0; i < spec->nr; i++)
		call->value[i] = make_value(&spec->fields[i], random);
}

void program_generate(struct program *program, __u64 *random)
{
	bool parallel = one_in(random, 4);
	unsigned int i;

	program->nr = 2 + random_below(random, 12);
	for (i = 0; i < program->nr; i++) {
		struct call *call = &program->calls[i];

		make_call(call, random);
		if (!i) {
			call->kind = CALL_CREATE;
			call->slot = SLOT_DEVICE;
			call->size = kind_specs[CALL_CREATE].bytes;
			memset(call->value, 0, sizeof(call->value));
			call->value[KEY_KIND] =
				random_below(random, one_in(random, 2) ? 4 : 1);
			if (one_in(random, 3))
				call->value[FLAGS] =
					BLINK_TREE_CREATE_BYTE_VALUES;
		}
		call->lane = parallel && i > 1 && one_in(random, 2);
	}
}

static void insert_call(struct program *program, const struct call *call,
			unsigned int at)
{
	if (program->nr == CALLS_MAX)
		return;
	memmove(&program->calls[at + 1], &program->calls[at],
		(program->nr - at) * sizeof(*call));
	program->calls[at] = *call;
	program->nr++;
}

static void remove_call(struct program *program, unsigned int at)
{
	if (program->nr == 1)
		return;
	program->nr--;
	memmove(&program->calls[at], &program->calls[at + 1],
		(program->nr - at) * sizeof(program->calls[0]));
}

static void insert_new(struct program *program, __u64 *random)
{
	struct call call;

	make_call(&call, random);
	call.lane = program_is_parallel(program) && one_in(random, 2);
	insert_call(program, &call, random_below(random, program->nr + 1));
}

/* Go on as another program does. */
static void splice(struct program *program, const struct program *other,
		   __u64 *random)
{
	unsigned int from = random_below(random, other->nr);

	program->nr = 1 + random_below(random, program->nr);
	while (from < other->nr && program->nr < CALLS_MAX)
		program->calls[program->nr++] = other->calls[from++];
}

/* Replace the first @hint->have, from some field on; false if there is none. */
static bool apply_hint(struct call *call, const struct hint *hint,
		       unsigned int first)
{
	unsigned int nr = kind_specs[call->kind].nr, i;

	for (i = 0; i < nr; i++) {
		__u64 *value = &call->value[(first + i) % nr];

		if (*value == hint->have) {
			*value = hint->want;
			return true;
		}
	}
	if (call->size == hint->have) {
		call->size = hint->want & 0x3fff;
		return true;
	}
	return false;
}

/* Put what the kernel compared a value with in the place of the value. */
static bool take_hint(struct call *call, const struct donors *donors,
		      __u64 *random)
{
	unsigned int nr = donors->nr_hints, from, first, i;

	if (!nr)
		return false;
	/* Few fit: from a random one on, look for one. */
	from = random_below(random, nr);
	first = random_below(random, VALUES);
	for (i = 0; i < nr; i++) {
		if (apply_hint(call, &donors->hints[(from + i) % nr], first))
			return true;
	}
	return false;
}

bool program_apply_hint(struct program *program, const struct hint *hint,
			__u64 *random)
{
	unsigned int from = random_below(random, program->nr), i;
	unsigned int first = random_below(random, VALUES);

	for (i = 0; i < program->nr; i++) {
		if (apply_hint(&program->calls[(from + i) % program->nr], hint,
			       first))
			return true;
	}
	return false;
}

static void change_value(struct call *call, __u64 *random)
{
	const struct kind_spec *spec = &kind_specs[call->kind];
	unsigned int i;

	if (!spec->nr)
		return;
	i = random_below(random, spec->nr);
	switch (random_below(random, 6)) {
	case 0:
		call->value[i] += random_below(random, 33) - 16;
		break;
	case 1:
		call->value[i] ^= 1ULL << random_below(random, 64);
		break;
	case 2:
		call->value[i] = odd_number(random);
		break;
	default:
		call->value[i] = make_value(&spec->fields[i], random);
	}
}

static void change_call(struct call *call, __u64 *random)
{
	switch (random_below(random, 8)) {
	case 0:
		call->slot = random_below(random, SLOTS);
		break;
	case 1:
		call->to = random_below(random, SLOTS);
		break;
	case 2:
		call->place = random_below(random, PLACES);
		break;
	case 3:
		call->size = make_size(&kind_specs[call->kind], random);
		break;
	case 4:
		call->tail = random_next(random);
		break;
	case 5:
		call->compat ^= 1;
		break;
	case 6:
		call->lane ^= 1;
		break;
	default:
		call->size = kind_specs[call->kind].bytes;
		call->place = PLACE_START;
	}
}

static void mutate_once(struct program *program, const struct donors *donors,
			__u64 *random)
{
	unsigned int at = random_below(random, program->nr);
	struct call *call = &program->calls[at];

	switch (random_below(random, 16)) {
	case 0:
	case 1:
	case 2:
		insert_new(program, random);
		break;
	case 3:
		remove_call(program, at);
		break;
	case 4:
		insert_call(program,
			    &(struct call){ .kind = CALL_FAIL,
					    .lane = call->lane,
					    .value[0] =
						    random_below(random, 24) },
			    at);
		break;
	case 5: {
		struct call copy = *call;

		insert_call(program, &copy, random_below(random, program->nr));
		break;
	}
	case 6:
		if (donors->other && donors->other->nr)
			splice(program, donors->other, random);
		break;
	case 7:
	case 8:
		change_call(call, random);
		break;
	case 9:
	case 10:
		if (!take_hint(call, donors, random))
			change_value(call, random);
		break;
	default:
		change_value(call, random);
	}
}

void program_mutate(struct program *program, const struct donors *donors,
		    __u64 *random)
{
	unsigned int more = 4;

	do {
		mutate_once(program, donors, random);
	} while (--more && !one_in(random, 2));
}
