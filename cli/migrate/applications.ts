import { stringify } from 'yaml';
import { bindingLabel, fitName, imagePattern, useLabel } from '../../stacks/offline';
import type { PodTemplate } from './objects';
import type { Candidate } from './plan';
import { labelOf } from './plan';

/** What Kubernetes writes into each pod, and an application has the same. */
const defaults: Readonly<Record<string, unknown>> = {
  ...{ restartPolicy: 'Always', dnsPolicy: 'ClusterFirst', schedulerName: 'default-scheduler' },
  ...{ terminationGracePeriodSeconds: 30, securityContext: {}, resources: {} },
  ...{ terminationMessagePath: '/dev/termination-log', terminationMessagePolicy: 'File' },
};
/** Carried, or said on their own. */
const known = ['name', 'image', 'env', 'ports', 'containers', 'serviceAccountName'];
const unimportant = ['serviceAccount', 'imagePullPolicy'];

/** Names of the fields that an application has no place for. */
const fieldsBeside = (part: object): string[] =>
  Object.entries(part).flatMap(([key, value]) =>
    [...known, ...unimportant].includes(key) || JSON.stringify(defaults[key]) === JSON.stringify(value)
      ? []
      : [key],
  );

const isImage = (image: string): boolean => imagePattern.test(image);

/** What is not in the application that is made of a pod; quoted, since it goes into a comment. */
function notCarried({ metadata, spec = {} }: PodTemplate): string[] {
  const [container = {}] = spec.containers ?? [];
  const { env = [], ports = [] } = container;
  return [
    ...(metadata?.annotations === undefined ? [] : ['annotations']),
    ...Object.keys(metadata?.labels ?? {}).flatMap((key) =>
      key === bindingLabel || key === useLabel ? [] : [`label ${JSON.stringify(key)}`],
    ),
    ...[...fieldsBeside(spec), ...fieldsBeside(container)].map((field) => JSON.stringify(field)),
    ...ports.slice(1).map(({ containerPort }) => `port ${JSON.stringify(containerPort)}`),
    ...env.map(({ name }) => `env ${JSON.stringify(name)}`),
  ];
}

/** What a stack needs to run the workloads itself, in place of whoever does now. */
export function applications(candidates: readonly Candidate[], { cluster }: { cluster: string }): string {
  const deployments = candidates.filter(({ kind }) => kind === 'Deployment');
  const fits = ({ namespace, template: { spec } }: Candidate) =>
    spec?.containers?.length === 1 &&
    isImage(spec.containers[0]?.image ?? '') &&
    !/^(default$|kube-)/.test(namespace);
  const key = ({ identity }: Candidate) => identity.resourceId.toLowerCase();
  const fitting = deployments.filter(fits);
  const firstOf = (one: Candidate) => fitting.find((other) => key(other) === key(one)) ?? one;
  const kept = fitting.filter((one) => firstOf(one) === one);
  const names = new Set<string>();
  const named = kept.map((one) => {
    const base = one.name.replaceAll('.', '-');
    let name = fitName('application', base);
    for (let count = 2; names.has(name); count += 1) name = fitName('application', `${base}-${count}`);
    names.add(name);
    return { one, name };
  });
  const list = named.map(({ one, name }) => {
    const { namespace, serviceAccount, identity, template, replicas } = one;
    const [container] = template.spec?.containers ?? [];
    const [port] = container?.ports ?? [];
    return {
      ...{ name, clusters: [cluster], image: container?.image ?? '' },
      ...(replicas !== undefined && { replicas }),
      ...(port !== undefined && { port: port.containerPort }),
      identity: { existing: { [cluster]: identity.resourceId } },
      namespace: { name: namespace, existing: true },
      // They are in it together already.
      ...(kept.some((other) => other !== one && other.namespace === namespace) && {
        sharedNamespace: 'accepted',
      }),
      serviceAccount: { name: serviceAccount, existing: true },
      secrets: [],
    };
  });
  const comment = (about: Candidate, text: string) => `# ${JSON.stringify(labelOf(about))}: ${text}`;
  return [
    '# Instead of steps 1 and 2, for Deployments that the stack is to run from now on: merge it into the stack file, and name',
    '# their secrets. It interrupts them: the Deployment that is there has to be deleted before the first update makes its own,',
    '# unless the name here is another one; then delete it when the pods of the new one are ready.',
    '# No value of `env` is carried over, since it may be secret: add those that are not, and have the others in a vault.',
    ...named.flatMap(({ one }) => {
      const left = notCarried(one.template);
      return left.length === 0 ? [] : [comment(one, `not carried over: ${left.join(', ')}`)];
    }),
    ...deployments
      .filter((one) => !fits(one))
      .map((one) =>
        comment(
          one,
          'left out: an application has one container, an image with a tag or a digest, and a namespace of its own.',
        ),
      ),
    ...fitting
      .filter((one) => !kept.includes(one))
      .map((one) =>
        comment(
          one,
          `left out: a stack has each identity once, and ${JSON.stringify(labelOf(firstOf(one)))} has it. Give it an identity of its own first, or leave it to who runs it now, by steps 1 and 2.`,
        ),
      ),
    ...(list.some((one) => 'sharedNamespace' in one)
      ? [
          '# With `sharedNamespace: accepted`, whoever may make pods in the namespace can use the identity of each: better, give each',
          '# application a namespace of its own, and remove it.',
        ]
      : []),
    stringify({ 'aks-workload-identity:applications': list }),
  ].join('\n');
}
