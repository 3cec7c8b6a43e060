import type { AzureReader } from '../azureReader';
import type { GraphReader } from '../graphReader';
import { UserError } from '../userError';
import { entraTypes } from './entra';
import { nameInUrn, textAt, typeOf, type Inputs, type Step } from '../preview';
import type { Candidate } from './candidates';
import { assignmentType, credentialType, importableTypes, policyType } from './types';

/** A resource that the next update would create and that exists in Azure or Entra. */
export interface ExistingResource {
  urn: string;
  /** The inputs that the program sets. */
  inputs: Inputs;
  /** The id that the provider uses. */
  id: string;
  /** The name in Azure, if it differs from the program's, and its key in `imported`. */
  alias?: { kind: AliasKind; name: string };
}

/** The keys of `imported` in the stack file. */
export type AliasKind = 'roleAssignments' | 'federatedCredentials';

/** A type for which Azure refuses a second resource that differs only in its name. */
interface Unique {
  kind: AliasKind;
  /** The inputs that must differ between two resources; Azure's properties have the same names. */
  keys: readonly string[];
  /** Returns the part of a value that Azure compares. */
  compared(value: string): string;
  filter?(inputs: Inputs): string;
}

const uniqueTypes: Readonly<Record<string, Unique>> = {
  // Issuer and subject are compared case-sensitively.
  [credentialType]: {
    kind: 'federatedCredentials',
    keys: ['issuer', 'subject'],
    compared: (value) => value,
  },
  // Ids of roles have different scopes before the last segment.
  [assignmentType]: {
    kind: 'roleAssignments',
    keys: ['scope', 'principalId', 'roleDefinitionId'],
    compared: (value) => value.replace(/^.*\/roleDefinitions\//i, '').toLowerCase(),
    filter: (inputs) => `principalId eq '${textAt(inputs, 'principalId') ?? ''}'`,
  },
};

/** Finds a resource in Azure or Entra; undefined if it does not exist, or if its place is not known yet. */
export async function findInAzure(
  azure: AzureReader,
  graph: GraphReader,
  { urn, inputs, id }: Candidate,
): Promise<ExistingResource | undefined> {
  const token = typeOf(urn);
  const inEntra = entraTypes[token];
  if (inEntra !== undefined) {
    const objectId = await inEntra(graph, (path) => textAt(inputs, path));
    return objectId === undefined ? undefined : { urn, inputs, id: objectId };
  }
  const type = importableTypes[token];
  if (type === undefined || id === undefined) return undefined;
  if (token === policyType)
    return (await policyExists(azure, id, type.apiVersion)) ? { urn, inputs, id } : undefined;
  if ((await azure.get(id, type.apiVersion)) !== undefined) return { urn, inputs, id };
  const unique = uniqueTypes[token];
  if (unique === undefined) return undefined;
  const keyOf = (values: Inputs) => unique.keys.map((key) => unique.compared(textAt(values, key) ?? ''));
  const expectedKey = keyOf(inputs);
  if (expectedKey.includes('')) return undefined;
  const existing = await azure.list(
    id.slice(0, id.lastIndexOf('/')),
    type.apiVersion,
    unique.filter?.(inputs),
  );
  const same = existing.find(({ properties }) => keyOf(properties).join('\n') === expectedKey.join('\n'));
  if (same === undefined) return undefined;
  return { urn, inputs, id: same.id, alias: { kind: unique.kind, name: same.name } };
}

/** Tells whether the vault has an access policy for the identity. */
async function policyExists(azure: AzureReader, id: string, apiVersion: string): Promise<boolean> {
  const [vault = '', objectId = ''] = id.split('/accessPolicy/');
  const policies = (await azure.get(vault, apiVersion))?.properties['accessPolicies'];
  return (
    Array.isArray(policies) &&
    policies.some((policy: Inputs) => textAt(policy, 'objectId')?.toLowerCase() === objectId.toLowerCase())
  );
}

/**
 * Refuses a resource that the next update would delete under another name in the stack. Both are the same resource in
 * Azure, so the update would delete it after its import.
 */
export function refuseDeleted(existing: readonly ExistingResource[], steps: readonly Step[]): void {
  const deleted = steps.filter(
    ({ op, oldState }) => op.startsWith('delete') && oldState?.retainOnDelete === false,
  );
  const conflicts = existing.flatMap(({ urn, id }) => {
    const old = deleted.find(({ oldState }) => oldState?.id?.toLowerCase() === id.toLowerCase());
    return old === undefined ? [] : [`${nameInUrn(urn)} (in the stack: ${nameInUrn(old.urn)})`];
  });
  if (conflicts.length === 0) return;
  throw new UserError(
    `The stack already has these resources under other names, and the next update would delete them under those names: ${conflicts.sort().join(', ')}.`,
    'Restore the names that they have in the stack, and run an update. Rename them afterwards.',
  );
}
