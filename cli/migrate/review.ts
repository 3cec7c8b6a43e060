import { stringify } from 'yaml';
import { subjectOf } from '../../stacks/offline';
import type { Candidate } from './plan';
import { labelOf, useLabel } from './plan';
import { audience, clientIdAnnotation } from './steps';

/** What the files are made for. */
export interface ReviewPlace {
  readonly cluster: string;
  readonly issuer: string;
  readonly tenantId: string;
}

/** The files of a migration that people review: name → text. */
export function reviewFiles(candidates: readonly Candidate[], place: ReviewPlace): Map<string, string> {
  return new Map([
    ['federated-credentials.sh', credentials(candidates, place)],
    ['service-accounts.yaml', accounts(candidates, place)],
    ['labels.yaml', labels(candidates)],
    ['applications.yaml', applications(candidates, place)],
  ]);
}

const once = <T>(all: readonly T[], key: (one: T) => string): T[] => [
  ...new Map(all.map((one) => [key(one), one])).values(),
];
const accountKey = ({ namespace, serviceAccount }: Candidate) => `${namespace}/${serviceAccount}`;

function credentials(candidates: readonly Candidate[], { cluster, issuer }: ReviewPlace): string {
  const commands = once(candidates, (one) => `${one.identity.resourceId} ${accountKey(one)}`).map((one) => {
    const [, , subscription, , group, , , , name] = one.identity.resourceId.split('/');
    const credential = `${cluster}-${one.namespace}-${one.serviceAccount}`.slice(0, 120);
    return [
      `# ${labelOf(one)}`,
      `az identity federated-credential create --name ${credential} \\`,
      `  --identity-name ${name ?? ''} --resource-group ${group ?? ''} --subscription ${subscription ?? ''} \\`,
      `  --issuer ${issuer} \\`,
      `  --subject ${subjectOf(one)} --audiences ${audience}`,
      '',
    ].join('\n');
  });
  return [
    '#!/bin/sh -e',
    '# Step 1: the identities trust the service accounts. Azure takes minutes until a credential is effective.',
    ...commands,
  ].join('\n');
}

function documents(comment: string, objects: readonly object[]): string {
  return [comment, ...objects.map((one) => stringify(one))].join('---\n');
}

function accounts(candidates: readonly Candidate[], { tenantId }: ReviewPlace): string {
  return documents(
    '# Step 1: kubectl apply --server-side --filename service-accounts.yaml\n',
    once(candidates, accountKey).map(({ namespace, serviceAccount: name, identity }) => ({
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: {
        ...{ name, namespace },
        annotations: {
          [clientIdAnnotation]: identity.clientId,
          'azure.workload.identity/tenant-id': tenantId,
        },
      },
    })),
  );
}

const apiOf: Readonly<Record<string, string>> = { CronJob: 'batch/v1', Job: 'batch/v1', Pod: 'v1' };

function labels(candidates: readonly Candidate[]): string {
  const metadata = { labels: { [useLabel]: 'true' } };
  return documents(
    '# Step 2: add these to the workloads where they come from (a chart, a repository). Their pods are replaced.\n',
    candidates.map(({ kind, namespace, name }) => {
      const head = { apiVersion: apiOf[kind] ?? 'apps/v1', kind };
      if (kind === 'Pod') return { ...head, metadata: { name, namespace, ...metadata } };
      const template = { template: { metadata } };
      const spec = kind === 'CronJob' ? { jobTemplate: { spec: template } } : template;
      return { ...head, metadata: { name, namespace }, spec };
    }),
  );
}

/** What a stack needs to run the workloads itself, in place of whoever does now. */
function applications(candidates: readonly Candidate[], { cluster }: ReviewPlace): string {
  const list = candidates
    .filter(({ kind, template }) => kind === 'Deployment' && template.spec?.containers?.length === 1)
    .map(({ name, namespace, serviceAccount, identity, template, replicas }) => {
      const [container] = template.spec?.containers ?? [];
      const env = (container?.env ?? []).flatMap(({ name: key, value }) =>
        value === undefined ? [] : [[key, value] as const],
      );
      const [port] = container?.ports ?? [];
      return {
        ...{ name, clusters: [cluster], image: container?.image ?? '' },
        ...(replicas !== undefined && { replicas }),
        ...(port !== undefined && { port: port.containerPort }),
        ...(env.length > 0 && { env: Object.fromEntries(env) }),
        identity: { existing: { [cluster]: identity.resourceId } },
        namespace: { name: namespace, existing: true },
        serviceAccount: { name: serviceAccount, existing: true },
        secrets: [],
      };
    });
  return [
    '# Instead of steps 1 and 2, for Deployments that the stack is to run from now on: merge it into the stack file, name',
    '# their secrets, and delete the Deployment that is there with the first update.',
    stringify({ 'aks-workload-identity:applications': list }),
  ].join('\n');
}
