/**
 * Previews a stack that an earlier commit deployed with the current program, which must recognize all its resources. A
 * component or resource that is renamed or moved without an alias would be deleted and created again, with an application's
 * identity or its secrets. No cloud is used: functions are answered from the record. To make another record, see the header
 * of record.mjs.
 */
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { projectRoot } from '../support/command';
import { shortName } from '../support/updateSteps';
import { RecordedStack } from './support/recordedStack';

jest.setTimeout(5 * 60_000);

let bundles: string;
/** One stack for all tests, because a preview changes nothing. */
let recorded: RecordedStack;

beforeAll(async () => {
  bundles = await mkdtemp(path.join(tmpdir(), 'recorded-plugins-'));
  await RecordedStack.bundlePlugins(bundles);
  recorded = await RecordedStack.open(path.join(__dirname, 'recorded', 'local'), bundles);
});

afterAll(async () => {
  await recorded.remove();
  await rm(bundles, { recursive: true, force: true });
});

it('is recognized completely: nothing is created, replaced or deleted', async () => {
  const { changed, unchanged } = await recorded.preview(projectRoot);

  const disturbing = changed.filter(({ op }) => op !== 'update');
  expect(disturbing.map(({ op, urn }) => `${op} ${shortName(urn)}`)).toEqual([]);
  expect(unchanged + changed.length).toBe(await recorded.size());
});

describe('the guard itself', () => {
  const parts = [
    'index.ts',
    'components',
    'stacks',
    'examples',
    'tsconfig.json',
    'tsconfig.run.json',
    'package.json',
    'Pulumi.yaml',
  ];
  let program: string;
  beforeAll(async () => {
    program = await mkdtemp(path.join(tmpdir(), 'program-'));
    for (const part of parts) {
      await cp(path.join(projectRoot, part), path.join(program, part), { recursive: true });
    }
    await symlink(path.join(projectRoot, 'node_modules'), path.join(program, 'node_modules'));
    const type = (end: string) => `'aks-workload-identity:${end}'`;
    await change(type('identity:ManagedIdentity'), type('identity:Identity'));
    await change(type('cluster:WorkloadIdentityCluster'), type('cluster:Cluster'));
    await change('`${name}-account`', '`${name}-service-account`');
  });
  afterAll(() => rm(program, { recursive: true, force: true }));

  it('detects changed types of components and a changed name of a resource', async () => {
    const { changed } = await recorded.preview(program, { importing: true });

    const deleted = changed.filter(({ op }) => /delete|retain/.test(op)).map(({ urn }) => shortName(urn));
    expect(deleted).toEqual(
      expect.arrayContaining([
        'azure-native:managedidentity:UserAssignedIdentity aks-1',
        'kubernetes:core/v1:ServiceAccount aks-1-orders-account',
        'pulumi:providers:kubernetes aks-1-provider',
      ]),
    );
  });

  /** Changes the first component that contains the text. */
  async function change(before: string, after: string): Promise<void> {
    const folder = path.join(program, 'components');
    let found = false;
    for (const name of await readdir(folder, { recursive: true })) {
      if (!name.endsWith('.ts')) continue;
      const file = path.join(folder, name);
      const text = await readFile(file, 'utf8');
      if (!text.includes(before)) continue;
      found = true;
      await writeFile(file, text.replaceAll(before, after));
    }
    if (!found) throw new Error(`no component has ${before}: change what this test changes`);
  }
});
