/**
 * Rewrites Pulumi's commands in a string to the form that the user must run: on the local cloud with `npx aks-wi pulumi`,
 * which knows the backend, the stack and the file with its configuration.
 *
 * @param pulumi replacement for `pulumi`; undefined if `pulumi` itself is run
 */
export function commandsHere(text: string, pulumi: string | undefined): string {
  if (pulumi === undefined) return text;
  return text.replace(
    /([`"]|\bthen )pulumi ([a-z][^`"\n]*)/g,
    (_all, before: string, command: string) =>
      `${before}${pulumi} ${command.replace(/ --stack [\w./-]+/, '')}`,
  );
}
