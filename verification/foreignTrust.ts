import { isBindingCredential } from '../components/identity/bindingNames';
import type { Access, FederatedCredential, SignIns } from './access';
import type { TrustingIdentity, VerifiedOutputs } from './checks';
import { soleSignIns, validity } from './storedCredentials';
import { applicationCredentialRemoval, credentialRemoval, describeForeign } from './removal';
import type { ForeignAccess } from './removal';
import type { CheckResult } from './results';
import { Refusable, type Unlisted } from './unlisted';

/** Results of the checks of the stack's resources in Azure. */
export interface AzureChecks {
  checks: CheckResult[];
  /** Access granted outside the stack, which the failed checks name. */
  foreign: ForeignAccess[];
  unlisted: Unlisted[];
}

/**
 * Checks that the stack's identities trust exactly what the stack names. Anyone who adds a federated credential to an
 * identity can sign in as it, and a refresh of the stack does not show this. Never rejects.
 */
export async function checkTrusts(
  outputs: Pick<VerifiedOutputs, 'identities' | 'identityBindings' | 'tenantId'>,
  access: Pick<Access, 'listCredentials' | 'listSignIns'>,
  now: Date,
  limited: <T>(run: () => Promise<T>) => Promise<T>,
): Promise<AzureChecks> {
  const lists = new Refusable(limited);
  const results = await Promise.all(
    outputs.identities.map(async (identity) => {
      const { name, id, clientId } = identity;
      const trusted = await lists.read(name, () => access.listCredentials(id));
      if (trusted === undefined) return { checks: [], foreign: [] };
      const foreign = foreignTrusts(outputs, identity, trusted);
      const trust = trustCheck(identity, trusted, foreign);
      if (clientId === undefined) return { checks: [trust], foreign };
      const signIns = await lists.read(name, async () => ({ found: await access.listSignIns(clientId) }));
      const checks = [
        trust,
        ...validityChecks(identity, now),
        ...(signIns === undefined ? [] : [signInCheck(identity, clientId, signIns.found)]),
      ];
      return { checks, foreign };
    }),
  );
  const inOrder = (a: CheckResult, b: CheckResult) =>
    `${a.cluster}/${a.application}`.localeCompare(`${b.cluster}/${b.application}`);
  return {
    checks: results.flatMap(({ checks }) => checks).sort(inOrder),
    foreign: results.flatMap(({ foreign }) => foreign),
    unlisted: lists.unlisted,
  };
}

function trustCheck(
  { cluster, name, trusts }: TrustingIdentity,
  credentials: readonly FederatedCredential[],
  foreign: readonly ForeignAccess[],
): CheckResult {
  const missing = trusts.filter(
    (trust) =>
      !credentials.some(
        ({ issuer, subject, audiences }) =>
          trust.issuer === issuer && trust.subject === subject && audiences.includes(trust.audience),
      ),
  );
  const problems = [
    ...foreign.map(describeForeign),
    ...missing.map(
      ({ subject, issuer, audience }) =>
        `does not trust ${subject} of ${issuer} with the audience ${audience}; \`pulumi up --refresh\` restores it`,
    ),
  ];
  return {
    cluster,
    application: name,
    check: 'trusts only what the stack names',
    ok: problems.length === 0,
    detail:
      problems.join('; ') ||
      `${credentials.length} federated credential${credentials.length === 1 ? '' : 's'}`,
  };
}

/** Checks that an application in Entra can sign in only with the stack's credentials. */
function signInCheck(
  { cluster, name, credential }: TrustingIdentity,
  clientId: string,
  signIns: SignIns | undefined,
): CheckResult {
  const keyIds = credential?.keyIds ?? [];
  const kind = credential?.kind === 'password' ? 'passwords' : 'certificates';
  const { ok, detail } = soleSignIns(clientId, { [kind]: keyIds }, signIns && { ...signIns, federated: [] });
  return credential === undefined
    ? {
        ...{ cluster, application: name, check: 'signs in only with federation', ok },
        detail: ok ? 'no certificate, no password' : detail,
      }
    : { cluster, application: name, check: `signs in only with its ${kind}`, ok, detail };
}

/** Checks that the credential has not expired. */
function validityChecks({ cluster, name, credential }: TrustingIdentity, now: Date): CheckResult[] {
  if (credential === undefined) return [];
  const { kind, expiresOn, renewAfter } = credential;
  return [
    { cluster, application: name, check: `has a valid ${kind}`, ...validity(expiresOn, renewAfter, now) },
  ];
}

function foreignTrusts(
  { identityBindings = [], tenantId }: Pick<VerifiedOutputs, 'identityBindings' | 'tenantId'>,
  { name: on, id, clientId, trusts }: TrustingIdentity,
  credentials: readonly FederatedCredential[],
): ForeignAccess[] {
  const foreign = credentials.filter(
    (credential) =>
      // AKS created it, and the stack's bindings decide who can use it. Without one, anyone's binding could.
      !identityBindings.some(
        ({ identity }) =>
          identity.id.toLowerCase() === id.toLowerCase() &&
          isBindingCredential(credential, { tenantId, clientId: identity.clientId }),
      ) &&
      !trusts.some(({ issuer, subject }) => issuer === credential.issuer && subject === credential.subject),
  );
  return foreign.map(({ name, issuer, subject }) => {
    const trusted =
      subject === undefined ? `claims of ${issuer} by an expression` : `${subject} of ${issuer}`;
    const what = `trusts ${trusted}, which this stack does not name`;
    return clientId === undefined
      ? { on, what, id: `${id}/federatedIdentityCredentials/${name}`, removal: credentialRemoval(id, name) }
      : { on, what, removal: applicationCredentialRemoval(clientId, name) };
  });
}
