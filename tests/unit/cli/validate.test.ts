import path from 'node:path';
import { createProgram, runProgram } from '../../../cli/main';
import { hostedCluster, stackText, withProject } from './projectFolder';

/** What `aks-wi validate` writes in a folder, and its exit code. */
async function validate(folder: string, ...args: string[]) {
  const written = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((stream) =>
    jest.spyOn(process[stream], 'write').mockImplementation((text) => {
      written[stream] += String(text);
      return true;
    }),
  );
  const cwd = jest.spyOn(process, 'cwd').mockReturnValue(folder);
  const before = process.exitCode;
  try {
    await runProgram(createProgram(), ['validate', ...args]);
    return { ...written, code: process.exitCode };
  } finally {
    process.exitCode = before;
    for (const spy of [...spies, cwd]) spy.mockRestore();
  }
}

const files = {
  'Pulumi.dev.yaml': stackText('dev', "{ name: orders, image: 'x/y:1', secrets: [orders-db] }"),
  'Pulumi.prod.yaml': stackText('prod', '{ name: orders, release: ./applications/orders.yaml }'),
  'applications/orders.yaml':
    "name: orders\nenvironments: { prod: '1.0.0' }\nreleases: { '1.0.0': { image: x/y:1 } }\n",
};

describe('a valid stack', () => {
  it('is summed up, down to who would be trusted and what it could read', async () => {
    const { stdout, stderr, code } = await withProject(files, (folder) => validate(folder, '--stack', 'dev'));

    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
    expect(stdout).toBe(`Pulumi.dev.yaml is valid.
  1 cluster: aks-1
  1 application: orders
  1 vault: kv-dev (rbac, 1 secret)
  2 identities trusting 2 service accounts, with 1 grant
    id-dev-aks-1 trusts orders/orders on aks-1; reads kv-dev/orders-db
    id-dev-aks-1-aso trusts azureserviceoperator-system/azureserviceoperator-default on aks-1; reads nothing
`);
  });

  it('is summarized with the dependencies of its applications, and what provisions them', async () => {
    const dependency = 'dependencies: [{ name: files, storageAccount: { name: stfiles } }]';
    const stack = stackText(
      'dev',
      `{ name: orders, image: 'x/y:1', provisioning: application, ${dependency} }`,
    );
    const { stdout, code } = await withProject({ 'Pulumi.dev.yaml': stack }, (folder) =>
      validate(folder, '--stack', 'dev'),
    );

    expect(code).toBe(0);
    expect(stdout).toContain('  1 dependency\n    orders/files, storageAccount in ');
    expect(stdout).toContain(', by the operator of aks-1\n');
    expect(stdout).toMatch(/ {4}id-dev-aks-1-orders-aso trusts azureserviceoperator-system\/.* on aks-1;/);
  });

  it('is summarized with its releases, also from a folder below the project', async () => {
    const { stdout, code } = await withProject(files, (folder) =>
      validate(path.join(folder, 'applications'), '--stack', 'prod'),
    );
    expect(code).toBe(0);
    expect(stdout).toContain('1 application: orders 1.0.0\n');
  });

  it('is summarized with its hosted clusters and their releases', async () => {
    const project = {
      'Pulumi.prod.yaml': stackText('prod', '', hostedCluster),
      'hosted-clusters/hc1.yaml':
        "name: hc1\nenvironments: { prod: '4.19.2' }\nreleases: { '4.19.2': { spec: {} } }\n",
    };
    const { stdout, code } = await withProject(project, (folder) => validate(folder));

    expect(code).toBe(0);
    expect(stdout).toContain('\n  1 hosted cluster: hc1 4.19.2\n');
  });

  it('is summarized as JSON', async () => {
    const { stdout, code } = await withProject(files, (folder) =>
      validate(folder, '--stack', 'prod', '--json'),
    );
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      valid: true,
      stacks: [
        {
          stack: 'prod',
          file: 'Pulumi.prod.yaml',
          valid: true,
          problems: [],
          notes: [],
          plan: expect.objectContaining({ applications: [{ name: 'orders', version: '1.0.0' }] }) as unknown,
        },
      ],
    });
  });
});

