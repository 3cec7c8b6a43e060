import * as pulumi from '@pulumi/pulumi';
import { fieldsOf, textOf } from '../../components/resource/fields';

/** A resource in the state of a stack. */
export interface ResourceInState {
  readonly urn: string;
  /** Its type, after those of its parents: `a:b:Parent$a:b:Child`. */
  readonly type: string;
  readonly name: string;
  readonly outputs: Readonly<Record<string, unknown>>;
}

/**
 * Returns the resources in the state of a stack of the project, in the order of their URNs.
 * @param stack default: this stack
 */
export async function resourcesInState(stack = pulumi.getStack()): Promise<ResourceInState[]> {
  const stackName = `${pulumi.getOrganization()}/${pulumi.getProject()}/${stack}`;
  const answer: unknown = await pulumi.runtime.invoke('pulumi:pulumi:readStackResourceOutputs', {
    stackName,
  });
  return Object.entries(fieldsOf(fieldsOf(answer).outputs))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([urn, resource]) => {
      const [, , type = '', name = ''] = urn.split('::');
      return { urn, type, name, outputs: fieldsOf(fieldsOf(resource).outputs) };
    });
}

const identityType = 'aks-workload-identity:identity:ManagedIdentity';
const grantTypes = ['azure-native:authorization:RoleAssignment', 'azure-native:keyvault:AccessPolicy'];

/** A managed identity in the state of a stack. */
interface IdentityInState {
  /** Name in the stack. */
  readonly key: string;
  /** Resource id. */
  readonly id: string;
}

/** Returns the managed identities. */
export function identitiesIn(resources: readonly ResourceInState[]): IdentityInState[] {
  return resources
    .filter(({ type }) => type.endsWith(identityType))
    .map(({ name: key, outputs }) => ({ key, id: textOf(outputs.id) }));
}

/** Returns the grants of the identity with the key. */
export function grantsOf(resources: readonly ResourceInState[], key: string): ResourceInState[] {
  return resources.filter(
    ({ type, name }) =>
      grantTypes.some((grantType) => type.endsWith(grantType)) && name.split('/').includes(key),
  );
}
