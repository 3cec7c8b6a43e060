import type { FederatedCredential } from '../../verification/access';
import { classifyFailure } from '../../verification/failure';
import { maxCredentialsPerIdentity, subjectOf } from '../../stacks/offline';
import type { Candidate, Obstacle } from './plan';
import { labelOf } from './plan';

/** What Azure has of a managed identity; undefined: there is none. */
export type ReadIdentity = (resourceId: string) => Promise<
  | {
      readonly clientId: string;
      readonly credentials: readonly FederatedCredential[];
    }
  | undefined
>;

/** Candidates whose identities are as their objects say, with the credentials of these; of others, what is wrong. */
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
      const refuse = (problem: string, remedy: string) =>
        obstacles.push({ what: labelOf(candidate), problem, remedy });
      try {
        const found = await readOnce(resourceId);
        if (found === undefined)
          refuse(
            `signs in as ${resourceId}, which Azure does not have`,
            'It gets no token: remove the binding, or name an identity that exists.',
          );
        else if (found.clientId.toLowerCase() !== clientId.toLowerCase())
          refuse(
            `has the client id ${clientId} in AzureIdentity ${candidate.identity.name}, but ${resourceId} has ${found.clientId}`,
            'Ask which of the two is meant, and correct the object.',
          );
        else credentials.set(candidate, found.credentials);
      } catch (error) {
        const { text } = classifyFailure(error);
        refuse(
          `signs in as ${resourceId}, which cannot be read: ${text}`,
          text.startsWith('Azure answered 403 ')
            ? 'Sign in as somebody with the role Reader on it, and run the command again.'
            : 'Run the command again.',
        );
      }
    }),
  );
  const full = tooMany(credentials, issuer);
  for (const candidate of full.flatMap(({ holders }) => holders)) credentials.delete(candidate);
  return { credentials, obstacles: [...obstacles, ...full.map(({ obstacle }) => obstacle)] };
}

/** Identities that would have more federated credentials than Azure allows, and whose these are. */
function tooMany(
  credentials: ReadonlyMap<Candidate, readonly FederatedCredential[]>,
  issuer: string,
): { readonly holders: readonly Candidate[]; readonly obstacle: Obstacle }[] {
  const key = ({ identity }: Candidate) => identity.resourceId.toLowerCase();
  const keys = new Set([...credentials.keys()].map(key));
  return [...keys].flatMap((one) => {
    const all = [...credentials].filter(([candidate]) => key(candidate) === one);
    const subjects = new Set(all.map(([candidate]) => subjectOf(candidate)));
    const others = (all[0]?.[1] ?? []).filter(
      (one) => one.issuer !== issuer || !subjects.has(one.subject ?? ''),
    );
    const count = others.length + subjects.size;
    if (count <= maxCredentialsPerIdentity) return [];
    const holders = all.map(([candidate]) => candidate);
    const obstacle = {
      what: `AzureIdentity ${holders[0]?.identity.name ?? ''}`,
      problem: `would have ${count} federated credentials with those of ${holders.map(labelOf).join(', ')}: an identity holds at most ${maxCredentialsPerIdentity}`,
      remedy: 'Remove those that nothing uses, or divide the workloads among several identities.',
    };
    return [{ holders, obstacle }];
  });
}
