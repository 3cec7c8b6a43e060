import { clusterType, isInScope } from '../../components/azure/resourceId';
import { apiVersions } from '../../components/azure/resourceManager';
import { defaultNodes } from '../../components/cluster/defaultNodes';
import { fieldsOf, listOf, textOf, textsOf } from '../../components/resource/fields';
import type { Configuration } from '../../stacks/plan';
import { isInEntra } from '../../verification/removal';
import { quotas, type Quota } from '../fleet/limits';
import type { DeployedOutputs } from '../stackOutputs';
import { UserError } from '../userError';
import type { Warning } from './finding';
import { listed, notChecked, type SubscriptionAccess } from './subscriptionAccess';

/** Part of a quota from which it is a warning. */
const nearlyUsed = 0.9;

function quotaOf(name: string): Quota {
  const quota = quotas.find((known) => known.name === name);
  if (quota === undefined) throw new Error(`there is no quota ${name}`);
  return quota;
}

/** Use of a quota. */
interface Use extends Pick<Quota, 'most' | 'raisable' | 'hint'> {
  readonly detail: string;
  readonly count: number;
  /** Number that the next update creates. Default: unknown, so that a full quota is a warning. */
  readonly more?: number;
}

/** A quota that Microsoft raises on request is a warning, because Azure does not say whether it did. */
function judged({ detail, count, most, raisable, hint, more = 0 }: Use): string | Warning {
  if (count + more > most && raisable !== true) throw new UserError(detail, hint);
  return count + more >= most * nearlyUsed ? { detail, hint } : detail;
}

/** Judges several uses of a kind: one that is exceeded, or else one that is nearly full, is the finding. */
function judgedAll(uses: readonly Use[]): string | Warning {
  const warning = uses.map(judged).find((result): result is Warning => typeof result !== 'string');
  return warning ?? uses.map(({ detail }) => detail).join('; ');
}

/** Judges the role assignments of a subscription. */
export async function assignments(path: string, { lists }: SubscriptionAccess): Promise<string | Warning> {
  const quota = quotaOf('role-assignments');
  const all = await lists.listAssignments(path);
  const count = all.filter(({ scope }) => isInScope(scope, path)).length;
  return judged({ ...quota, detail: `${count} of ${quota.most} in the subscription`, count });
}

/** Judges the federated credentials of the identity that has most. */
export async function credentials(
  { identities }: DeployedOutputs,
  { lists }: SubscriptionAccess,
): Promise<string | Warning> {
  const quota = quotaOf('credentials');
  const counted = await Promise.all(
    identities
      .filter(({ id }) => !isInEntra(id))
      .map(async ({ name, id }) => ({ name, count: (await lists.listCredentials(id)).length })),
  );
  const [fullest = { name: 'none', count: 0 }] = counted.sort((one, other) => other.count - one.count);
  const { name, count } = fullest;
  return judged({
    ...quota,
    detail: `${count} of ${quota.most} of the identity with the most, ${name}`,
    count,
  });
}

/** The clusters that the next update creates, all in one region. */
export interface NewClusters {
  readonly location: string;
  readonly nodes: readonly { readonly count: number; readonly vmSize: string }[];
}

/** Returns the clusters of a configuration that are not deployed yet; undefined if there are none. */
export function newClusters(
  { plan, settings }: Configuration,
  outputs: DeployedOutputs | undefined,
): NewClusters | undefined {
  const nodes = plan.clusters.flatMap(({ settings: cluster }) =>
    cluster.mode !== 'create' || outputs?.clusters[cluster.name] !== undefined
      ? []
      : { ...defaultNodes, ...cluster.nodes },
  );
  return nodes.length === 0 ? undefined : { location: settings.location, nodes };
}

