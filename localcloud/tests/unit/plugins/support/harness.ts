import type { Context, Properties, ProviderImplementation } from '../../../../plugins/protocol';

export const now = { preview: false, timeoutSeconds: 0 };
export const preview = { preview: true, timeoutSeconds: 0 };
export const context: Context = { signal: new AbortController().signal, log: () => Promise.resolve() };

/** Messages of a check, by property. */
export async function problems(
  provider: ProviderImplementation,
  token: string,
  inputs: Properties,
): Promise<Record<string, string>> {
  const { failures } = await provider.check('', token, {}, inputs, {
    name: 'test',
    randomSeed: new Uint8Array(),
  });
  return Object.fromEntries(failures.map(({ property, reason }) => [property, reason]));
}
