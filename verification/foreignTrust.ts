import type { Access, FederatedCredential } from './access';
import type { TrustingIdentity, VerifiedOutputs } from './checks';
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
  access: Pick<Access, 'listCredentials'>,
  limited: <T>(run: () => Promise<T>) => Promise<T>,
): Promise<AzureChecks> {
  const lists = new Refusable(limited);
  const checks = await Promise.all(
    identities.map(async (identity) => {
      const found = await lists.read(identity.name, () => access.listCredentials(identity.id));
      return found === undefined ? [] : [trustCheck(identity, found)];
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

function removeTrust(
  { id, name: identity }: TrustingIdentity,
  { name, issuer, subject }: FederatedCredential,
) {
  const [, , subscription = '', , group = ''] = id.split('/');
  const whom = subject === undefined ? `claims of ${issuer} by an expression` : `${subject} of ${issuer}`;
  return `trusts ${whom}, which this stack does not name; remove it: az identity federated-credential delete --subscription ${subscription} --resource-group ${group} --identity-name ${identity} --name ${name}`;
}
