import { valueAt } from '../../stacks/settings/problem';
import { valueTag } from '../../components/vault/valueTag';
import { nameInUrn, secretValue, typeOf } from '../preview';
import { configFileOption, runPulumi, type PulumiStack } from '../pulumi';
import { clusterResource, powerOf, readRefresh, type Refreshed, type RefreshedState } from './refreshed';
import { tolerateUnreachable, unansweredIn } from './unanswered';

/** A value that differs from what the stack set. */
interface Difference {
  /** Path of the property, as the engine writes it. */
  readonly path: string;
  /** The value that the stack set; undefined if it set none. */
  readonly was: unknown;
  /** The actual value; undefined if there is none. */
  readonly is: unknown;
}

/** A resource of the stack that changed since the last update. */
export interface Drifted {
  readonly change: 'changed' | 'deleted';
  /** Type token, such as `azure-native:keyvault:Vault`. */
  readonly type: string;
  /** Name in the stack. */
  readonly name: string;
  /** Resource id in Azure, or the provider's own id. */
  readonly id: string;
  /** Time of the stack's last write. */
  readonly since: Date | undefined;
  /** Empty if the resource was deleted. */
  readonly differences: readonly Difference[];
}

/**
 * Returns the changes that a refresh of the stack would find, and notes on clusters that did not answer. It writes nothing:
 * neither the state nor anything in Azure or the clusters.
 */
export async function findDrifted(stack: PulumiStack): Promise<{ drifted: Drifted[]; unanswered: string[] }> {
  const args = ['refresh', '--preview-only', '--json', ...configFileOption(stack)];
  // If confirmations are skipped, pulumi refuses this preview.
  const refreshed = readRefresh(
    await runPulumi(stack, args, {
      env: { PULUMI_SKIP_CONFIRMATIONS: 'false', ...tolerateUnreachable },
    }),
  );
  return { drifted: driftedIn(refreshed), unanswered: unansweredIn(refreshed) };
}

/** Returns the resources that a refresh found changed or deleted. */
export function driftedIn({ steps }: Refreshed): Drifted[] {
  return steps.flatMap(({ op, urn, oldState, newState, detailedDiff }): Drifted[] => {
    const [type, name] = [typeOf(urn), nameInUrn(urn)];
    const { id = '', modified: since } = oldState ?? {};
    if (op === 'delete') return [{ change: 'deleted', type, name, id, since, differences: [] }];
    const paths = Object.entries(detailedDiff ?? {});
    // Without paths, the differences are only in outputs: the version of a secret, or a state.
    if (op !== 'update' || paths.length === 0) return [];
    const differences = paths.map(([path, { inputDiff }]): Difference => {
      const side = inputDiff ? 'inputs' : 'outputs';
      const [was, is] = [oldState, newState].map((state) => valueIn(state?.[side], path, type));
      return [was, is].includes(secretValue)
        ? { path, was: secretValue, is: secretValue }
        : { path, was, is };
    });
    const isStopped = powerOf(newState) === 'Stopped' || powerOf(newState) !== powerOf(oldState);
    const foreign = differences.filter(
      (difference) =>
        !isRewritten(type, difference) &&
        !isUpgrade(type, difference, oldState) &&
        !isPower(type, difference, isStopped),
    );
    return foreign.length === 0 ? [] : [{ change: 'changed', type, name, id, since, differences: foreign }];
  });
}

/**
 * Tells whether the difference is the digest of a value that the connection writer wrote after a rotation. This is not
 * drift.
 */
function isRewritten(type: string, { path, was, is }: Difference): boolean {
  return (
    type === 'azure-native:keyvault:Secret' &&
    path.startsWith('tags') &&
    path.includes(valueTag) &&
    was !== undefined &&
    is !== undefined
  );
}

/** Versions of a cluster and of its pools. */
const versionPath =
  /^((current)?kubernetesVersion|agentPoolProfiles\[\d+\]\.((current)?orchestratorVersion|nodeImageVersion))$/i;

/**
 * Tells whether AKS upgraded a cluster by itself, as its upgrade channel allows. The cluster then has an exact version,
 * although the stack requested a minor version or none (Azure/AKS #3573). If the stack set none, the service chose the
 * version.
 */
function isUpgrade(
  type: string,
  { path, was, is }: Difference,
  old: RefreshedState | null | undefined,
): boolean {
  if (type !== clusterResource || !versionPath.test(path)) return false;
  if (path.endsWith('nodeImageVersion')) return true;
  const channel = valueAt(old?.inputs, ['autoUpgradeProfile', 'upgradeChannel']);
  const [before, after] = [was ?? valueIn(old?.outputs, path, type), is].map((version) =>
    typeof version === 'string' ? version.split('.').map(Number) : [],
  );
  const [major, minor, patch = -1] = before ?? [];
  const [newMajor, newMinor, newPatch = -1] = after ?? [];
  if (major === undefined || minor === undefined || newMinor === undefined || major !== newMajor)
    return false;
  if (newMinor === minor) return ['patch', 'stable', 'rapid'].includes(String(channel)) && newPatch > patch;
  return ['stable', 'rapid'].includes(String(channel)) && newMinor > minor;
}

/** The power state of a cluster, and those of its pools. */
const powerPath = /^powerState(\.code)?$/;
const poolPowerPath = /^agentPoolProfiles\[\d+\]\.powerState(\.code)?$/;

/**
 * Tells whether the difference is that a cluster was stopped or started with its pools, which `unansweredIn` reports. A
 * pool that was stopped alone is reported like any other difference.
 * @param isStopped whether the cluster itself was stopped or started
 */
function isPower(type: string, { path }: Difference, isStopped: boolean): boolean {
  if (type !== clusterResource) return false;
  return powerPath.test(path) || (poolPowerPath.test(path) && isStopped);
}

/** Fields with secret values: a provider may not mark values that it reads as secret. */
const secretFields = ['data', 'stringData', 'properties'];

function valueIn(values: unknown, path: string, type: string): unknown {
  const keys = [...path.matchAll(/\["((?:[^"\\]|\\.)*)"\]|\[(\d+)\]|([^.[\]]+)/g)].map(
    ([, quoted, index, plain]) => quoted?.replaceAll(/\\(.)/g, '$1') ?? index ?? plain ?? '',
  );
  const isSecret = keys.some((_, count) => valueAt(values, keys.slice(0, count)) === secretValue);
  if (isSecret || (type.endsWith(':Secret') && secretFields.includes(keys[0] ?? ''))) return secretValue;
  return valueAt(values, keys);
}
