/**
 * Stacks that earlier commits deployed, previewed with the program of today: it must know everything that they made as
 * its own. A component or a resource that is renamed or moved without an alias would delete and create again what
 * holds an application's identity or its secrets. Nothing is asked of any cloud: functions are answered from the
 * record. Another record is made with `node tests/engine/record.mjs`.
 */
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { projectRoot, runProcess } from '../support/command';
import { shortName } from '../support/updateSteps';
import { RecordedStack } from './support/recordedStack';

jest.setTimeout(5 * 60_000);

const records = path.join(__dirname, 'recorded');

/** The operator reads its own identity, to show that it has signed in. */
function operatorSignsIn(cluster: string): string[] {
  return [
    `azure-native:authorization:RoleAssignment ${cluster}-aso/itself`,
    `kubernetes:managedidentity.azure.com/v1api20230131:UserAssignedIdentity ${cluster}-service-operator-signed-in`,
  ];
}

/** What today's program makes that a recorded one did not: each is a new thing, and none replaces another. */
const additions: Record<string, readonly string[]> = {
  main: ['aks-1', 'aks-2'].flatMap(operatorSignsIn),
  vaults: operatorSignsIn('aks-vaults'),
};

const opened = new Map<string, Promise<RecordedStack>>();

/** One for all tests: a preview changes nothing. */
function recorded(name: string): Promise<RecordedStack> {
  const stack = opened.get(name) ?? RecordedStack.open(path.join(records, name));
  opened.set(name, stack);
  return stack;
}

beforeAll(async () => {
  // The language host is one of the bundles.
  const built = await runProcess(process.execPath, [
    '--eval',
    "import('./build.mjs').then(({ ensureBuilt }) => ensureBuilt())",
  ]);
  expect(built.stderr).toBe('');
});

afterAll(async () => {
  for (const stack of opened.values()) await (await stack).remove();
});

it('is told the additions of every record', async () => {
  expect((await readdir(records)).sort()).toEqual(Object.keys(additions).sort());
});

describe.each(Object.keys(additions))('the stack recorded as %s', (name) => {
  it('is known whole: nothing is replaced or deleted, and only what is new is created', async () => {
    const { changed, unchanged } = await (await recorded(name)).preview(projectRoot);
    const disturbing = changed.filter(({ op }) => op !== 'update');
    expect(disturbing.map(({ op, urn }) => `${op} ${shortName(urn)}`).sort()).toEqual(
      [...(additions[name] ?? [])].map((added) => `create ${added}`).sort(),
    );
    const updated = changed.length - disturbing.length;
    expect(unchanged + updated).toBe(await (await recorded(name)).size());
  });
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
  });
  afterAll(() => rm(program, { recursive: true, force: true }));

  it("sees that a component's type and a resource's name are others", async () => {
    const type = "'aks-workload-identity:identity:ManagedIdentity'";
    await change(type, "'aks-workload-identity:identity:Identity'");
    await change('`${name}-account`', '`${name}-service-account`');

    const { changed } = await (await recorded('main')).preview(program);

    const deleted = changed.filter(({ op }) => op === 'delete').map(({ urn }) => shortName(urn));
    expect(deleted).toContain('azure-native:managedidentity:UserAssignedIdentity aks-1');
    expect(deleted).toContain('kubernetes:core/v1:ServiceAccount aks-1-orders-account');
  });

  /** In whichever component it is. */
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
