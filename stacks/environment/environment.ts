import { getClientConfigOutput } from '@pulumi/azure-native/authorization';
import * as pulumi from '@pulumi/pulumi';
import type { ConnectCluster } from '../../components/cluster/clusterObjects';
import type { AzureDependency } from '../../components/dependency/azureDependency';
import { Cluster } from '../cluster/cluster';
import type { Configuration } from '../configuration/configuration';
import { InvalidConfigurationError } from '../configuration/configuration';
import { AllowedDeletions } from '../keeping/allowedDeletions';
import {
  deletedServices,
  droppedWarnings,
  handedOverProblems,
  interruptedProblems,
  movedProblems,
} from '../keeping/dependencies';
import {
  apiVersionsBefore,
  RenamedDependencies,
  renamedDependencies,
  takenNameProblems,
} from '../keeping/renamedDependencies';
import { keptWarnings } from '../keeping/messages';
import type { OwnState } from '../keeping/ownState';
import { groupDeletion, planKept } from '../keeping/plan';
import { KeptResources } from '../keeping/resources';
import { keptVaults, withKept, withoutUnwritten } from '../keeping/vaults';
import type { IdentityOutput, PendingOutputs, VaultOutput } from '../outputs/outputs';
import { environmentLogs } from './logs';
import { environmentGroup } from './resourceGroup';
import type { Subscriptions } from './subscriptions';
import { servicesGroups } from './servicesGroups';
import { deployVault } from './vaults';

/**
 * One environment: a resource group, its vaults, and its clusters side by side. Identities are in the
 * environment's group and not in a cluster's, so that a cluster can be made anew without losing their grants.
 * @param state what the stack has: without it, nothing would be kept that the configuration no longer names
 * @param connect how clusters are asked whether what is installed works; without it, they are not asked
 */
export function deployEnvironment(
  { environment, settings, plan: wanted }: Configuration,
  subscriptions: Subscriptions,
  state: OwnState,
  connect?: ConnectCluster,
): PendingOutputs {
  const plan = withoutUnwritten(wanted, state);
  const keeping = planKept(settings, plan, state);
  const problems = [
    ...keeping.problems,
    ...[handedOverProblems, interruptedProblems, movedProblems, takenNameProblems].flatMap((check) =>
      check(plan, state),
    ),
  ];
  if (problems.length > 0) throw new InvalidConfigurationError(environment, problems);
  warnOfUnnamed(wanted.kept, plan.kept);
  const warnings = [...keptWarnings(environment, keeping), ...droppedWarnings(environment, plan, state)];
  for (const warning of warnings) void pulumi.log.warn(warning);
  new AllowedDeletions(settings, plan, deletedServices(plan, state));
  const renamed = renamedDependencies(plan, state);
  new RenamedDependencies(renamed);
  const group = environmentGroup(settings, subscriptions, groupDeletion(settings, plan, keeping));
  const client = getClientConfigOutput(group.opts);
  const logs = environmentLogs(settings, group, subscriptions);
  const { tenantId, subscriptionId } = client;
  const vaultPlace = { settings, group, tenantId, logs, subscriptions };
  const vaults = plan.vaults.map((vaultPlan) => ({
    ...vaultPlan,
    vault: deployVault(vaultPlace, vaultPlan),
  }));
  const groups = servicesGroups(settings, plan.servicesGroups, group);
  const managing = new Map<string, AzureDependency>();
  const clusters = plan.clusters.map(
    (clusterPlan) =>
      new Cluster(clusterPlan.settings.name, {
        settings,
        plan: clusterPlan,
        group,
        logs,
        tenantId,
        subscriptionId,
        subscriptions,
        vaults: new Map(vaults.map(({ name, vault }) => [name, vault])),
        servicesGroups: groups,
        managing,
        renamed,
        apiVersionsBefore: apiVersionsBefore(state),
        ...(connect !== undefined && { connect }),
      }),
  );
  // After all grants, which a lock would keep.
  for (const { vault, lock } of vaults) if (lock === true) vault.lock();
  const kept = new KeptResources(
    {
      ...{ state, subscriptions, protect: settings.protect },
      ...(typeof settings.resourceGroup === 'string' && {
        madeGroup: { name: settings.resourceGroup, output: group.name },
      }),
      clusters: new Map(clusters.map((cluster) => [cluster.name, cluster])),
      vaults: new Map(vaults.map(({ name, vault }) => [name, vault])),
    },
    keeping.things,
  );
  return {
    environment: pulumi.output(environment),
    tenantId: client.tenantId,
    subscriptionId: client.subscriptionId,
    resourceGroup: group.name,
    vaults: pulumi.output(
      Object.fromEntries([
        ...vaults.map(({ name, access, secrets, vault }): [string, pulumi.Input<VaultOutput>] => [
          name,
          pulumi.output({ id: vault.id, uri: vault.uri, access, secrets: withKept(name, secrets, keeping) }),
        ]),
        ...keptVaults(keeping, state),
      ]),
    ),
    clusters: pulumi.output(
      Object.fromEntries(
        clusters.map(({ name, mode, cluster, identity }) => [
          name,
          {
            mode,
            ...(cluster.id !== undefined && { id: cluster.id }),
            issuer: cluster.issuerUrl,
            identity: identityOutput(identity),
          },
        ]),
      ),
    ),
    kubeconfigs: pulumi.secret(
      Object.fromEntries(clusters.map(({ name, cluster }) => [name, cluster.kubeconfig])),
    ),
    dependencies: pulumi.output(clusters.flatMap((cluster) => cluster.dependencyOutputs())),
    workloads: pulumi.output(clusters.flatMap((cluster) => cluster.workloadOutputs())),
    kept: pulumi.output(kept.outputs),
  };
}

/** Values of secrets that no application names; `kept` are those of them that are in the central vault. */
function warnOfUnnamed(names: readonly string[], kept: readonly string[]): void {
  if (kept.length > 0) {
    void pulumi.log.warn(
      `No application names ${kept.join(', ')}: kept in the central vault, readable for nobody. ` +
        'They stay there without their values in secretValues as well.',
    );
  }
  const unwritten = names.filter((name) => !kept.includes(name));
  if (unwritten.length > 0) {
    void pulumi.log.warn(
      `No application names ${unwritten.join(', ')}: the values in secretValues are written nowhere.`,
    );
  }
}

function identityOutput({
  id,
  clientId,
  principalId,
}: {
  readonly [Key in keyof IdentityOutput]: pulumi.Output<string>;
}) {
  return { id, clientId, principalId };
}
