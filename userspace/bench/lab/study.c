// SPDX-License-Identifier: GPL-2.0
/* figure and run: plan studies, measure them, and print the results. */
#include <json-c/json.h>
#include <linux/types.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "backend.h"
#include "lists.h"
#include "study.h"

#define ROUNDS 5
#define QUICK_ROUNDS 3
#define FIGURES_MAX 64

/* The studies of a command line. */
struct studies {
	struct study study[FIGURES_MAX];
	size_t nr;
};

static void free_studies(struct studies *studies)
{
	while (studies->nr)
		study_free(&studies->study[--studies->nr]);
}

static void print_plan(const struct studies *studies)
{
	char order[ORDER_MAX];
	size_t i, j;

	for (i = 0; i < studies->nr; i++) {
		for (j = 0; j < studies->study[i].nr; j++) {
			point_order(&studies->study[i].cell[j].point, order);
			puts(order);
		}
	}
}

static u64 count_points(const struct studies *studies)
{
	u64 points = 0;
	size_t i;

	for (i = 0; i < studies->nr; i++)
		points += studies->study[i].nr;
	return points;
}

/* The greatest status of all studies; those after a signal are not measured. */
static enum status measure_all(struct studies *studies, struct plan *plan,
			       struct json_object *json, struct printer *out)
{
	enum status status = STATUS_OK, last;
	size_t i;

	for (i = 0; i < studies->nr && status != STATUS_INTERRUPTED; i++) {
		last = study_measure(&studies->study[i], plan);
		if (last > status)
			status = last;
		json_add(json, &studies->study[i]);
		if (!plan->args->json)
			table_print(&studies->study[i], out);
	}
	return status;
}

static enum status measure(struct studies *studies, const struct args *args,
			   struct printer *out)
{
	struct plan plan = {
		.args = args,
		.rounds = args->lab.rounds	  ?:
				  args->lab.quick ? QUICK_ROUNDS :
						    ROUNDS,
	};
	enum status status = backend_open(args), written = STATUS_OK;
	struct json_object *json;

	if (status)
		return status;
	json = json_begin(&plan);
	rounds_catch_signals();
	progress_start(&plan.progress, plan.rounds * count_points(studies));
	status = measure_all(studies, &plan, json, out);
	backend_close();
	if (args->lab.json)
		written = json_write(json, args->lab.json, true);
	if (args->json)
		json_write(json, NULL, args->pretty);
	json_object_put(json);
	return written > status ? written : status;
}

static enum status plan_or_measure(struct studies *studies,
				   const struct args *args, struct printer *out)
{
	enum status status = STATUS_OK;

	if (args->lab.plan)
		print_plan(studies);
	else
		status = measure(studies, args, out);
	free_studies(studies);
	return status;
}

static bool add_study(struct studies *studies, const struct figure *figure,
		      const struct args *args)
{
	return study_plan(&studies->study[studies->nr++], figure, args);
}

enum status run_lab_figure(const struct args *args, struct printer *out)
{
	struct studies studies = {};
	const struct figure *figure;
	bool good = true;
	size_t i;

	for (figure = figures; figure->name && good; figure++) {
		for (i = 0; i < args->nr; i++) {
			if (strcmp(args->words[i], "all") &&
			    strcmp(args->words[i], figure->name))
				continue;
			good = add_study(&studies, figure, args);
			break;
		}
	}
	if (!good) {
		free_studies(&studies);
		return STATUS_SYSTEM;
	}
	return plan_or_measure(&studies, args, out);
}

static void copy_names(const char **to, const struct list *from,
		       const char *(*name_at)(size_t i))
{
	size_t i;

	for (i = 0; i < from->nr; i++)
		to[i] = name_at(from->at[i]);
}

static bool has_share(const struct lab_args *lab, int op)
{
	size_t i;

	for (i = 0; i < lab->mixes.nr; i++) {
		if (lab_mixes[lab->mixes.at[i]].share[op])
			return true;
	}
	return false;
}

/* The points that the options name, in the form of a figure. */
static void make_figure(const struct lab_args *lab, struct figure *figure)
{
	int op, nr = 0;

	*figure = (struct figure){
		.name = "run",
		.paper = "no paper",
		.place = "lab run",
		.title = "as asked for",
		.unit = lab->timed ? FIGURE_NANOSECONDS : FIGURE_SPEED,
		.threads = { sysconf(_SC_NPROCESSORS_ONLN) },
	};
	copy_names(figure->scheme, &lab->schemes, lab_scheme_at);
	copy_names(figure->mix, &lab->mixes, lab_mix_at);
	for (op = 0; op < LAB_OP_NR; op++) {
		if (has_share(lab, op))
			figure->op[nr++] = lab_op_names[op];
	}
}

static const char *find_mistake(const struct lab_args *lab)
{
	if (!lab->schemes.nr)
		return "--scheme is missing";
	if (!lab->mixes.nr)
		return "--mix is missing";
	if (lab->key_file && lab->order && lab->order != LAB_FILE)
		return "--key-file and --order exclude each other";
	if (lab->order == LAB_FILE && !lab->key_file)
		return "--order file needs --key-file";
	return NULL;
}

enum status run_lab_run(const struct args *args, struct printer *out)
{
	const char *mistake = find_mistake(&args->lab);
	struct studies studies = {};
	struct args with = *args;
	struct figure figure;

	if (mistake) {
		message("%s", mistake);
		return STATUS_USAGE;
	}
	if (args->lab.key_file)
		with.lab.order = LAB_FILE;
	make_figure(&args->lab, &figure);
	if (!add_study(&studies, &figure, &with))
		return STATUS_SYSTEM;
	return plan_or_measure(&studies, &with, out);
}
