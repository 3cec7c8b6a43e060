/** A word for the shell, whatever characters it has. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
