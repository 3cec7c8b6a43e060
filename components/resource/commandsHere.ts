/**
 * The commands of Pulumi in a text as they are run where the stack is: in the local cloud by `npx aks-wi pulumi`, which knows
 * the backend, the stack and the file with its configuration.
 *
 * @param pulumi what stands for `pulumi` there; undefined where it is `pulumi` itself
 */
export function commandsHere(text: string, pulumi: string | undefined): string {
  if (pulumi === undefined) return text;
  return text.replace(
    /([`"]|\bthen )pulumi ([a-z][^`"\n]*)/g,
    (_all, before: string, command: string) =>
      `${before}${pulumi} ${command.replace(/ --stack [\w./-]+/, '')}`,
  );
}
