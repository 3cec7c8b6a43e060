import { containsUnknown, reveal, type CheckFailure, type Properties } from '../protocol';

const guid = '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';
const isGuidPattern = new RegExp(`^${guid}$`);

export function isGuid(text: string): boolean {
  return isGuidPattern.test(text);
}

/** Returns the id of an application, group or service principal: its path in Graph, such as `/applications/<objectId>`. */
export function entityId(set: EntitySet, objectId: string): string {
  return `/${set}/${objectId}`;
}

export type EntitySet = 'applications' | 'groups' | 'servicePrincipals';

/**
 * Returns the object id in the id of an application, group or service principal.
 *
 * @throws if the string is no such id
 */
export function objectIdIn(set: EntitySet, id: string): string {
  const [, objectId] = new RegExp(`^/${set}/(${guid})$`).exec(id) ?? [];
  if (objectId === undefined) throw new Error(notAnId(id, `/${set}/<objectId>`));
  return objectId;
}

/**
 * Kinds of credentials in their ids, `<objectId of the application>/<kind>/<keyId>`
 * (internal/services/applications/parse/credentials.go of hashicorp/terraform-provider-azuread).
 */
export type CredentialKind = 'certificate' | 'password' | 'federatedIdentityCredential';

/** Returns a member's id (internal/services/groups/parse/group_member.go of hashicorp/terraform-provider-azuread). */
export function memberId(group: string, member: string): string {
  return `${group}/member/${member}`;
}

/** Parses a member's id. @throws if the string is no such id */
export function parseMemberId(id: string): { group: string; member: string } {
  const [, group, member] = new RegExp(`^(${guid})/member/(${guid})$`).exec(id) ?? [];
  if (group === undefined || member === undefined) {
    throw new Error(notAnId(id, '<objectId of the group>/member/<objectId of the member>'));
  }
  return { group, member };
}

/** Returns failures for inputs that are known and not object ids. */
export function checkObjectIds(inputs: Properties, names: readonly string[]): CheckFailure[] {
  return names.flatMap((property) => {
    const value = inputs[property] ?? [];
    const known = containsUnknown(value) ? [] : reveal(value);
    return (Array.isArray(known) ? known : [known]).flatMap((id) =>
      typeof id !== 'string' || isGuid(id)
        ? []
        : [{ property, reason: `'${id}' is not an object id of a directory object` }],
    );
  });
}

export function credentialId(objectId: string, kind: CredentialKind, keyId: string): string {
  return `${objectId}/${kind}/${keyId}`;
}

/** Parses a credential's id. @throws if the string is no such id */
export function parseCredentialId(kind: CredentialKind, id: string): { objectId: string; keyId: string } {
  const [, objectId, keyId] = new RegExp(`^(${guid})/${kind}/(${guid})$`).exec(id) ?? [];
  if (objectId === undefined || keyId === undefined) {
    throw new Error(notAnId(id, `<objectId of the application>/${kind}/<keyId>`));
  }
  return { objectId, keyId };
}

/** Returns the failure for an invalid `applicationId`; none if it is not known yet. */
export function checkApplicationId({ applicationId = '' }: Properties): CheckFailure[] {
  const id = containsUnknown(applicationId) ? undefined : reveal(applicationId);
  if (typeof id !== 'string' || new RegExp(`^/applications/${guid}$`).test(id)) return [];
  const reason = `${notAnId(id, '/applications/<objectId>')}: use the application's id`;
  return [{ property: 'applicationId', reason }];
}

function notAnId(id: string, form: string): string {
  return `'${id}' is not an id of the form ${form}`;
}
