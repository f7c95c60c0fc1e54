# Completion of polyflake for bash: source it.
_polyflake() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command='' words='' i IFS=$' \n'
  #| note: bash passes --layout=tw as three words.
  if [[ $word = = ]]; then
    word=''
  elif [[ $before = = ]]; then
    before=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    case ${COMP_WORDS[i]} in
      @commands@) command=${COMP_WORDS[i]}; break ;;
    esac
  done
  case $command:$before in
    #| words: @patterns@) COMPREPLY=($(compgen -W @words@ -- "$word")); return ;;
    #| note: Names of files may have blanks.
    #| files: @patterns@) IFS=$'\n'; COMPREPLY=($(compgen -f -- "$word")); return ;;
    #| nothing: @patterns@) COMPREPLY=(); return ;;
  esac
  case $command in
    #| command: @command@) words=@words@ ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -F _polyflake polyflake
