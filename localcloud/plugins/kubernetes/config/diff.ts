import type { Diff, Properties } from '../../protocol';
import { isUnknown, reveal } from '../../protocol';
import { activeCluster, kubeconfigContents } from '../client/kubeconfig';
import { readSettings, settingNames } from './settings';

/** The inputs that select the cluster. */
const selecting = ['kubeconfig', 'context', 'cluster'];

/**
 * Compares a provider's settings. The provider, and with it all its resources, is replaced only if it selects another
 * cluster. Clusters are compared by the server's address, because certificates and credentials rotate. As in the official
 * plugin, an unknown value counts as another cluster, and `clusterIdentifier` overrides the comparison.
 */
export function diffSettings(olds: Properties, news: Properties): Diff {
  const diffs = settingNames.filter((name) => plain(olds[name]) !== plain(news[name]));
  return { changes: diffs.length > 0, diffs, replaces: replacing(olds, news, diffs) };
}

function replacing(olds: Properties, news: Properties, diffs: string[]): string[] {
  const oldIdentifier = plain(olds['clusterIdentifier']);
  const newIdentifier = plain(news['clusterIdentifier']);
  if (oldIdentifier !== absent && newIdentifier !== absent) {
    return oldIdentifier === newIdentifier ? [] : ['clusterIdentifier'];
  }
  const changed = selecting.filter((name) => diffs.includes(name));
  if (changed.length === 0) return [];
  const unknowns = changed.filter((name) => isUnknown(reveal(news[name] ?? null)));
  if (unknowns.length > 0) return unknowns;
  const before = serverOf(olds);
  const after = serverOf(news);
  return before !== undefined && after !== undefined && before !== after ? changed : [];
}

function serverOf(inputs: Properties): string | undefined {
  const settings = readSettings(inputs);
  if (settings.kubeconfig === undefined) return undefined;
  return activeCluster(kubeconfigContents(settings.kubeconfig), settings)?.server;
}

const absent = 'null';

function plain(value: Properties[string] | undefined): string {
  const revealed = value === undefined ? null : reveal(value);
  return isUnknown(revealed) ? '<unknown>' : JSON.stringify(revealed);
}
