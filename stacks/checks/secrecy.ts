import type { Path, Problem } from '../settings/problem';
import { encryptedOnly, formatConfigPath } from '../settings/problem';
import { fieldsOf, isRecord } from '../../components/resource/fields';
import { stackSchema } from '../settings/schema';
import { repeated } from './context';

/**
 * Returns problems of two kinds: secrets in plain text, which every reader of the stack file sees, and encrypted values of
 * other keys, which the program writes in plain text into the state and into what it deploys. Messages show no value.
 * @param encrypted paths of encrypted values, or of keys whose values are all encrypted
 */
export function secrecyProblems(
  input: Readonly<Record<string, unknown>>,
  encrypted: readonly Path[],
): Problem[] {
  const plain = encryptedOnly
    .flatMap((key) => {
      return Object.entries(fieldsOf(input[key]))
        .filter(([, value]) => typeof value === 'string' && value !== '')
        .map(([name]) => [key, name]);
    })
    .filter((path) => !encrypted.some((other) => isWithin(path, other)));
  // The purpose of a misspelt key is unknown.
  const exposed = encrypted.filter(
    ([key = '']) => Object.hasOwn(stackSchema.shape, key) && !encryptedOnly.includes(String(key)),
  );
  return [
    ...plain.map((path) => ({
      path,
      what: 'is in plain text in the stack file',
      allowed: 'encrypted values',
      hint: `Remove it, rotate the secret, and set the new one with \`pulumi config set --secret --path '${formatConfigPath(path)}'${path[0] === 'kubeconfigs' ? ' < <file>' : ''}\`.`,
    })),
    ...exposed.map((path) => ({
      path,
      what: 'is or contains an encrypted value, which would be shown where it is used',
      allowed: 'values in plain text; secrets belong in a vault and are named in `secrets`',
      hint: 'Remove it. If it is not a secret, set it in plain text with `pulumi config set`.',
    })),
  ];
}

/** Tells whether the value is what the engine puts in place of an encrypted value. */
export function isEncrypted(value: unknown): value is { readonly secure: string } {
  return isRecord(value) && Object.keys(value).length === 1 && typeof value.secure === 'string';
}

/** An encrypted value of the stack file. */
export interface Ciphertext {
  /** In a namespace other than the project's, such as `azure-native`, the first step is the key with the namespace. */
  readonly path: Path;
  /** Each encryption gives a different ciphertext, even for the same value. */
  readonly text: string;
}

/** Tells whether the value belongs to a namespace other than the project's. */
export const isOfOthers = ({ path }: Pick<Ciphertext, 'path'>): boolean => String(path[0]).includes(':');

/** Returns problems of values that somebody copied without knowing them: whoever reads one secret would read the other. */
export function copiedSecrets(all: readonly Ciphertext[]): Problem[] {
  const isOurs = ({ path }: Ciphertext) => encryptedOnly.includes(String(path[0]));
  const secrets = [...all.filter(isOfOthers), ...all.filter(isOurs)];
  const copies = [...repeated(secrets, ({ text }) => text)].filter(({ item }) => isOurs(item));
  return copies.map(({ item, first }) => ({
    path: item.path,
    what: `has the ciphertext of ${isOfOthers(first) ? first.path.join('.') : formatConfigPath(first.path)}: anyone who can read one could read the value of the other`,
    allowed: 'each value encrypted separately',
    hint: `Remove it. If both are to have the same value, set each one separately: \`pulumi config set --secret --path '${formatConfigPath(item.path)}'\`.`,
  }));
}

/** Tells whether `path` leads to the value at `other` or to a part of it. */
export function isWithin(path: Path, other: Path): boolean {
  return other.every((step, index) => step === path[index]);
}
