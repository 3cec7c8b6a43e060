/** Resources whose tokens the resource manager takes. */
export const AUDIENCES: readonly string[] = [
  'https://management.azure.com',
  'https://management.core.windows.net',
];

/** Whether a token for the audience, with or without slashes at its end, is one for the resource manager. */
export function isManagement(audience: string, isOwnOrigin: (origin: string) => boolean): boolean {
  const plain = audience.replace(/\/+$/, '');
  return AUDIENCES.includes(plain) || isOwnOrigin(plain);
}
