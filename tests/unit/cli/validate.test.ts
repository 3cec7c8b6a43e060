import path from 'node:path';
import { createProgram, runProgram } from '../../../cli/main';
import { reviewed } from '../support/reviewed';
import { capturedOutput, hostedCluster, stackText, withProject } from './projectFolder';

/** What `aks-wi validate` writes in a folder, and its exit code. */
async function validate(folder: string, ...args: string[]) {
  const { written, spies } = capturedOutput();
  const cwd = jest.spyOn(process, 'cwd').mockReturnValue(folder);
  const before = process.exitCode;
  try {
    await runProgram(await createProgram(['validate']), ['validate', ...args]);
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

const shows = reviewed(__filename);

/** Shows what the command writes in a project. @param below where it is run */
const shown = (title: string, project: Record<string, string>, args: string[], below = '') =>
  shows(title, () => withProject(project, (folder) => validate(path.join(folder, below), ...args)));

describe('a valid stack', () => {
  shown('a valid stack is summed up, down to who would be trusted and what it could read', files, [
    '--stack',
    'dev',
  ]);
  const dependency = 'dependencies: [{ name: files, storageAccount: { name: stfiles } }]';
  const provisioned = `{ name: orders, image: 'x/y:1', provisioning: application, ${dependency} }`;
  shown(
    'is summarized with the dependencies of its applications, and what provisions them',
    { 'Pulumi.dev.yaml': stackText('dev', provisioned) },
    ['--stack', 'dev'],
  );
  shown(
    'a valid stack is summarized with its releases, below the project',
    files,
    ['--stack', 'prod'],
    'applications',
  );
  shown(
    'is summarized with its hosted clusters and their releases',
    {
      'Pulumi.prod.yaml': stackText('prod', '', hostedCluster),
      'hosted-clusters/hc1.yaml':
        "name: hc1\nenvironments: { prod: '4.19.2' }\nreleases: { '4.19.2': { spec: {} } }\n",
    },
    [],
  );
  shown('a valid stack is summarized as JSON', files, ['--stack', 'prod', '--json']);
});

describe('without a stack', () => {
  const wrong = { ...files, 'Pulumi.dev.yaml': files['Pulumi.dev.yaml'].replace('kv-dev', 'k') };
  shown('without a stack, every one of the project is checked; one that is wrong fails them all', wrong, []);
  shown('refuses a project without any', {}, []);
});

describe('a wrong stack', () => {
  const wrong = {
    'Pulumi.dev.yaml': stackText('dev').replace('westeurope', 'West Europe').replace('kv-dev', 'k'),
  };
  shown(
    'a wrong stack has every error on one line of stderr, nothing on stdout, and the exit code 1',
    wrong,
    [...['--stack', 'dev']],
  );
  shown('a wrong stack has them as JSON with file and line', wrong, ['--stack', 'dev', '--json']);
});

describe('what does not exist is an error that lists what does', () => {
  shown('does not know a stack', files, ['--stack', 'prd']);
  shown('does not know a stack without a similar one', files, ['--stack', 'x']);
  shown('does not know a file', files, ['--file', 'Pulumi.dve.yaml']);
  shown('does not know the stack of a file', files, ['--file', 'applications/orders.yaml']);
  shows('does not know the project', () => validate(path.parse(process.cwd()).root, '--stack', 'dev'));
});

describe('a file', () => {
  const single = { 'examples/one.yaml': stackText('one') };
  shown('reads a file anywhere and of any name, if the stack is named', single, [
    ...['--file', 'examples/one.yaml', '--stack', 'one'],
  ]);
});
