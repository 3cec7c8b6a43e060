import type { AzureReader } from '../azureReader';
import { member } from '../member';
import { textAt, type Candidate, type PlannedCreate } from './preview';
import { importableType } from './types';

/** What is in Azure of something that the next update would make. */
export type Finding =
  | { readonly kind: 'exists'; readonly id: string }
  /** The same under another name, which cannot be changed. */
  | { readonly kind: 'alias'; readonly as: AliasKind; readonly name: string; readonly id: string }
  | { readonly kind: 'absent' }
  /** Made of what is not known before something else is taken in, or made. */
  | { readonly kind: 'later' };

/** The keys of `imported` in the stack file. */
export type AliasKind = 'roleAssignments' | 'federatedCredentials';

const credentialType = 'azure-native:managedidentity:FederatedIdentityCredential';
const assignmentType = 'azure-native:authorization:RoleAssignment';
const policyType = 'azure-native:keyvault:AccessPolicy';

/** Looks in Azure for what would be made. */
export async function find(azure: AzureReader, { create, id }: Candidate): Promise<Finding> {
  const type = importableType(create.type);
  if (type === undefined || id === undefined) return { kind: 'later' };
  if (create.type === policyType) return findPolicy(azure, id, type.apiVersion);
  if ((await azure.get(id, type.apiVersion)) !== undefined) return { kind: 'exists', id };
  if (create.type === credentialType) return findCredential(azure, create, id, type.apiVersion);
  if (create.type === assignmentType) return findAssignment(azure, create, type.apiVersion);
  return { kind: 'absent' };
}

/** An access policy is an entry of its vault. */
async function findPolicy(azure: AzureReader, id: string, apiVersion: string): Promise<Finding> {
  const [vault = '', objectId = ''] = id.split('/accessPolicy/');
  const entries = member(await azure.get(vault, apiVersion), 'properties', 'accessPolicies');
  const found = (Array.isArray(entries) ? (entries as unknown[]) : []).some((entry) =>
    equal(member(entry, 'objectId'), objectId),
  );
  return found ? { kind: 'exists', id } : { kind: 'absent' };
}

/** Azure refuses a second credential with the same issuer and subject, which are compared with their case. */
async function findCredential(
  azure: AzureReader,
  { inputs }: PlannedCreate,
  id: string,
  apiVersion: string,
): Promise<Finding> {
  const issuer = textAt(inputs, 'issuer');
  const subject = textAt(inputs, 'subject');
  if (issuer === undefined || subject === undefined) return { kind: 'later' };
  const list = await azure.list(id.slice(0, id.lastIndexOf('/')), apiVersion);
  const found = list.find(
    (one) =>
      member(one, 'properties', 'issuer') === issuer && member(one, 'properties', 'subject') === subject,
  );
  return alias('federatedCredentials', found);
}

/** Azure refuses a second assignment of a role at the same scope to the same principal. */
async function findAssignment(
  azure: AzureReader,
  { inputs }: PlannedCreate,
  apiVersion: string,
): Promise<Finding> {
  const scope = textAt(inputs, 'scope');
  const principal = textAt(inputs, 'principalId');
  const role = textAt(inputs, 'roleDefinitionId');
  if (scope === undefined || principal === undefined || role === undefined) return { kind: 'later' };
  const path = `${scope}/providers/Microsoft.Authorization/roleAssignments`;
  const list = await azure.list(path, apiVersion, `principalId eq '${principal}'`);
  const found = list.find(
    (one) =>
      equal(member(one, 'properties', 'scope'), scope) &&
      equal(member(one, 'properties', 'principalId'), principal) &&
      equal(lastStep(member(one, 'properties', 'roleDefinitionId')), lastStep(role)),
  );
  return alias('roleAssignments', found);
}

function alias(as: AliasKind, found: unknown): Finding {
  const [id, name] = [member(found, 'id'), member(found, 'name')];
  if (typeof id !== 'string' || typeof name !== 'string') return { kind: 'absent' };
  return { kind: 'alias', as, id, name };
}

function lastStep(id: unknown): unknown {
  return typeof id === 'string' ? id.slice(id.lastIndexOf('/') + 1) : id;
}

function equal(one: unknown, other: unknown): boolean {
  return typeof one === 'string' && typeof other === 'string' && one.toLowerCase() === other.toLowerCase();
}
