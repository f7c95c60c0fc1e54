# Completion of polyflake for fish.
complete -c polyflake -f
#| program: complete -c polyflake@names@@value@ -d @description@
#| note: __fish_use_subcommand takes the value of an option for a command.
#| command: complete -c polyflake -n 'not __fish_seen_subcommand_from @commands@' -a @command@ -d @description@
#| option: complete -c polyflake -n '__fish_seen_subcommand_from @command@'@names@@value@ -d @description@
#| argument: complete -c polyflake -n '__fish_seen_subcommand_from @command@' -a @words@
