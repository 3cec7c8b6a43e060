import { isRecord } from '../components/resource/fields';
import { copiedSecrets, isEncrypted, isOfOthers, secrecyProblems, type Ciphertext } from './checks/secrecy';
import type { Path, Problem } from './settings/problem';
import { encryptedOnly, project } from './settings/problem';
import { parseValue } from './settings/pulumiConfig';
import { unreadKeys } from './settings/unknownKey';

type Config = Readonly<Record<string, unknown>>;

/** Stands for an encrypted value, which is never shown or compared. */
const opaque = 'encrypted';

/**
 * Returns the configuration as the program reads it, with every encrypted value replaced, and the paths of these. Objects of
 * secrets that are encrypted as a whole are left out: not even their names are known.
 */
export function asProgram(config: Config) {
  const ciphertexts: Ciphertext[] = [];
  const open = (value: unknown, path: Path): unknown => {
    if (isEncrypted(value)) {
      ciphertexts.push({ path, text: value.secure });
      return opaque;
    }
    if (Array.isArray(value)) return value.map((item: unknown, index) => open(item, [...path, index]));
    if (!isRecord(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, open(item, [...path, key])]));
  };
  const ours = Object.entries(config).flatMap(([key, value]) => {
    // Keys without a namespace are the project's (pulumi sdk/go/common/workspace, stackConfigNamespacedWithProject).
    const name = key.replace(new RegExp(`^${project}:`), '');
    const opened = open(value, [name]);
    return name.includes(':') ? [] : [[name, parseValue(asText(opened))]];
  });
  const encrypted = ciphertexts.filter((ciphertext) => !isOfOthers(ciphertext)).map(({ path }) => path);
  const unknown = encryptedOnly.filter((key) =>
    encrypted.some((path) => path.length === 1 && path[0] === key),
  );
  const known = ours.filter(([key]) => !unknown.includes(String(key)));
  return { input: Object.fromEntries(known) as Config, encrypted, ciphertexts, unknown };
}

/** Returns problems of keys that nothing reads, and of values that must be encrypted, or must not be. */
export function keyProblems(
  config: Config,
  { input, encrypted, ciphertexts }: ReturnType<typeof asProgram>,
): Problem[] {
  return [
    ...unreadKeys(Object.keys(config)),
    ...secrecyProblems(input, encrypted),
    ...copiedSecrets(ciphertexts),
  ];
}

/**
 * Returns a value as the engine passes it: objects and lists as JSON, any other value as a string, and a missing value as an
 * empty string.
 */
function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === null || value === undefined ? '' : JSON.stringify(value);
}
