import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { intersects } from 'semver';
import { parse } from 'yaml';
import { projectRoot } from '../../support/command';
import { clusterNames, fleetText, runFleet, stackFileOfCell } from './fleet.fixture';

// The image of a fleet's pods. What this does not prove: that the image can be built, which needs its registries.

const read = (file: string) => readFileSync(path.join(projectRoot, file), 'utf8');
const dockerfile = read('examples/fleet/Dockerfile');
const { engines, dependencies } = JSON.parse(read('package.json')) as {
  engines: { node: string };
  dependencies: Record<string, string>;
};
const found = (pattern: RegExp) => pattern.exec(dockerfile)?.slice(1) ?? [];

it('has a version of Node that the project accepts, and the engine of its SDK', () => {
  const [major = ''] = found(/^FROM docker\.io\/library\/node:(\d+)-slim$/m);
  expect([major, intersects(`${major}.x`, engines.node)]).toEqual([major, true]);
  expect(found(/pulumi-base:([\d.]+) AS pulumi$/m)).toEqual([dependencies['@pulumi/pulumi']]);
});

it('runs only files of the project that exist, and not as root', () => {
  const files = [...dockerfile.matchAll(/\/project\/([\w./]+)/g)].map(([, file = '']) => file);
  expect(files).toEqual(['.ci/kubelogin', 'cli/bin.mjs']);
  for (const file of files) accessSync(path.join(projectRoot, file), constants.X_OK);
  for (const file of ['build.mjs', 'package-lock.json'])
    expect(existsSync(path.join(projectRoot, file))).toBe(true);
  expect(dockerfile).toMatch(/^USER [1-9]\d*$/m);
});

it('has the command that a JobSet starts', async () => {
  const { stdout } = await runFleet(
    {
      'Pulumi.fleet.yaml': fleetText(clusterNames(1), { canary: [1, 'aks-001'] }),
      'Pulumi.fleet-canary.yaml': stackFileOfCell,
    },
    ['render', 'jobset', '--stack', 'fleet', '--image', 'x', '--commit', 'a'.repeat(40)],
  );
  const commands = [...stdout.matchAll(/^ *command:\n *- (\S+)$/gm)].map(([, program]) => program);
  expect(commands).toHaveLength(
    (parse(stdout) as { spec: { replicatedJobs: [] } }).spec.replicatedJobs.length,
  );
  const [linked = ''] = found(/ln -s \/project\/cli\/bin\.mjs \/usr\/local\/bin\/(\S+)/);
  expect(new Set(commands)).toEqual(new Set([linked]));
});
