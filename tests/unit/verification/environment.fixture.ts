import type { ReachQuestion } from '../../../stacks/access/question';
import { secretsIn } from '../../../stacks/plan/granted';
import type { V1Pod } from '@kubernetes/client-node' with { 'resolution-mode': 'import' };
import { connectionWriterActions } from '../../../components/dependency/keys';
import type { Access, RoleAssignment } from '../../../verification/access';
import type { ServiceAccountRef, WorkloadOutput } from '../../../verification/checks';
import { summarize, toReport } from '../../../verification/report';
import { verifyStack } from '../../../verification/runner';
import { annotationsOf, clientIdOf, ManualClock, pod, twoClusters } from './outputs.fixture';
import { shownFailures } from './shown.fixture';

/** As a vault refuses. */
export const forbidden = (): Error =>
  Object.assign(new Error('no'), {
    statusCode: 403,
    code: 'Forbidden',
    details: { error: { code: 'Forbidden' } },
  });

/** An environment that behaves as its outputs say; a test breaks one thing of it. */
export class Environment implements Access {
  /** What the stack registered: an access policy for reports. */
  readonly reasonToReach = ({ identity, vaultId }: ReachQuestion): string | undefined =>
    identity.name === 'id-aks-2-reports' && vaultId.includes('kv-reports')
      ? 'an access policy, which opens the whole vault'
      : undefined;

  readonly outputs = twoClusters();
  /** What Azure lists, at any scope. */
  assignments: RoleAssignment[] = [];
  /** Grants beyond, or without, what the outputs say: `identity → vault host/secret → readable`. */
  readonly overrides = new Map<string, () => Promise<void>>();
  beforeSignIn: (clientId: string) => void = () => undefined;
  trustsEverybody = false;
  /** What lies in a vault beyond what the stack names. */
  readonly unnamed = new Map<string, string[]>();
  /** Kubernetes secrets by which workloads sign in. */
  readonly secretsReadInClusters: string[] = [];
  /** Why nothing can be listed. */
  refusesToList: Error | undefined;

  annotations(account: ServiceAccountRef): Promise<Record<string, string>> {
    return Promise.resolve(annotationsOf(clientIdOf(this.outputs, account)));
  }

  pods(account: ServiceAccountRef): Promise<V1Pod[]> {
    return Promise.resolve([pod(clientIdOf(this.outputs, account))]);
  }

  clusterRoles(cluster: string) {
    const bindings = (this.outputs.identityBindings ?? []).filter((binding) => binding.cluster === cluster);
    const names = (list: readonly string[]) =>
      list.map((account) => {
        const [namespace = '', name = ''] = account.split('/');
        return { kind: 'ServiceAccount', namespace, name };
      });
    return Promise.resolve({
      roles: bindings.map(({ role, identity }) => ({
        metadata: { name: role },
        rules: [
          {
            apiGroups: ['cid.wi.aks.azure.com'],
            resources: [identity.clientId],
            verbs: ['use-managed-identity'],
          },
        ],
      })),
      bindings: bindings.map(({ role, serviceAccounts }) => ({
        metadata: { name: role },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
        subjects: names(serviceAccounts),
      })),
    });
  }

  readBinding(id: string) {
    const binding = this.outputs.identityBindings?.find((candidate) => candidate.id === id);
    return Promise.resolve(binding && { identity: binding.identity.id, state: 'Succeeded' });
  }

  podsOfRelease(): Promise<V1Pod[]> {
    return Promise.resolve([]);
  }

  lastLines(): Promise<string> {
    return Promise.resolve('');
  }

  serviceAccountToken(account: {
    cluster: string;
    namespace: string;
    serviceAccount: string;
  }): Promise<string> {
    return Promise.resolve(`${account.cluster}:${account.namespace}:${account.serviceAccount}`);
  }

  signInByCredential(
    { cluster, namespace, serviceAccount, identity }: WorkloadOutput,
    secretName: string,
  ): Promise<{ readSecret(uri: string, name: string): Promise<void> }> {
    this.secretsReadInClusters.push(`${cluster}/${namespace}/${secretName}`);
    return this.signIn(identity, () => Promise.resolve(`${cluster}:${namespace}:${serviceAccount}`));
  }

  async signIn(
    identity: { clientId: string },
    assertion: () => Promise<string>,
  ): Promise<{ readSecret(uri: string, name: string): Promise<void> }> {
    this.beforeSignIn(identity.clientId);
    const token = await assertion();
    const trusted = this.outputs.workloads.some(
      (item) =>
        item.identity.clientId === identity.clientId &&
        token === `${item.cluster}:${item.namespace}:${item.serviceAccount}`,
    );
    if (!trusted && !this.trustsEverybody) throw new Error('AADSTS700213: no match');
    return {
      readSecret: async (uri, name) => {
        const vault = new URL(uri).hostname.split('.')[0] ?? '';
        const override = this.overrides.get(`${identity.clientId}/${vault}/${name}`);
        if (override !== undefined) return override();
        const open = this.outputs.vaults[vault]?.access === 'accessPolicy';
        const readable = this.outputs.workloads.some(
          (item) =>
            item.identity.clientId === identity.clientId &&
            secretsIn(item.grants).some((grant) => grant.vault === vault && (open || grant.secret === name)),
        );
        if (!readable) throw forbidden();
      },
    };
  }

  listCredentials(): Promise<[]> {
    return Promise.resolve([]);
  }

  listAssignments(): Promise<RoleAssignment[]> {
    return Promise.resolve(this.assignments);
  }

  listActions(): Promise<string[] | undefined> {
    return Promise.resolve([...connectionWriterActions]);
  }

  customObject(): Promise<never> {
    return Promise.reject(new Error('no hosted clusters'));
  }

  listSignIns(): Promise<never> {
    return Promise.reject(new Error('no hosted clusters'));
  }

  listMembers(): Promise<never> {
    return Promise.reject(new Error('no groups'));
  }

  listPrincipals(): Promise<ReadonlyMap<string, string>> {
    return Promise.resolve(new Map());
  }

  readVault(): Promise<{ tags: Record<string, string>; policies: [] }> {
    return Promise.resolve({ tags: {}, policies: [] });
  }

  listSecrets({ id, secrets }: { id: string; secrets: string[] }): Promise<string[]> {
    if (this.refusesToList !== undefined) return Promise.reject(this.refusesToList);
    return Promise.resolve([...secrets, ...(this.unnamed.get(id) ?? [])]);
  }

  async verify(timeoutSeconds = 0) {
    const clock = new ManualClock();
    const options = { outputs: this.outputs, assigned: [], access: this, timeoutSeconds, clock };
    const result = await verifyStack(options);
    const report = toReport(result);
    const lines = [
      `${report.passed} passed, ${report.failed} failed, after ${clock.time / 1000} s`,
      ...shownFailures(report.checks),
      ...result.notes.map((note) => `note: ${note}`),
    ];
    return { report, lines, workloads: result.workloads.map(summarize) };
  }
}
