import * as pulumi from '@pulumi/pulumi';
import { fieldsOf } from '../../components/resource/fields';
import type { Configuration } from '../plan';
import type { Problem } from '../settings/problem';

/**
 * Returns a problem if the state of the stack still has clusters that now belong to another stack of the environment: an update
 * would remove them here before the other stack has them. The program knows them from the outputs of the last update.
 */
export async function movedClusterProblems({ environment, cells, cell }: Configuration): Promise<Problem[]> {
  if (cells.length === 0) return [];
  const before = Object.keys(fieldsOf((await ownOutputs()).clusters));
  const elsewhere = cells.filter(({ name }) => name !== cell?.name);
  const moved = before.filter((cluster) => elsewhere.some(({ clusters }) => clusters.includes(cluster)));
  if (moved.length === 0) return [];
  return [
    {
      path: ['cells'],
      what: `moves ${moved.join(', ')} to another stack, but the state of this stack still has the resources`,
      allowed: 'clusters whose resources are in the state of their stack',
      hint: `Move them first, which changes nothing in Azure: \`npx aks-wi fleet move --stack ${environment}\`.`,
    },
  ];
}

/** Returns the outputs of the last update of this stack; nothing before the first. */
async function ownOutputs(): Promise<Readonly<Record<string, unknown>>> {
  const name = `${pulumi.getOrganization()}/${pulumi.getProject()}/${pulumi.getStack()}`;
  const answer: unknown = await pulumi.runtime
    .invoke('pulumi:pulumi:readStackOutputs', { name })
    .catch(() => ({}));
  return fieldsOf(fieldsOf(answer).outputs);
}
