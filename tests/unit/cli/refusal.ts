/** Message and hint of the error that a call is refused with. */
export async function refusalOf(call: () => unknown): Promise<string> {
  try {
    await call();
  } catch (error) {
    const { message, hint } = error as { message: string; hint?: string };
    return hint === undefined ? message : `${message}\n→ ${hint}`;
  }
  throw new Error('It was expected to be refused.');
}
