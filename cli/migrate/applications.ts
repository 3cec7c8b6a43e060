import type { V1Container } from '@kubernetes/client-node';
import { stringify } from 'yaml';
import { bindingLabel } from '../../components/podIdentity/names';
import { fitName } from '../../components/azure/naming';
import { imagePattern } from '../../stacks/settings/schema/fields';
import { useLabel } from '../../components/identity/signIn';
import type { PodTemplate } from './objects';
import type { Candidate } from './plan';
import { labelOf } from './plan';

/** Defaults of Kubernetes in each pod, which an application gets as well. */
const defaults: Readonly<Record<string, unknown>> = {
  ...{ restartPolicy: 'Always', dnsPolicy: 'ClusterFirst', schedulerName: 'default-scheduler' },
  ...{ terminationGracePeriodSeconds: 30, securityContext: {}, resources: {} },
  ...{ terminationMessagePath: '/dev/termination-log', terminationMessagePolicy: 'File' },
};
/** Fields that are carried over or reported separately. */
const known = ['name', 'image', 'env', 'ports', 'containers', 'serviceAccountName'];
const ignored = ['serviceAccount', 'imagePullPolicy'];

/** Returns the names of the fields that an application does not support. */
const unsupportedFields = (part: object): string[] =>
  Object.entries(part).flatMap(([key, value]) =>
    [...known, ...ignored].includes(key) || JSON.stringify(defaults[key]) === JSON.stringify(value)
      ? []
      : [key],
  );

const isImage = (image: string): boolean => imagePattern.test(image);

/** Lists what is not carried over from a pod into the application; quoted, since it is written into a comment. */
function notCarried({ metadata, spec = {} }: PodTemplate): string[] {
  const container: Partial<V1Container> = spec.containers?.[0] ?? {};
  const { env = [], ports = [] } = container;
  return [
    ...(metadata?.annotations === undefined ? [] : ['annotations']),
    ...Object.keys(metadata?.labels ?? {}).flatMap((key) =>
      key === bindingLabel || key === useLabel ? [] : [`label ${JSON.stringify(key)}`],
    ),
    ...[...unsupportedFields(spec), ...unsupportedFields(container)].map((field) => JSON.stringify(field)),
    ...ports.slice(1).map(({ containerPort }) => `port ${JSON.stringify(containerPort)}`),
    ...env.map(({ name }) => `env ${JSON.stringify(name)}`),
  ];
}

/** Writes the settings for a stack that runs the Deployments itself. */
export function applications(candidates: readonly Candidate[], { cluster }: { cluster: string }): string {
  const deployments = candidates.filter(({ kind }) => kind === 'Deployment');
  const fits = ({ namespace, template: { spec } }: Candidate) =>
    spec?.containers?.length === 1 &&
    isImage(spec.containers[0]?.image ?? '') &&
    !/^(default$|kube-)/.test(namespace);
  const key = ({ identity }: Candidate) => identity.resourceId.toLowerCase();
  const fitting = deployments.filter(fits);
  const firstOf = (candidate: Candidate) =>
    fitting.find((other) => key(other) === key(candidate)) ?? candidate;
  const kept = fitting.filter((candidate) => firstOf(candidate) === candidate);
  const names = new Set<string>();
  const named = kept.map((candidate) => {
    const base = candidate.name.replaceAll('.', '-');
    let name = fitName('application', base);
    for (let count = 2; names.has(name); count += 1) name = fitName('application', `${base}-${count}`);
    names.add(name);
    return { candidate, name };
  });
  const list = named.map(({ candidate, name }) => {
    const { namespace, serviceAccount, identity, template, replicas } = candidate;
    const [container] = template.spec?.containers ?? [];
    const [port] = container?.ports ?? [];
    return {
      ...{ name, clusters: [cluster], image: container?.image ?? '' },
      ...(replicas !== undefined && { replicas }),
      ...(port !== undefined && { port: port.containerPort }),
      identity: { existing: { [cluster]: identity.resourceId } },
      namespace: { name: namespace, existing: true },
      // They already share the namespace.
      ...(kept.some((other) => other !== candidate && other.namespace === namespace) && {
        sharedNamespace: 'accepted',
      }),
      serviceAccount: { name: serviceAccount, existing: true },
      secrets: [],
    };
  });
  const comment = (about: Candidate, text: string) => `# ${JSON.stringify(labelOf(about))}: ${text}`;
  return [
    '# Alternative to steps 1 and 2, for Deployments that the stack should run from now on: merge this into the stack file, and',
    '# name their secrets. It causes an interruption: delete the existing Deployment before the first update creates the new one.',
    '# If the names differ, delete it when the new pods are ready.',
    '# Values of `env` are not carried over, since they may be secret: add harmless ones here, and store the others in a vault.',
    ...named.flatMap(({ candidate }) => {
      const left = notCarried(candidate.template);
      return left.length === 0 ? [] : [comment(candidate, `not carried over: ${left.join(', ')}`)];
    }),
    ...deployments
      .filter((candidate) => !fits(candidate))
      .map((candidate) =>
        comment(
          candidate,
          'left out: an application has one container, an image with a tag or a digest, and its own namespace.',
        ),
      ),
    ...fitting
      .filter((candidate) => !kept.includes(candidate))
      .map((candidate) =>
        comment(
          candidate,
          `left out: it shares the identity of ${JSON.stringify(labelOf(firstOf(candidate)))}. Give it its own identity first, or migrate it where it runs now, by steps 1 and 2.`,
        ),
      ),
    ...(list.some((application) => 'sharedNamespace' in application)
      ? [
          '# With `sharedNamespace: accepted`, anyone who may create pods in the namespace can use the identity of each application.',
          '# It is safer to give each application its own namespace and to remove the setting.',
        ]
      : []),
    stringify({ 'aks-workload-identity:applications': list }),
  ].join('\n');
}
