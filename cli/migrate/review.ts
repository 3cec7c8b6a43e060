import { stringify } from 'yaml';
import { accountAnnotations, useLabel } from '../../components/identity/signIn';
import { credentialName, defaultAudience, subjectOf } from '../../components/identity/subjects';
import { fitName } from '../../components/azure/naming';
import { tryParseResourceId } from '../../components/azure/resourceId';
import type { Candidate } from './plan';
import { labelOf } from './plan';
import { applications } from './applications';

/** The cluster that the files are for. */
export interface ReviewPlace {
  readonly cluster: string;
  readonly issuer: string;
  readonly tenantId: string;
}

/**
 * Returns the files of a migration for review: texts by name.
 * @param isTrusted tells whether the identity already trusts the service account: Azure refuses a duplicate credential
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

const uniqueBy = <T>(items: readonly T[], key: (item: T) => string): T[] => [
  ...new Map(items.map((item) => [key(item), item])).values(),
];
const accountKey = ({ namespace, serviceAccount }: Candidate) => `${namespace}/${serviceAccount}`;

/** Quotes an argument of a shell command. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

function credentials(
  candidates: readonly Candidate[],
  { cluster, issuer }: ReviewPlace,
  isTrusted: (candidate: Candidate) => boolean,
): string {
  const commands = uniqueBy(
    candidates,
    (candidate) => `${candidate.identity.resourceId} ${accountKey(candidate)}`,
  ).flatMap((candidate) => {
    const id = tryParseResourceId(candidate.identity.resourceId);
    if (id === undefined) return [];
    if (isTrusted(candidate))
      return `# ${JSON.stringify(labelOf(candidate))}: its identity already trusts it.\n`;
    // Kubernetes names have no underscores, so the name is unique per cluster and account.
    const name = fitName('federatedIdentityCredential', `${cluster}_${credentialName(candidate)}`);
    return [
      `# ${JSON.stringify(labelOf(candidate))} can act as ${JSON.stringify(candidate.identity.resourceId)}`,
      `az identity federated-credential create --name ${quoted(name)} \\`,
      `  --identity-name ${quoted(id.name)} --resource-group ${quoted(id.resourceGroupName)} --subscription ${quoted(id.subscriptionId)} \\`,
      `  --issuer ${quoted(issuer)} \\`,
      `  --subject ${quoted(subjectOf(candidate))} --audiences ${quoted(defaultAudience)}`,
      '',
    ].join('\n');
  });
  return [
    '#!/bin/sh -e',
    '# Step 1: the identities trust the service accounts. It takes minutes until a credential is effective.',
    '# Review each command, and find out who owns the identity: afterwards, the service account can act as it.',
    ...commands,
  ].join('\n');
}

function documents(comment: string, objects: readonly object[]): string {
  return [comment, ...objects.map((object) => stringify(object))].join('---\n');
}

function accounts(candidates: readonly Candidate[], { tenantId }: ReviewPlace): string {
  return documents(
    '# Step 1: kubectl apply --server-side --filename service-accounts.yaml\n',
    uniqueBy(candidates, accountKey).map(({ namespace, serviceAccount: name, identity }) => ({
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

/** Tells whether an object must be recreated: a Job's template is immutable, and the webhook changes only new pods. */
export const mustBeRecreated = ({ kind }: Candidate): boolean => kind === 'Job' || kind === 'Pod';

function labels(candidates: readonly Candidate[]): string {
  const template = { template: { metadata: { labels: { [useLabel]: 'true' } } } };
  const recreated = candidates
    .filter(mustBeRecreated)
    .map((candidate) => `# Recreate ${JSON.stringify(labelOf(candidate))} with it.\n`);
  return documents(
    `# Step 2: add these to the workloads at their source (a chart, a repository). Their pods are replaced.\n${recreated.join('')}`,
    candidates
      .filter((candidate) => !mustBeRecreated(candidate))
      .map(({ kind, namespace, name }) => ({
        ...{ apiVersion: apiOf[kind] ?? 'apps/v1', kind, metadata: { name, namespace } },
        spec: kind === 'CronJob' ? { jobTemplate: { spec: template } } : template,
      })),
  );
}
