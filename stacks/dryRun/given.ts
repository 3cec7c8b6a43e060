import { createHash } from 'node:crypto';
import { fieldsOf } from '../../components/resource/fields';
import type { Unread } from '../access/facts';
import { project } from '../settings/problem';

/**
 * What a stack file gives that no resource shows: kubeconfigs, which may lead to another cluster under the same name and are
 * encrypted, and how strict the policies are.
 */
export function givenUnread(config: Readonly<Record<string, unknown>>): Unread[] {
  const kubeconfigs = Object.entries(fieldsOf(config[`${project}:kubeconfigs`])).map(([cluster, value]) => ({
    resource: `kubeconfig of ${cluster}`,
    path: '',
    silent: 'gone' as const,
    value: `encrypted ${createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 12)}`,
  }));
  const policies = Object.entries(fieldsOf(config[`${project}:policies`])).flatMap(([key, value]) =>
    (Array.isArray(value) ? value : [value]).map((one, index) => ({
      ...{ resource: 'policies', path: Array.isArray(value) ? `${key}[${index}]` : key },
      value: typeof one === 'object' ? JSON.stringify(one) : String(one),
    })),
  );
  return [...kubeconfigs, ...policies];
}
