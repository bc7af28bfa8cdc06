# SPDX-License-Identifier: GPL-2.0
# The cases of the mixed load: random operations, each with a tab and the line that the
# command must print. Each process has every so many lines, and keys of its own. The keys
# of all processes alternate, so that each leaf has keys of all. At the end all are erased.
# The variables "seed" and "processes" are numbers.

# The answer to an operation. values[] gets the new state of the key.
function answer(op, key, expected, new,    old) {
	if (!(key in values)) {
		if (op !~ /^(put|insert|get-or-insert)$/)
			return "ENOENT - - -"
		values[key] = new
		return "ok - - -"
	}
	old = values[key]
	if (op ~ /^(get|floor|ceil)$/)
		return "ok " (op == "get" ? "-" : key) " " old " -"
	if (op == "insert")
		return "EEXIST - - " old
	if (op ~ /^ca/ && expected != old)
		return "ESTALE - - " old
	if (op == "del" || op == "cad")
		delete values[key]
	else if (op != "get-or-insert")
		values[key] = new
	return "ok - - " (op ~ /^ca/ ? "-" : old)
}

function operate(op, number,    key, new, expected, operands) {
	key = sprintf("0x100%08x", number)
	new = sprintf("0x%x", int(2 ^ 31 * rand()))
	# Every other exchange expects a wrong value.
	expected = key in values && rand() < 0.5 ? values[key] : new
	# The key beside an absent one can be another process's.
	if (!(key in values) && (op == "floor" || op == "ceil"))
		op = "get"
	operands = op ~ /^ca/ ? " " expected : ""
	if (op ~ /^(put|insert|replace|get-or-insert|cas)$/)
		operands = operands " " new
	print op " " key operands "\t" op, key, answer(op, key, expected, new)
}

BEGIN {
	srand(seed)
	nr = split("get get get get get get floor ceil insert insert get-or-insert put put " \
		"replace cas cad del del", ops, " ")
	for (i = 0; i < 20000 * processes; i++)
		operate(ops[1 + int(nr * rand())], int(4096 * rand()) * processes + i % processes)
	for (i = 0; i < 4096 * processes; i++)
		operate("del", i)
}
