import type { Access, FederatedCredential, SignIns } from './access';
import type { TrustingIdentity, VerifiedOutputs } from './checks';
import { soleSignIns } from './hostedClusters';
import { applicationCredentialRemoval, credentialRemoval } from './removal';
import type { CheckResult } from './report';
import { Refusable, type Unlisted } from './unlisted';

/** What was found about what the stack made in Azure. */
export interface AzureChecks {
  checks: CheckResult[];
  unlisted: Unlisted[];
}

/**
 * Checks that the identities that the stack made trust what it names and nothing else. Whoever adds a federated credential
 * to an identity acts as it from then on, and no refresh of the stack shows that. Never rejects.
 */
export async function checkTrusts(
  { identities }: Pick<VerifiedOutputs, 'identities'>,
  access: Pick<Access, 'listCredentials' | 'listSignIns'>,
  limited: <T>(run: () => Promise<T>) => Promise<T>,
): Promise<AzureChecks> {
  const lists = new Refusable(limited);
  const checks = await Promise.all(
    identities.map(async (identity) => {
      const { name, id, clientId } = identity;
      const trusted = await lists.read(name, () => access.listCredentials(id));
      if (trusted === undefined) return [];
      const trust = trustCheck(identity, trusted);
      if (clientId === undefined) return [trust];
      const signIns = await lists.read(name, async () => ({ found: await access.listSignIns(clientId) }));
      return signIns === undefined ? [trust] : [trust, federationCheck(identity, clientId, signIns.found)];
    }),
  );
  const inOrder = (one: CheckResult, other: CheckResult) =>
    `${one.cluster}/${one.application}`.localeCompare(`${other.cluster}/${other.application}`);
  return { checks: checks.flat().sort(inOrder), unlisted: lists.unlisted };
}

function trustCheck(identity: TrustingIdentity, credentials: readonly FederatedCredential[]): CheckResult {
  const { cluster, name, trusts } = identity;
  const foreign = credentials.filter(
    ({ issuer, subject }) => !trusts.some((trust) => trust.issuer === issuer && trust.subject === subject),
  );
  const lost = trusts.filter(
    (trust) =>
      !credentials.some(
        ({ issuer, subject, audiences }) =>
          trust.issuer === issuer && trust.subject === subject && audiences.includes(trust.audience),
      ),
  );
  const wrong = [
    ...foreign.map((credential) => removeTrust(identity, credential)),
    ...lost.map(
      ({ subject, issuer, audience }) =>
        `does not trust ${subject} of ${issuer} with the audience ${audience}; \`pulumi up --refresh\` restores it`,
    ),
  ];
  return {
    cluster,
    application: name,
    check: 'trusts only what the stack names',
    ok: wrong.length === 0,
    detail:
      wrong.join('; ') || `${credentials.length} federated credential${credentials.length === 1 ? '' : 's'}`,
  };
}

/** Whether an application in Entra can sign in by federation only. */
function federationCheck(
  { cluster, name }: TrustingIdentity,
  clientId: string,
  found: SignIns | undefined,
): CheckResult {
  const outcome = soleSignIns(clientId, [], found && { ...found, federated: [] });
  const detail = outcome.ok ? 'no certificate, no password' : outcome.detail;
  return { cluster, application: name, check: 'signs in only by federation', ok: outcome.ok, detail };
}

function removeTrust({ id, clientId }: TrustingIdentity, { name, issuer, subject }: FederatedCredential) {
  const whom = subject === undefined ? `claims of ${issuer} by an expression` : `${subject} of ${issuer}`;
  const command =
    clientId === undefined ? credentialRemoval(id, name) : applicationCredentialRemoval(clientId, name);
  return `trusts ${whom}, which this stack does not name; remove it: ${command}`;
}
