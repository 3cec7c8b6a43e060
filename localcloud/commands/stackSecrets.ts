import { field, parseRelease } from './stackDocument';

/** Key Vault's rule for the name of a secret (REST reference, Set Secret, `secret-name`). */
const secretName = /^[0-9A-Za-z-]{1,127}$/;

/** Whether a vault accepts a secret of this name. The program reports invalid names. */
export function isSecretName(name: string): boolean {
  return secretName.test(name);
}

/**
 * Returns the names of all secrets that applications or groups name, in the stack file or in the pinned release
 * (`environments.<stack>`).
 *
 * @param read text of a file that the stack file references; undefined if it cannot be read
 */
export function namedSecrets(
  naming: unknown,
  stack: string,
  read: (file: string) => string | undefined,
): string[] {
  const named = (Array.isArray(naming) ? naming : []).flatMap((application: unknown) => {
    const release = field(application, 'release');
    const promoted = typeof release === 'string' ? pinned(read(release), stack) : undefined;
    const windows: unknown = field(application, 'accessWindows');
    const atTimes = (Array.isArray(windows) ? windows : []).map((window: unknown) =>
      field(window, 'secrets'),
    );
    return [field(application, 'secrets'), field(promoted, 'secrets'), ...atTimes].flatMap(texts);
  });
  return [...new Set(named)].filter(isSecretName);
}

function pinned(text: string | undefined, stack: string): unknown {
  if (text === undefined) return undefined;
  const file = parseRelease(text);
  const version = field(field(file, 'environments'), stack);
  // YAML reads the version `1.5` as a number, but the key `1.5` of `releases` as a string.
  if (typeof version !== 'string' && typeof version !== 'number') return undefined;
  return field(field(file, 'releases'), String(version));
}

function texts(list: unknown): string[] {
  return Array.isArray(list) ? list.filter((item): item is string => typeof item === 'string') : [];
}
