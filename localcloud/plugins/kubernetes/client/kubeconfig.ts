import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';
import type { Json, JsonObject } from '../json';
import { isJsonObject, objectsAt, textAt } from '../json';

/** Overrides of the kubeconfig's current context and cluster. */
export interface KubeconfigOverrides {
  context?: string;
  cluster?: string;
}

/** The cluster of a kubeconfig's current context. */
export interface ActiveCluster {
  server: string;
  /** Namespace of the context, if it has one. */
  namespace: string | undefined;
}

/** Returns the contents of a kubeconfig, from its contents or its file path. */
export function kubeconfigContents(pathOrContents: string): string {
  const file = pathOrContents.startsWith('~/')
    ? path.join(homedir(), pathOrContents.slice(2))
    : pathOrContents;
  // A path has one line. A whole kubeconfig, tested as a path, would fail with "name too long".
  return !file.includes('\n') && existsSync(file) ? readFileSync(file, 'utf8') : pathOrContents;
}

/** Returns a kubeconfig's active cluster; undefined if the text is no kubeconfig, or its context has no cluster. */
export function activeCluster(
  contents: string,
  overrides: KubeconfigOverrides = {},
): ActiveCluster | undefined {
  const config = parseObject(contents);
  const contextName = overrides.context ?? textAt(config, 'current-context');
  const context = objectsAt(config, 'contexts').find((entry) => textAt(entry, 'name') === contextName);
  const clusterName = overrides.cluster ?? textAt(context, 'context', 'cluster');
  const cluster = objectsAt(config, 'clusters').find((entry) => textAt(entry, 'name') === clusterName);
  const server = textAt(cluster, 'cluster', 'server');
  return server === undefined ? undefined : { server, namespace: textAt(context, 'context', 'namespace') };
}

function parseObject(contents: string): JsonObject | undefined {
  try {
    const value = parse(contents) as Json;
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
