import { stringify } from 'yaml';
import {
  accountAnnotations,
  credentialName,
  defaultAudience,
  fitName,
  subjectOf,
  tryParseResourceId,
  useLabel,
} from '../../stacks/offline';
import type { Candidate } from './plan';
import { labelOf } from './plan';
import { applications } from './applications';

/** What the files are made for. */
export interface ReviewPlace {
  readonly cluster: string;
  readonly issuer: string;
  readonly tenantId: string;
}

/**
 * The files of a migration that people review: name → text.
 * @param isTrusted whether the identity trusts the service account already: Azure refuses the same trust a second time
 */
export function reviewFiles(
  candidates: readonly Candidate[],
  place: ReviewPlace,
  isTrusted: (candidate: Candidate) => boolean = () => false,
): Map<string, string> {
  return new Map([
    ['federated-credentials.sh', credentials(candidates, place, isTrusted)],
    ['service-accounts.yaml', accounts(candidates, place)],
    ['labels.yaml', labels(candidates)],
    ['applications.yaml', applications(candidates, place)],
  ]);
}

const once = <T>(all: readonly T[], key: (one: T) => string): T[] => [
  ...new Map(all.map((one) => [key(one), one])).values(),
];
const accountKey = ({ namespace, serviceAccount }: Candidate) => `${namespace}/${serviceAccount}`;

/** An argument of a shell's command, whatever is in it. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

function credentials(
  candidates: readonly Candidate[],
  { cluster, issuer }: ReviewPlace,
  isTrusted: (candidate: Candidate) => boolean,
): string {
  const commands = once(candidates, (one) => `${one.identity.resourceId} ${accountKey(one)}`).flatMap(
    (one) => {
      const id = tryParseResourceId(one.identity.resourceId);
      if (id === undefined) return [];
      if (isTrusted(one)) return `# ${JSON.stringify(labelOf(one))}: its identity trusts it already.\n`;
      // No name in Kubernetes has an underscore: those of different clusters and accounts are different.
      const name = fitName('federatedIdentityCredential', `${cluster}_${credentialName(one)}`);
      return [
        `# ${JSON.stringify(labelOf(one))} becomes ${JSON.stringify(one.identity.resourceId)}`,
        `az identity federated-credential create --name ${quoted(name)} \\`,
        `  --identity-name ${quoted(id.name)} --resource-group ${quoted(id.resourceGroupName)} --subscription ${quoted(id.subscriptionId)} \\`,
        `  --issuer ${quoted(issuer)} \\`,
        `  --subject ${quoted(subjectOf(one))} --audiences ${quoted(defaultAudience)}`,
        '',
      ].join('\n');
    },
  );
  return [
    '#!/bin/sh -e',
    '# Step 1: the identities trust the service accounts. Azure takes minutes until a credential is effective.',
    '# Read each, and ask who owns the identity: from then on the service account is the identity.',
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
        annotations: accountAnnotations({ clientId: identity.clientId, tenantId }),
      },
    })),
  );
}

const apiOf: Readonly<Record<string, string>> = {
  ...{ CronJob: 'batch/v1', ReplicationController: 'v1' },
};

/** Of what is never changed in place: a Job's template is immutable, and the webhook looks at a pod once. */
export const isMadeAnew = ({ kind }: Candidate): boolean => kind === 'Job' || kind === 'Pod';

function labels(candidates: readonly Candidate[]): string {
  const template = { template: { metadata: { labels: { [useLabel]: 'true' } } } };
  const anew = candidates
    .filter(isMadeAnew)
    .map((one) => `# Make ${JSON.stringify(labelOf(one))} anew with it.\n`);
  return documents(
    `# Step 2: add these to the workloads where they come from (a chart, a repository). Their pods are replaced.\n${anew.join('')}`,
    candidates
      .filter((one) => !isMadeAnew(one))
      .map(({ kind, namespace, name }) => ({
        ...{ apiVersion: apiOf[kind] ?? 'apps/v1', kind, metadata: { name, namespace } },
        spec: kind === 'CronJob' ? { jobTemplate: { spec: template } } : template,
      })),
  );
}
