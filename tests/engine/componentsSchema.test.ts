import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openInstanceToolchain } from '../../localcloud/commands/context';
import { installPlugins } from '../../localcloud/commands/plugins';
import { locateInstance } from '../../localcloud/daemon/instance';
import { languageHostVariables } from '../../localcloud/toolchain';
import { projectRoot, runProcess } from '../support/command';

// Proves that the real engine starts `components/` as a plugin, and that its analyzer supports every component.
// It does not prove that a program in another language can deploy them.

interface Property {
  readonly description?: string;
}
interface Schema {
  readonly resources: Readonly<
    Record<string, { inputProperties?: Record<string, Property>; properties?: Record<string, Property> }>
  >;
  readonly types: Readonly<Record<string, { properties?: Record<string, Property> }>>;
}

const checkedIn = path.join(projectRoot, 'components', 'schema.json');
let schema: Schema;

beforeAll(async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'components-'));
  try {
    const instance = locateInstance(projectRoot, { ...process.env, AKS_WI_STATE: folder });
    const pulumi = await openInstanceToolchain(instance).require('pulumi');
    await mkdir(path.join(folder, 'backend'));
    installPlugins(instance);
    const { code, stdout, stderr } = await runProcess(
      pulumi,
      ['package', 'get-schema', path.join(projectRoot, 'components')],
      {
        PATH: [path.dirname(pulumi), process.env.PATH ?? ''].join(path.delimiter),
        ...languageHostVariables(projectRoot),
        PULUMI_HOME: instance.pulumiHome,
        PULUMI_BACKEND_URL: `file://${path.join(folder, 'backend')}`,
        PULUMI_SKIP_UPDATE_CHECK: 'true',
        PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: 'true',
      },
    );
    expect({ code, stderr }).toMatchObject({ code: 0 });
    schema = JSON.parse(stdout) as Schema;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}, 900_000);

describe('the schema of the components', () => {
  it('is the checked-in one (components/schema.json: `pulumi package get-schema ./components`)', async () => {
    expect(JSON.parse(await readFile(checkedIn, 'utf8'))).toEqual(schema);
  });

  it('documents every argument and every output', () => {
    const shapes = [
      ...Object.entries(schema.resources).flatMap(([name, { inputProperties, properties }]) => [
        [name, inputProperties] as const,
        [name, properties] as const,
      ]),
      ...Object.entries(schema.types).map(([name, { properties }]) => [name, properties] as const),
    ];
    const undocumented = shapes.flatMap(([name, properties = {}]) =>
      Object.entries(properties)
        .filter(([, { description = '' }]) => description === '')
        .map(([property]) => `${name}.${property}`),
    );

    expect(undocumented).toEqual([]);
  });
});
