# SPDX-License-Identifier: GPL-2.0
# The part of the completion that knows no command. What the words of a command
# line may be is said by _blinktree_tables, which the program makes from its own
# tables and prints before this: it sets, for $command,
#
#   commands            the commands
#   options   valued    its options; those which a value follows
#   words               of an option, what its value may be
#   kinds               what its operands are; "repeats" may end them

_blinktree()
{
	local cur=${COMP_WORDS[COMP_CWORD]} command='' option='' word kind
	local commands options valued
	local -a kinds
	local -A words=()
	local -i i operand=0

	COMPREPLY=()
	_blinktree_tables
	for ((i = 1; i < COMP_CWORD; i++)); do
		word=${COMP_WORDS[i]}
		if [[ $valued == *" $word "* ]]; then
			# Bash takes "--option=value" for three words.
			[[ ${COMP_WORDS[i + 1]-} == '=' ]] && i+=1
			i+=1
			((i >= COMP_CWORD)) && option=$word
		elif [[ $word == -?* ]]; then
			continue
		elif [[ -z $command ]]; then
			command=$word
			_blinktree_tables
		else
			operand+=1
		fi
	done
	[[ $cur == '=' ]] && cur=''

	kind=${kinds[operand]-}
	if [[ ${#kinds[@]} -gt 0 && ${kinds[-1]} == repeats ]]; then
		((operand >= ${#kinds[@]} - 1)) && kind=${kinds[-2]}
	fi
	case $option in
	'') [[ $cur == -* ]] && kind=options ;;
	--device) kind=file ;;
	*) kind=value ;;
	esac
	[[ -z $command && -z $option && $kind != options ]] && kind=commands

	case $kind in
	options) mapfile -t COMPREPLY < <(compgen -W "$options" -- "$cur") ;;
	commands) mapfile -t COMPREPLY < <(compgen -W "$commands" -- "$cur") ;;
	value)
		mapfile -t COMPREPLY < <(compgen -W "${words[$option]-}" \
			-- "$cur")
		;;
	shell) mapfile -t COMPREPLY < <(compgen -W bash -- "$cur") ;;
	tree)
		mapfile -t COMPREPLY < <(compgen -W \
			"$("${COMP_WORDS[0]}" list --names 2> /dev/null)" \
			-- "$cur")
		;;
	file)
		compopt -o filenames
		mapfile -t COMPREPLY < <(compgen -f -- "$cur")
		;;
	esac
}

complete -F _blinktree blinktree