describe('without a stack', () => {
  it('every one of the project is checked; one that is wrong fails them all', async () => {
    const wrong = { ...files, 'Pulumi.dev.yaml': files['Pulumi.dev.yaml'].replace('kv-dev', 'k') };
    const { stdout, stderr, code } = await withProject(wrong, (folder) => validate(folder));

    expect(code).toBe(1);
    expect(stderr).toMatch(/^Pulumi\.dev\.yaml:4: aks-workload-identity:vault\.name: .*\n$/);
    expect(stdout).toMatch(/^Pulumi\.prod\.yaml is valid\./);
  });

  it('there must be one', async () => {
    const { stderr, code } = await withProject({}, (folder) => validate(folder));
    expect(code).toBe(1);
    expect(stderr).toBe(
      'error: There is no Pulumi.<stack>.yaml in this project.\n  → Write one, or name a file with --file.\n',
    );
  });
});

describe('a wrong stack', () => {
  const wrong = {
    'Pulumi.dev.yaml': stackText('dev').replace('westeurope', 'West Europe').replace('kv-dev', 'k'),
  };

  it('has every error on one line of stderr, nothing on stdout, and the exit code 1', async () => {
    const { stdout, stderr, code } = await withProject(wrong, (folder) => validate(folder, '--stack', 'dev'));

    expect({ stdout, code }).toEqual({ stdout: '', code: 1 });
    expect(stderr.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^Pulumi\.dev\.yaml:2: aks-workload-identity:location: ./),
      expect.stringMatching(/^Pulumi\.dev\.yaml:4: aks-workload-identity:vault\.name: ./),
    ]);
  });

  it('has them as JSON with file and line', async () => {
    const { stdout, stderr, code } = await withProject(wrong, (folder) =>
      validate(folder, '--stack', 'dev', '--json'),
    );
    expect({ stderr, code }).toEqual({ stderr: '', code: 1 });
    expect(JSON.parse(stdout)).toMatchObject({
      valid: false,
      stacks: [{ stack: 'dev', valid: false, problems: [{ file: 'Pulumi.dev.yaml', line: 2 }, { line: 4 }] }],
    });
  });
});

describe('a stack or file that does not exist', () => {
  it.each<[string, string[], string]>([
    [
      'a stack',
      ['--stack', 'prd'],
      'error: There is no Pulumi.prd.yaml in this project. Its stacks: dev, prod.\n  → Did you mean prod?\n',
    ],
    [
      'a stack like no other',
      ['--stack', 'x'],
      'error: There is no Pulumi.x.yaml in this project. Its stacks: dev, prod.\n  → Write it, or name one of these stacks.\n',
    ],
    [
      'a file',
      ['--file', 'Pulumi.dve.yaml'],
      'error: There is no file Pulumi.dve.yaml.\n  → Name a file that exists.\n',
    ],
    [
      'the stack of a file',
      ['--file', 'applications/orders.yaml'],
      'error: The stack of applications/orders.yaml is not known: it is not named Pulumi.<stack>.yaml.\n  → Rename it, or add --stack NAME.\n',
    ],
  ])('is an error that lists what exists: %s', async (_, args, expected) => {
    const { stdout, stderr, code } = await withProject(files, (folder) => validate(folder, ...args));
    expect({ stdout, stderr, code }).toEqual({ stdout: '', stderr: expected, code: 1 });
  });

  it('is the project', async () => {
    const { stderr, code } = await validate(path.parse(process.cwd()).root, '--stack', 'dev');
    expect(code).toBe(1);
    expect(stderr).toContain('There is no Pulumi.yaml in this folder or above it.');
  });
});

describe('a file', () => {
  it('may be anywhere and have any name, if the stack is named', async () => {
    const { stdout, code } = await withProject({ 'examples/one.yaml': stackText('one') }, (folder) =>
      validate(folder, '--file', 'examples/one.yaml', '--stack', 'one'),
    );
    expect(code).toBe(0);
    expect(stdout).toContain('examples/one.yaml is valid.');
    expect(stdout).toContain('id-one-aks-1');
  });
});
