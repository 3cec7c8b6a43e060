import { parseResourceId } from '../../components/azure/resourceId';
import { defaultAudience } from '../../components/identity/subjects';
import { clientIdAnnotation } from '../../components/identity/signIn';
import { reservedNamespaces } from '../../stacks/settings/schema/applications';
import type { FederatedCredential } from '../../verification/access';
import type { Finding, Found, FoundAccount, FoundCluster, FoundIdentity } from './fromAzureFound';
import { isSameId, nameIn, subjectFor } from './fromAzureFound';

/** A service account that signs in as an identity: the identity trusts it, and it has the identity's client id. */
export interface Use {
  readonly identity: FoundIdentity;
  readonly cluster: FoundCluster;
  readonly account: FoundAccount;
}

/** Returns the service accounts that sign in as identities, and what the federated credentials and annotations do not explain. */
export function usesIn(found: Found): { uses: Use[]; findings: Finding[] } {
  const uses: Use[] = [];
  const findings: Finding[] = [];
  for (const identity of found.identities)
    for (const credential of identity.credentials) {
      const result = useOf(found, identity, credential);
      if (result === undefined) continue;
      if ('kind' in result) findings.push(result);
      else uses.push(result);
    }
  return {
    uses,
    findings: [...findings, ...withoutPods(uses), ...defaultAccounts(uses), ...untrusted(found)],
  };
}

function deleteCredential(identity: FoundIdentity, { name }: FederatedCredential): string {
  const { name: identityName, resourceGroupName, subscriptionId } = parseResourceId(identity.id);
  return `\`az identity federated-credential delete --identity-name ${identityName} --resource-group ${resourceGroupName} --subscription ${subscriptionId} --name ${name}\``;
}

/** Returns undefined for a credential of a cluster that is left out. */
function useOf(
  { clusters }: Found,
  identity: FoundIdentity,
  credential: FederatedCredential,
): Use | Finding | undefined {
  const { name, issuer, subject, audiences } = credential;
  const finding = (kind: Finding['kind'], problem: string, hint: string): Finding => ({
    ...{ kind, problem, hint },
    what: `The federated credential ${name} of ${nameIn(identity.id)}`,
  });
  const stays = 'It stays as it is, and the stack does not manage it.';
  if (subject === undefined)
    return finding(
      'broadSubject',
      `matches tokens of ${issuer} by an expression, not by one subject`,
      `${stays} Check which tokens it matches.`,
    );
  const cluster = clusters.find((other) => other.issuer === issuer);
  if (cluster === undefined)
    return finding(
      'foreignIssuer',
      `trusts ${subject} of ${issuer}, which is not the issuer of a cluster of the subscription`,
      `${stays} Check who gets tokens of that issuer. If it is of a deleted cluster, delete it: ${deleteCredential(identity, credential)}.`,
    );
  if (cluster.accounts === undefined) return undefined;
  const account = cluster.accounts.find((other) => subjectFor(other) === subject);
  const place = nameIn(cluster.id);
  if (account === undefined)
    return finding(
      'missingAccount',
      `trusts ${subject}, which does not exist in ${place}`,
      `Anyone who may create it there gets the identity. Delete the credential if nothing needs it: ${deleteCredential(identity, credential)}.`,
    );
  if (audiences.length !== 1 || audiences[0] !== defaultAudience)
    return finding(
      'otherAudience',
      `trusts ${subject} with the audience ${audiences.join(', ')}`,
      `${stays} To manage it, add the application to the stack file, with \`audience\`.`,
    );
  if (account.clientId === undefined || !isSameId(account.clientId, identity.clientId))
    return finding(
      'otherAnnotation',
      `trusts ${subject} of ${place}, whose annotation ${clientIdAnnotation} ${account.clientId === undefined ? 'is missing' : `names ${account.clientId}`}`,
      `${stays} The stack would set the annotation, and so change how its pods sign in: set it to ${identity.clientId} yourself if that is intended, and run the command again.`,
    );
  if (account.tenantId !== undefined && !isSameId(account.tenantId, identity.tenantId))
    return finding(
      'otherAnnotation',
      `trusts ${subject} of ${place}, which is annotated with the tenant ${account.tenantId}, but the identity is in ${identity.tenantId}`,
      'It gets no token: correct the annotation, and run the command again.',
    );
  if (reservedNamespaces.includes(account.namespace) || account.namespace.startsWith('kube-'))
    return finding(
      'reservedNamespace',
      `trusts ${subject} of ${place}, in a namespace that is reserved`,
      `${stays} To manage it, move the application to a namespace of its own.`,
    );
  return { identity, cluster, account };
}

function withoutPods(uses: readonly Use[]): Finding[] {
  return [...new Set(uses.map(({ identity }) => identity))]
    .filter((identity) => uses.every((use) => use.identity !== identity || use.account.pods === 0))
    .map((identity) => ({
      kind: 'noPods' as const,
      what: nameIn(identity.id),
      problem: 'trusts only service accounts without pods',
      hint: 'Its application is in the stack file. If no job uses it either, remove the application from the file, and delete the identity.',
    }));
}

function defaultAccounts(uses: readonly Use[]): Finding[] {
  return uses
    .filter(({ account }) => account.name === 'default')
    .map(({ identity, cluster, account }) => ({
      kind: 'broadSubject' as const,
      what: nameIn(identity.id),
      problem: `trusts ${subjectFor(account)} of ${nameIn(cluster.id)}, which every pod of the namespace without a service account of its own runs under`,
      hint: 'Its application is in the stack file. Give it a service account of its own.',
    }));
}

/** Returns the annotated service accounts whose pods get no token. */
function untrusted({ clusters, identities }: Found): Finding[] {
  return clusters.flatMap((cluster) =>
    (cluster.accounts ?? []).flatMap((account): Finding[] => {
      const { namespace, name, clientId } = account;
      if (clientId === undefined) return [];
      const subject = subjectFor(account);
      const identity = identities.find((other) => isSameId(other.clientId, clientId));
      if (
        identity?.credentials.some(
          (credential) => credential.issuer === cluster.issuer && credential.subject === subject,
        ) === true
      )
        return [];
      return [
        {
          kind: 'untrustedAccount',
          what: `The service account ${namespace}/${name} of ${nameIn(cluster.id)}`,
          ...(identity === undefined
            ? {
                problem: `is annotated with ${clientId}, which is not the client id of an identity that was read`,
                hint: 'It may be an application in Entra, or an identity of another subscription or resource group: write its application yourself.',
              }
            : {
                problem: `is annotated with the client id of ${nameIn(identity.id)}, which does not trust it`,
                hint: 'Its pods get no token: remove the annotation, or write its application yourself, and the update creates the trust.',
              }),
        },
      ];
    }),
  );
}
