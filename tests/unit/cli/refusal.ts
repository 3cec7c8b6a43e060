/** Message and remedy of the error that a call is refused with. */
export async function refusalOf(call: () => unknown): Promise<string> {
  try {
    await call();
  } catch (error) {
    const { message, remedy } = error as { message: string; remedy?: string };
    return remedy === undefined ? message : `${message}\n→ ${remedy}`;
  }
  throw new Error('It was expected to be refused.');
}
