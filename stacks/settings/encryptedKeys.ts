/**
 * Returns the keys of the configuration, with their namespace, that the stack file holds encrypted. The engine passes them to
 * the program in this variable (pulumi/pulumi sdk/nodejs/runtime/config.ts); the SDK exports no function for it. A key that
 * contains both encrypted and plain values counts as encrypted.
 */
export function encryptedKeys(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  const text = env.PULUMI_CONFIG_SECRET_KEYS;
  return text === undefined || text === '' ? [] : (JSON.parse(text) as string[]);
}
