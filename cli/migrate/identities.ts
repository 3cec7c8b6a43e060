import type { FederatedCredential } from '../../verification/access';
import { classifyFailure } from '../../verification/failure';
import { maxCredentialsPerIdentity, subjectOf } from '../../components/identity/subjects';
import type { Candidate, Obstacle } from './plan';
import { labelOf } from './plan';

/** Reads a managed identity in Azure; undefined if it does not exist. */
export type ReadIdentity = (resourceId: string) => Promise<
  | {
      readonly clientId: string;
      readonly credentials: readonly FederatedCredential[];
    }
  | undefined
>;

/** Compares the candidates' objects with Azure. Returns the credentials of matching identities, and obstacles for the others. */
export async function compareIdentities(
  candidates: readonly Candidate[],
  issuer: string,
  read: ReadIdentity,
): Promise<{
  readonly credentials: ReadonlyMap<Candidate, readonly FederatedCredential[]>;
  readonly obstacles: readonly Obstacle[];
}> {
  const credentials = new Map<Candidate, readonly FederatedCredential[]>();
  const obstacles: Obstacle[] = [];
  const answers = new Map<string, ReturnType<ReadIdentity>>();
  const readOnce = (resourceId: string) => {
    const key = resourceId.toLowerCase();
    const answer = answers.get(key) ?? read(resourceId);
    answers.set(key, answer);
    return answer;
  };
  await Promise.all(
    candidates.map(async (candidate) => {
      const { resourceId, clientId } = candidate.identity;
      const refuse = (problem: string, hint: string) =>
        obstacles.push({ what: labelOf(candidate), problem, hint });
      try {
        const identity = await readOnce(resourceId);
        if (identity === undefined)
          refuse(
            `signs in as ${resourceId}, which does not exist in Azure`,
            'It gets no token: remove the binding, or name an existing identity.',
          );
        else if (identity.clientId.toLowerCase() !== clientId.toLowerCase())
          refuse(
            `has the client id ${clientId} in AzureIdentity ${candidate.identity.name}, but ${resourceId} has ${identity.clientId}`,
            'Find out which of the two is right, and correct the object.',
          );
        else credentials.set(candidate, identity.credentials);
      } catch (error) {
        const { text } = classifyFailure(error);
        refuse(
          `signs in as ${resourceId}, which cannot be read: ${text}`,
          text.startsWith('Azure answered 403 ')
            ? 'Sign in with an account that has the role Reader on it, and run the command again.'
            : 'Run the command again.',
        );
      }
    }),
  );
  const full = tooMany(credentials, issuer);
  for (const candidate of full.flatMap(({ holders }) => holders)) credentials.delete(candidate);
  return { credentials, obstacles: [...obstacles, ...full.map(({ obstacle }) => obstacle)] };
}

/** Finds identities that would exceed Azure's limit of federated credentials, and their candidates. */
function tooMany(
  credentials: ReadonlyMap<Candidate, readonly FederatedCredential[]>,
  issuer: string,
): { readonly holders: readonly Candidate[]; readonly obstacle: Obstacle }[] {
  const key = ({ identity }: Candidate) => identity.resourceId.toLowerCase();
  const keys = new Set([...credentials.keys()].map(key));
  return [...keys].flatMap((identityKey) => {
    const entries = [...credentials].filter(([candidate]) => key(candidate) === identityKey);
    const subjects = new Set(entries.map(([candidate]) => subjectOf(candidate)));
    const others = (entries[0]?.[1] ?? []).filter(
      (credential) => credential.issuer !== issuer || !subjects.has(credential.subject ?? ''),
    );
    const count = others.length + subjects.size;
    if (count <= maxCredentialsPerIdentity) return [];
    const holders = entries.map(([candidate]) => candidate);
    const obstacle = {
      what: `AzureIdentity ${holders[0]?.identity.name ?? ''}`,
      problem: `would have ${count} federated credentials with those of ${holders.map(labelOf).join(', ')}; the limit is ${maxCredentialsPerIdentity} per identity`,
      hint: 'Remove unused credentials, or distribute the workloads over several identities.',
    };
    return [{ holders, obstacle }];
  });
}
