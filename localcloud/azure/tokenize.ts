/**
 * The tokens of a text.
 * @param token a sticky pattern of a token, in its first group, after the space before it
 * @param notUnderstood the error of a text that goes on with no token
 */
export function tokenize(text: string, token: RegExp, notUnderstood: (message: string) => Error): string[] {
  const tokens: string[] = [];
  const pattern = new RegExp(token);
  while (text.slice(pattern.lastIndex).trim() !== '') {
    const start = pattern.lastIndex;
    const found = pattern.exec(text)?.[1];
    if (found === undefined)
      throw notUnderstood(`'${text.slice(start).trim().slice(0, 20)}' is not understood.`);
    tokens.push(found);
  }
  return tokens;
}
