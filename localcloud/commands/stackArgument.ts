/** The value of `--stack` or `-s` in a command line. */
export function stackOf(args: string[]): string | undefined {
  for (const [index, argument] of args.entries()) {
    if (argument === '--stack' || argument === '-s') return args[index + 1];
    const inline = /^(?:--stack|-s)=(.*)$/.exec(argument)?.[1];
    if (inline !== undefined) return inline;
  }
  return undefined;
}
