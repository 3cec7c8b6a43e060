import { identitiesUsedBy, useBindingAnnotation } from '../components/identity/bindingNames';
import { textsOf } from '../components/resource/fields';
import { memoize } from '../components/resource/memoize';
import type { V1Pod } from '@kubernetes/client-node';
import type { Access, ClusterRoles, FoundBinding } from './access';
import { accountName } from './checks';
import type { AccessCheck, IdentityBindingOutput, VerifiedOutputs, WorkloadOutput } from './checks';
import type { CheckResult, Outcome } from './results';
import { Refusable, type Unlisted } from './unlisted';

const restore = '`pulumi up --refresh` restores it';

/**
 * Returns those that roles of a cluster let use an identity through its identity binding: `<namespace>/<service account>`, or
 * another subject with its kind.
 */
export function usersOf(clientId: string, { roles, bindings }: ClusterRoles): string[] {
  const names = [clientId.toLowerCase(), '*'];
  const using = new Set(
    roles
      .filter(({ rules }) =>
        textsOf(identitiesUsedBy(rules)).some((text) => names.includes(text.toLowerCase())),
      )
      .map(({ metadata }) => metadata?.name),
  );
  const users = bindings
    .filter(({ roleRef }) => using.has(roleRef.name))
    .flatMap(({ subjects }) => subjects ?? [])
    .map(({ kind, namespace, name }) =>
      kind === 'ServiceAccount' ? `${namespace ?? ''}/${name}` : `${kind.toLowerCase()} ${name}`,
    );
  return [...new Set(users)].sort();
}

/** Judges whether a service account may use the identity of its workload. */
export function userOutcome(
  { kind, account }: Extract<AccessCheck, { kind: 'mayUse' | 'mayNotUse' }>,
  { name, clientId }: WorkloadOutput['identity'],
  roles: ClusterRoles,
): Outcome {
  const mayUse = usersOf(clientId, roles).includes(accountName(account));
  if (kind === 'mayUse')
    return mayUse
      ? { ok: true, detail: `may use ${name}` }
      : { ok: false, detail: `no role lets it use ${name}; ${restore}` };
  return mayUse
    ? { ok: false, detail: `a role still lets it use ${name}, although it is revoked` }
    : { ok: true, detail: `no role lets it use ${name}` };
}

/** Checks each identity binding: its identity in Azure, and exactly who may use it in the cluster. Never rejects. */
export async function checkIdentityBindings(
  { identityBindings = [] }: Pick<VerifiedOutputs, 'identityBindings'>,
  access: Pick<Access, 'clusterRoles' | 'readBinding'>,
  limited: <T>(run: () => Promise<T>) => Promise<T>,
): Promise<{ checks: CheckResult[]; unlisted: Unlisted[] }> {
  const lists = new Refusable(limited);
  const rolesByCluster = new Map<string, Promise<ClusterRoles>>();
  const checks = await Promise.all(
    identityBindings.map(async (binding) => {
      const { cluster, identity } = binding;
      const place = { cluster, application: identity.name };
      const name = `of ${identity.name} on ${cluster}`;
      const [found, roles] = await Promise.all([
        lists.read(name, async () => ({ found: await access.readBinding(binding.id) })),
        lists.read(name, () => memoize(rolesByCluster, cluster, () => access.clusterRoles(cluster))),
      ]);
      return [
        ...(found === undefined
          ? []
          : [{ ...place, check: 'identity binding', ...foundOutcome(binding, found.found) }]),
        ...(roles === undefined
          ? []
          : [
              {
                ...{ ...place, check: 'is used only by what the stack names' },
                ...usersOutcome(binding, usersOf(identity.clientId, roles)),
              },
            ]),
      ];
    }),
  );
  return { checks: checks.flat(), unlisted: lists.unlisted };
}

function foundOutcome({ id, identity }: IdentityBindingOutput, found: FoundBinding | undefined): Outcome {
  if (found === undefined) return { ok: false, detail: `${id} does not exist; ${restore}` };
  if (found.identity.toLowerCase() !== identity.id.toLowerCase())
    return { ok: false, detail: `${id} is of another identity, ${found.identity}; ${restore}` };
  return found.state === 'Succeeded'
    ? { ok: true, detail: 'of the identity' }
    : {
        ok: false,
        detail: `${id} is in the state ${found.state}; \`az resource show --ids ${id}\` shows it`,
      };
}

function usersOutcome({ serviceAccounts, role }: IdentityBindingOutput, users: readonly string[]): Outcome {
  const foreign = users.filter((user) => !serviceAccounts.includes(user));
  const missing = serviceAccounts.filter((account) => !users.includes(account));
  const problems = [
    ...foreign.map((user) => `${user} may use it, which this stack does not name`),
    ...missing.map((account) => `${account} may not use it`),
  ];
  return problems.length === 0
    ? { ok: true, detail: users.join(', ') }
    : {
        ok: false,
        // A refresh does not notice a subject that was added to a list (pulumi-kubernetes, pruneSlice).
        detail: `${problems.join('; ')}; delete the ClusterRoleBindings for the identity, and \`pulumi up --refresh\` creates ${role} again`,
      };
}

/** Returns a problem if a pod that runs as an identity lacks the annotation by which it uses the identity binding. */
export function withoutAnnotation(pods: readonly V1Pod[]): Outcome | undefined {
  const pod = pods.find(({ metadata }) => metadata?.annotations?.[useBindingAnnotation] !== 'true');
  if (pod === undefined) return undefined;
  const detail = `${pod.metadata?.name ?? ''} lacks the annotation ${useBindingAnnotation}: "true", so its token is for Entra, which does not trust its service account; what creates the pod must set it`;
  return { ok: false, detail };
}
