/** How long an answer is waited for. What a cluster does not answer by then, it says at the write. */
const patienceMs = 15_000;

/** The answer, or undefined if it is an error or takes too long: then the engine reports later what is wrong. */
export async function soon<T>(work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => {
      resolve(undefined);
    }, patienceMs);
  });
  try {
    return await Promise.race([work, late]);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
