import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';
import { writeRepository } from '../../../cli/init/repository';
import { bootstrapExample } from '../../support/bootstrapExample';
import { projectRoot } from '../../support/command';

// What these do not prove: that the packages contain what the files import; tests/e2e/packages.test.ts does that.

let folder: string;
let files: string[];
beforeAll(() => {
  folder = path.join(mkdtempSync(path.join(tmpdir(), 'aks-wi-init-')), 'mine');
  files = writeRepository(folder, false, projectRoot).map((file) => file.path);
});
afterAll(() => rmSync(path.dirname(folder), { recursive: true, force: true }));

const read = (file: string) => readFileSync(path.join(folder, file), 'utf8');
const isPipeline = (file: string) =>
  /^(\.github\/(workflows|actions)|\.azure-pipelines|azure-pipelines)/.test(file);
const matches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = '']) => found);

describe('the repository that `aks-wi init` writes', () => {
  it('is compared with a version by --dry-run, file by file, and not written', () => {
    const own = path.join(folder, 'Pulumi.dev.yaml');
    const text = readFileSync(own, 'utf8');
    const setup = path.join(folder, '.ci', 'kubelogin');
    const script = readFileSync(setup, 'utf8');
    writeFileSync(own, `${text}# mine\n`);
    rmSync(setup);

    const found = writeRepository(folder, true, projectRoot);

    expect(found.filter(({ state }) => state !== 'same')).toEqual([
      { path: '.ci/kubelogin', state: 'new' },
      { path: 'Pulumi.dev.yaml', state: 'different' },
    ]);
    expect(existsSync(setup)).toBe(false);
    expect(() => writeRepository(folder, false, projectRoot)).toThrow('already has');
    expect(existsSync(setup)).toBe(false);
    writeFileSync(setup, script, { mode: 0o755 });
    writeFileSync(own, text);
  });

  it('has every file that its pipelines name, and runs the command of the package', () => {
    const named = files.filter(isPipeline).flatMap((file) => {
      const text = read(file);
      return [
        ...matches(text, /uses: \.\/(\S+)/g).map((action) => `${action}/action.yml`),
        ...matches(text, /template: \/?(\S+)/g),
        ...matches(text, /(\.ci\/\S+) "/g),
      ];
    });

    expect(new Set(named)).toEqual(
      new Set([
        '.github/actions/setup/action.yml',
        '.azure-pipelines/setup.yml',
        '.azure-pipelines/step.yml',
        '.ci/kubelogin',
      ]),
    );
    expect(named.filter((file) => !files.includes(file))).toEqual([]);
    expect(statSync(path.join(folder, '.ci/kubelogin')).mode & 0o111).not.toBe(0);
    expect(files.filter((file) => read(file).includes('cli/bin.mjs'))).toEqual([]);
    expect(read('.github/workflows/deploy.yml')).toContain('- run: npx aks-wi pipeline deploy --stack dev\n');
    expect(read('.azure-pipelines/step.yml')).toContain('npx aks-wi pipeline ');
  });

  it('has the policy pack with which the pipelines preview and deploy', () => {
    expect(files).toContain('policy/PulumiPolicy.yaml');
    expect(read('policy/index.js')).toContain("require('@aks-workload-identity/stacks/policy')");
  });

  it('has programs that import only packages', () => {
    const programs = files.filter((file) => file.endsWith('.ts'));
    expect(programs.flatMap((file) => matches(read(file), /from '([^']+)'/g))).toEqual([
      '@aks-workload-identity/stacks/bootstrap',
      '@aks-workload-identity/stacks',
    ]);
    expect(parse(read('tsconfig.json'))).toMatchObject({ files: ['index.ts', 'bootstrap/index.ts'] });
  });

  it('has the stack of the pipelines, with the same settings, to edit', () => {
    const { name, runtime } = parse(read('bootstrap/Pulumi.yaml')) as {
      name: string;
      runtime: { options: { tsconfig: string } };
    };
    expect(name).toBe('aks-workload-identity-bootstrap');
    expect(existsSync(path.join(folder, 'bootstrap', runtime.options.tsconfig))).toBe(true);
    expect(parse(read('bootstrap/package.json'))).toMatchObject({ main: 'index.ts' });
    const stackFile = read('bootstrap/Pulumi.pipelines.yaml');
    expect(parse(stackFile)).toEqual(parse(bootstrapExample()));
    expect(stackFile).toContain('# EDIT, here and below: the repository.');
    expect(stackFile).toContain('node_modules/@aks-workload-identity/cli/docs/pipelines.md');
  });
});
