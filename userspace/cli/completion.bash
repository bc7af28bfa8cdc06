# SPDX-License-Identifier: GPL-2.0
# The part of the completion that is the same for all commands. The program prints
# the function _blinktree_tables before this part, from its own tables. The function
# sets these variables for $command:
#
#   commands            the commands, before there is one
#   options   valued    the options of the command; those with a value
#   words               the possible values of each option
#   kinds               the kinds of the operands; "repeats" can be the last

# Bash also ends words at "@" and ":", which the name of a tree can contain. Join
# such words in "line", up to the word to complete.
_blinktree_join()
{
	local piece

	for piece in "${COMP_WORDS[@]:0:COMP_CWORD+1}"; do
		if ((${#line[@]} > 1)) &&
			[[ $piece == [@:]* || ${line[-1]} == *[@:] ]]; then
			line[-1]+=$piece
		else
			line+=("$piece")
		fi
	done
}

# The trees that begin with "cur". Bash has already read the part of a name up to a
# ":", or before an "@", as earlier words: remove it. Only compare the names:
# "compgen -W" would expand a name, and so execute commands in it. Leave out names
# that the shell would not read as one word.
_blinktree_trees()
{
	local LC_ALL=C last=$cur name joined

	[[ $COMP_WORDBREAKS == *:* ]] && last=${last##*:}
	[[ $COMP_WORDBREAKS == *@* && $last == *@* ]] && last=@${last##*@}
	joined=${cur%"$last"}
	while IFS= read -r name; do
		[[ $name == "$cur"* && $name != [.-]* &&
			$name != *[!A-Za-z0-9._@:+-]* ]] &&
			COMPREPLY+=("${name#"$joined"}")
	done < <("${line[0]}" list --names 2> /dev/null)
}

_blinktree()
{
	local cur command='' option='' word kind
	local commands options valued
	local -a kinds line=()
	local -A words=()
	local -i i last operand=0

	COMPREPLY=()
	_blinktree_tables
	_blinktree_join
	last=$((${#line[@]} - 1))
	cur=${line[last]}
	for ((i = 1; i < last; i++)); do
		word=${line[i]}
		if [[ $valued == *" $word "* ]]; then
			# Bash takes "--option=value" for three words.
			[[ ${line[i + 1]-} == '=' ]] && i+=1
			i+=1
			((i >= last)) && option=$word
		elif [[ $word == -?* ]]; then
			continue
		elif [[ -n $commands ]]; then
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
	[[ -n $commands && -z $option && $kind != options ]] && kind=commands

	case $kind in
	options) mapfile -t COMPREPLY < <(compgen -W "$options" -- "$cur") ;;
	commands) mapfile -t COMPREPLY < <(compgen -W "$commands" -- "$cur") ;;
	value)
		mapfile -t COMPREPLY < <(compgen -W "${words[$option]-}" \
			-- "$cur")
		;;
	shell) mapfile -t COMPREPLY < <(compgen -W bash -- "$cur") ;;
	tree) _blinktree_trees ;;
	file)
		compopt -o filenames
		mapfile -t COMPREPLY < <(compgen -f -- "$cur")
		;;
	esac
}

complete -F _blinktree blinktree
