import type { Place, Value } from './words';

export type Shell = 'bash' | 'zsh' | 'fish';

/** Returns the script that completes the command `aks-wi` in a shell. */
export function completionScript(shell: Shell, places: readonly Place[]): string {
  return { bash, zsh, fish }[shell](places);
}

/** Quotes a text for bash and zsh. */
const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Quotes a text for fish. */
const quotedInFish = (text: string) => `'${text.replace(/[\\']/g, String.raw`\$&`)}'`;

/** Returns a pattern of `case` that matches each of the texts. */
const anyOf = (texts: Iterable<string>) => [...texts].map(quoted).join('|');

/** Sets `at` to the path of the command that the words before the cursor name. The loop is the same in bash and zsh. */
const findCommand = (places: readonly Place[], words: string) => `\
  for word in ${words}; do
    case "\${at:+$at }$word" in
      ${anyOf(places.flatMap(({ path }) => (path === '' ? [] : path)))}) at="\${at:+$at }$word" ;;
    esac
  done`;

/** Returns the options that take a value, by kind of value. The same option takes the same value in each command. */
function optionsWith(places: readonly Place[], value: Value): Set<string> {
  const options = places.flatMap((place) => place.options);
  return new Set(options.flatMap((option) => (option.value === value ? option.name : [])));
}

/** Returns a case for each option whose value is one of a list. */
function listCases(
  places: readonly Place[],
  caseOf: (name: string, values: readonly string[]) => string,
): string {
  const cases = places.flatMap(({ options }) =>
    options.flatMap(({ name, value }) => (Array.isArray(value) ? [caseOf(name, value as string[])] : [])),
  );
  return [...new Set(cases)].join('');
}

// Only names that Pulumi allows are completed: bash would run a `$(…)` in the name of a file.
const bash = (places: readonly Place[]) => `\
# Completion of aks-wi for bash. Write it to ~/.aks-wi-completion; for ~/.bashrc:
#   source ~/.aks-wi-completion
#   aks-wi() { npx --no -- aks-wi "$@"; }
_aks_wi_stacks() {
  local file name
  for file in Pulumi.*.yaml; do
    name=\${file#Pulumi.}
    name=\${name%.yaml}
    case "$name" in ''|*[!A-Za-z0-9_.-]*) ;; *) echo "$name" ;; esac
  done
}
_aks_wi() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" at='' word words=''
${findCommand(places, '"${COMP_WORDS[@]:1:COMP_CWORD-1}"')}
  case "\${COMP_WORDS[COMP_CWORD-1]}" in
    ${anyOf(optionsWith(places, 'stack'))}) words=$(_aks_wi_stacks) ;;
    ${anyOf(optionsWith(places, 'path'))}) local IFS=$'\\n'; compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur")); return ;;
${listCases(places, (name, values) => `    ${name}) words=${quoted(values.join(' '))} ;;\n`)}\
    ${anyOf(optionsWith(places, 'any'))}) return ;;
    *)
      case "$at" in
${places.map(({ path, words, options }) => `        ${quoted(path)}) words=${quoted([...words, ...options].map(({ name }) => name).join(' '))} ;;\n`).join('')}\
      esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -F _aks_wi aks-wi
`;

const zsh = (places: readonly Place[]) => `\
#compdef aks-wi
# Completion of aks-wi for zsh. Write it to ~/.aks-wi-completion; for ~/.zshrc, after compinit:
#   source ~/.aks-wi-completion
#   aks-wi() { npx --no -- aks-wi "$@"; }
_aks_wi() {
  local at='' word
  local -a items
${findCommand(places, '"${(@)words[2,CURRENT-1]}"')}
  case "\${words[CURRENT-1]}" in
    ${anyOf(optionsWith(places, 'stack'))}) items=(Pulumi.*.yaml(N)); items=(\${\${items#Pulumi.}%.yaml}); compadd -a items; return ;;
    ${anyOf(optionsWith(places, 'path'))}) _files; return ;;
${listCases(places, (name, values) => `    ${name}) compadd ${values.map(quoted).join(' ')}; return ;;\n`)}\
    ${anyOf(optionsWith(places, 'any'))}) return ;;
  esac
  case "$at" in
${places.map(({ path, words, options }) => `    ${quoted(path)}) items=(${[...words, ...options].map(({ name, description }) => quoted(`${name}:${description}`)).join(' ')}) ;;\n`).join('')}\
  esac
  _describe command items
}
if [ "\${funcstack[1]}" = _aks_wi ]; then _aks_wi "$@"; else compdef _aks_wi aks-wi; fi
`;

const fish = (places: readonly Place[]) => `\
# Completion of aks-wi for fish. Write it to ~/.aks-wi-completion; for ~/.config/fish/config.fish:
#   source ~/.aks-wi-completion
#   function aks-wi; npx --no -- aks-wi $argv; end
function __aks_wi_at
  set -l at ''
  for word in (commandline -opc)[2..]
    set -l next (string trim "$at $word")
    contains -- $next ${places.flatMap(({ path }) => (path === '' ? [] : quotedInFish(path))).join(' ')}; and set at $next
  end
  test "$at" = "$argv[1]"
end
function __aks_wi_stacks
  set -l files Pulumi.*.yaml
  test -n "$files"; and string replace -rf '^Pulumi\\.(.+)\\.yaml$' '$1' $files
end
complete -c aks-wi -f
${places.map(linesInFish).join('')}`;

function linesInFish({ path, words, options }: Place): string {
  const line = (rest: string, description: string) =>
    `complete -c aks-wi -n ${quotedInFish(`__aks_wi_at "${path}"`)} ${rest} -d ${quotedInFish(description)}\n`;
  const values = (value: Value | undefined) => {
    if (value === undefined) return '';
    if (value === 'path') return ' -r -F';
    if (value === 'any') return ' -x';
    return ` -x -a ${quotedInFish(value === 'stack' ? '(__aks_wi_stacks)' : value.join(' '))}`;
  };
  return [
    ...words.map(({ name, description }) => line(`-a ${quotedInFish(name)}`, description)),
    ...options.map(({ name, description, value }) =>
      line(`-l ${name.slice(2)}${values(value)}`, description),
    ),
  ].join('');
}
