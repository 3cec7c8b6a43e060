import { STORAGE_RESOURCE } from '../blob/containers';
import { QUERY_RESOURCES } from '../logs/service';

/** Resources that tokens can be issued for, as clients name them. */
export const RESOURCES: readonly string[] = [
  'https://management.azure.com',
  'https://management.core.windows.net',
  'https://vault.azure.net',
  'https://graph.microsoft.com',
  STORAGE_RESOURCE,
  ...QUERY_RESOURCES,
];

/** Tells whether a token can have the resource as its audience, with or without trailing slashes. */
export function isResource(resource: string, isOwnOrigin: (resource: string) => boolean): boolean {
  const plain = resource.replace(/\/+$/, '');
  return RESOURCES.includes(plain) || isOwnOrigin(plain);
}