/** Judges the number of clusters in the subscription and in the region. */
export async function clusters(
  path: string,
  access: SubscriptionAccess,
  { location, nodes }: NewClusters,
): Promise<string | Warning> {
  const all = await listed(access, {
    path: `${path}/providers/${clusterType}`,
    apiVersion: apiVersions.clusters,
  });
  if (all === undefined) return notChecked('the clusters of the subscription');
  const here = all.filter((cluster) => isSameName(textOf(cluster.location), location));
  const use = (name: string, count: number, where: string): Use => {
    const quota = quotaOf(name);
    const detail = `${count} of ${quota.most} in ${where}, ${nodes.length} to create`;
    return { ...quota, detail, count, more: nodes.length };
  };
  return judgedAll([
    use('clusters-in-region', here.length, location),
    use('clusters', all.length, 'the subscription'),
  ]);
}

/** Judges the vCPUs of the region: all, and those of each family of virtual machines. */
export async function vCpus(
  path: string,
  access: Pick<SubscriptionAccess, 'manager'>,
  { location, nodes }: NewClusters,
): Promise<string | Warning> {
  const compute = `${path}/providers/Microsoft.Compute`;
  const [sizes, usages] = await Promise.all([
    listed(access, {
      ...{ path: `${compute}/skus`, apiVersion: apiVersions.sizes },
      filter: `location eq '${location}'`,
    }),
    listed(access, { path: `${compute}/locations/${location}/usages`, apiVersion: apiVersions.usages }),
  ]);
  if (sizes === undefined || usages === undefined) return notChecked('vCPUs');
  const needed = new Map<string, number>();
  for (const { count, vmSize } of nodes) {
    const { family, each } = sizeIn(sizes, vmSize, location);
    for (const name of ['cores', family]) needed.set(name, (needed.get(name) ?? 0) + count * each);
  }
  const result = judgedAll(
    [...needed].flatMap(([name, more]): Use[] =>
      usages.filter(isOf(name)).map(({ currentValue, limit }) => ({
        ...{ count: Number(currentValue), most: Number(limit), more },
        detail: `${Number(currentValue)} of ${Number(limit)} ${vCpusOf(name)} in ${location}, ${more} to create`,
        hint: `Ask Microsoft to raise the quota (\`az vm list-usage --location ${location}\` shows it), or set \`clusters[].nodes\` to fewer or smaller nodes, or to another series.`,
      })),
    ),
  );
  const unknown = [...needed.keys()].filter((name) => !usages.some(isOf(name)));
  return unknown.length === 0 ? result : notChecked(`${unknown.map(vCpusOf).join(' and ')} in ${location}`);
}

const vCpusOf = (name: string): string => (name === 'cores' ? 'vCPUs' : `vCPUs of ${name}`);

/** Returns a test for the usage of a family, or of `cores`. */
const isOf = (name: string) => (usage: Record<string, unknown>) =>
  isSameName(textOf(fieldsOf(usage.name).value), name);

function sizeIn(sizes: readonly Record<string, unknown>[], vmSize: string, location: string) {
  const size = sizes.find(
    ({ resourceType, name, restrictions }) =>
      resourceType === 'virtualMachines' &&
      isSameName(textOf(name), vmSize) &&
      !isRestricted(restrictions, location),
  );
  const capabilities = listOf(size?.capabilities).map(fieldsOf);
  const vCpus = Number(capabilities.find(({ name }) => name === 'vCPUs')?.value);
  if (size !== undefined && vCpus > 0) return { family: textOf(size.family), each: vCpus };
  throw new UserError(
    `${location} has no virtual machines of the size ${vmSize} for this subscription`,
    `Set \`clusters[].nodes.vmSize\` to one that \`az vm list-skus --location ${location} --resource-type virtualMachines\` lists.`,
  );
}

/** Tells whether Azure refuses a size in the whole region, for this subscription; other restrictions are those of zones. */
function isRestricted(restrictions: unknown, location: string): boolean {
  return listOf(restrictions).some((restriction) => {
    const { type, values } = fieldsOf(restriction);
    return type === 'Location' && textsOf(values).some((value) => isSameName(value, location));
  });
}

/** Compares names of regions, sizes and families. The services write spaces and capitals differently. */
const isSameName = (one: string, other: string): boolean =>
  one.replace(/[\s_-]/g, '').toLowerCase() === other.replace(/[\s_-]/g, '').toLowerCase();
