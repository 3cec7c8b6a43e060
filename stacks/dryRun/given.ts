import { createHash } from 'node:crypto';
import { fieldsOf } from '../../components/resource/fields';
import type { Unread } from '../access/facts';
import { project } from '../settings/problem';

type Config = Readonly<Record<string, unknown>>;

/** Kubeconfigs of a stack file, which are encrypted: another one may lead to another cluster under the same name. */
export function kubeconfigsIn(config: Config): Unread[] {
  return Object.entries(fieldsOf(config[`${project}:kubeconfigs`])).map(([cluster, value]) => ({
    resource: `kubeconfig of ${cluster}`,
    path: '',
    silent: 'gone' as const,
    value: `encrypted ${createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 12)}`,
  }));
}

/** How strict the policies are, by a stack file. */
export function policiesIn(config: Config): Unread[] {
  return Object.entries(fieldsOf(config[`${project}:policies`])).flatMap(([key, value]) =>
    (Array.isArray(value) ? value : [value]).map((one, index) => ({
      ...{ resource: 'policies', path: Array.isArray(value) ? `${key}[${index}]` : key },
      value: typeof one === 'object' ? JSON.stringify(one) : String(one),
    })),
  );
}
