import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { ClusterSpec } from '../../../azure/clusterRuntime';
import type { TestRuntime } from './runtime';
import { requireTool } from './runtime';

/** Runs helm on one cluster, without the caller's environment; returns its output. */
export async function helm(
  test: TestRuntime,
  cluster: Pick<ClusterSpec, 'id' | 'name'>,
  ...args: string[]
): Promise<string> {
  const home = path.join(test.stateDir, 'helm-home', cluster.id);
  mkdirSync(home, { recursive: true });
  const kubeconfig = path.join(home, 'kubeconfig');
  writeFileSync(kubeconfig, await test.runtime.kubeconfig(cluster, 'user'), { mode: 0o600 });
  const { stdout } = await promisify(execFile)(await requireTool('helm'), args, {
    env: { PATH: process.env['PATH'], HOME: home, KUBECONFIG: kubeconfig },
  });
  return stdout;
}
