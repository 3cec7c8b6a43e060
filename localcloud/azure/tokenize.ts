/**
 * Splits a string into tokens.
 *
 * @param token sticky pattern that matches white space before a token, and the token in its first group
 * @param notUnderstood makes the error for a string whose rest does not begin with a token
 */
export function tokenize(text: string, token: RegExp, notUnderstood: (message: string) => Error): string[] {
  const tokens: string[] = [];
  const pattern = new RegExp(token);
  while (text.slice(pattern.lastIndex).trim() !== '') {
    const start = pattern.lastIndex;
    const token = pattern.exec(text)?.[1];
    if (token === undefined)
      throw notUnderstood(`'${text.slice(start).trim().slice(0, 20)}' is not understood.`);
    tokens.push(token);
  }
  return tokens;
}
