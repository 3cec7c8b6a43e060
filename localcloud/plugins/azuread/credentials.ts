import * as z from 'zod';
import type { Properties } from '../protocol';

/** A certificate or password of an application in Graph. */
const credentialSchema = z.looseObject({
  keyId: z.string(),
  displayName: z.string().nullish(),
  customKeyIdentifier: z.string().nullish(),
  startDateTime: z.string().nullish(),
  endDateTime: z.string().nullish(),
  type: z.string().nullish(),
});
const listsSchema = z.object({
  keyCredentials: z.array(z.json()).nullish(),
  passwordCredentials: z.array(z.json()).nullish(),
});

export type Credential = z.infer<typeof credentialSchema>;

/** Returns the lists of credentials in Graph's answer for an application, unchanged. */
export function credentialLists(application: Properties): Required<{
  [list in keyof z.infer<typeof listsSchema>]: NonNullable<z.infer<typeof listsSchema>[list]>;
}> {
  const { keyCredentials, passwordCredentials } = listsSchema.parse(application);
  return { keyCredentials: keyCredentials ?? [], passwordCredentials: passwordCredentials ?? [] };
}

export function hasKeyId(entry: unknown, keyId: string): boolean {
  return credentialSchema.parse(entry).keyId.toLowerCase() === keyId.toLowerCase();
}

/** Returns the credential with the key id; undefined if the list has none. */
export function credentialIn(list: readonly unknown[], keyId: string): Credential | undefined {
  const entry = list.find((each) => hasKeyId(each, keyId));
  return entry === undefined ? undefined : credentialSchema.parse(entry);
}
