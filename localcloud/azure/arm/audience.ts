/** Audiences of tokens that the resource manager accepts. */
export const AUDIENCES: readonly string[] = [
  'https://management.azure.com',
  'https://management.core.windows.net',
];

/** Tells whether the resource manager accepts a token for the audience, with or without trailing slashes. */
export function isManagement(audience: string, isOwnOrigin: (origin: string) => boolean): boolean {
  const plain = audience.replace(/\/+$/, '');
  return AUDIENCES.includes(plain) || isOwnOrigin(plain);
}
