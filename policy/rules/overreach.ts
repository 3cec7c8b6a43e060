import { firstFew } from '../../components/resource/firstFew';
import { rowsOf } from '../../stacks/access/rows';
import type { Access } from '../../stacks/access/reach';
import type { StackRule } from './rule';

/** Workloads can use only the secrets that they name. */
export const overreach: StackRule = {
  name: 'overreach',
  description: 'A workload can read the secrets that it names, and no others.',
  level: 'advisory',
  checkAll(resources, _, access) {
    const sentences = overreachOf(access());
    return resources
      .filter(({ type }) => type === 'aks-workload-identity:application:Workload')
      .flatMap((resource) => (sentences.get(resource.name) ?? []).map((problem) => ({ resource, problem })));
  },
};

const hint = 'Set `identity: application`, and on its vault `access: rbac` or `placement: perApplication`.';

/** Sentences on secrets that workloads can use without naming them, by the workload's name in the stack. */
export function overreachOf(access: Access): ReadonlyMap<string, readonly string[]> {
  const sentences = new Map<string, string[]>();
  for (const { cluster, reader, what, because, overreach: count } of rowsOf(access)) {
    if (count === 0) continue;
    const workload = `${cluster}-${reader}`;
    const more = count > what.length ? [`${count - what.length} more`] : [];
    const sentence = `It can use ${[firstFew(what), ...more].join(' and ')}: ${because}. ${hint}`;
    sentences.set(workload, [...(sentences.get(workload) ?? []), sentence]);
  }
  return sentences;
}
