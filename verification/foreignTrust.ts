import type { Access, FederatedCredential, SignIns } from './access';
import type { TrustingIdentity, VerifiedOutputs } from './checks';
import { soleSignIns, validity } from './hostedClusters';
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
  now: Date,
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
      return [
        trust,
        ...validityChecks(identity, now),
        ...(signIns === undefined ? [] : [signInCheck(identity, clientId, signIns.found)]),
      ];
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

/** Whether an application in Entra can sign in only by what the stack gave it. */
function signInCheck(
  { cluster, name, credential }: TrustingIdentity,
  clientId: string,
  found: SignIns | undefined,
): CheckResult {
  const keyIds = credential?.keyIds ?? [];
  const kind = credential?.kind === 'password' ? 'passwords' : 'certificates';
  const { ok, detail } = soleSignIns(clientId, { [kind]: keyIds }, found && { ...found, federated: [] });
  return credential === undefined
    ? {
        ...{ cluster, application: name, check: 'signs in only by federation', ok },
        detail: ok ? 'no certificate, no password' : detail,
      }
    : { cluster, application: name, check: `signs in only by its ${kind}`, ok, detail };
}

/** Whether what it signs in with has expired. */
function validityChecks({ cluster, name, credential }: TrustingIdentity, now: Date): CheckResult[] {
  if (credential === undefined) return [];
  const { kind, expiresOn, renewAfter } = credential;
  return [
    { cluster, application: name, check: `has a valid ${kind}`, ...validity(expiresOn, renewAfter, now) },
  ];
}

function removeTrust({ id, clientId }: TrustingIdentity, { name, issuer, subject }: FederatedCredential) {
  const whom = subject === undefined ? `claims of ${issuer} by an expression` : `${subject} of ${issuer}`;
  const command =
    clientId === undefined ? credentialRemoval(id, name) : applicationCredentialRemoval(clientId, name);
  return `trusts ${whom}, which this stack does not name; remove it: ${command}`;
}
