/**
 * The keys of the configuration that the stack file holds encrypted, with their namespace. The engine hands them to
 * the program in this variable (pulumi/pulumi sdk/nodejs/runtime/config.ts); the SDK exports no function for it.
 * A key with encrypted and plain values in it counts as encrypted.
 */
export function encryptedKeys(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  const text = env.PULUMI_CONFIG_SECRET_KEYS;
  return text === undefined || text === '' ? [] : (JSON.parse(text) as string[]);
}
