import * as pulumi from '@pulumi/pulumi';
import { fieldsOf } from '../../components/resource/fields';

/** A resource in the state of a stack. */
export interface ResourceInState {
  readonly urn: string;
  /** Its type, after those of its parents: `a:b:Parent$a:b:Child`. */
  readonly type: string;
  readonly name: string;
  readonly outputs: Readonly<Record<string, unknown>>;
}

/** Returns the resources in the state of this stack, in the order of their URNs. */
export async function resourcesInState(): Promise<ResourceInState[]> {
  const stackName = `${pulumi.getOrganization()}/${pulumi.getProject()}/${pulumi.getStack()}`;
  const answer: unknown = await pulumi.runtime.invoke('pulumi:pulumi:readStackResourceOutputs', {
    stackName,
  });
  return Object.entries(fieldsOf(fieldsOf(answer).outputs))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([urn, outputs]) => {
      const [, , type = '', name = ''] = urn.split('::');
      return { urn, type, name, outputs: fieldsOf(outputs) };
    });
}
