/** What a call is refused with: the error's message, and its remedy. */
export async function refusalOf(call: () => unknown): Promise<string> {
  try {
    await call();
  } catch (error) {
    const { message, remedy } = error as { message: string; remedy?: string };
    return remedy === undefined ? message : `${message}\n→ ${remedy}`;
  }
  throw new Error('It was expected to be refused.');
}
