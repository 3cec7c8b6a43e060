import { runProcess } from '../../support/command';

// It builds what is not built yet, beside all other tests.
jest.setTimeout(10 * 60_000);

describe('the command', () => {
  it('leaves signals to Node when it is loaded, so that one ends it while it computes', async () => {
    const script = `
      import('./build.mjs').then(({ ensureBuilt }) => ensureBuilt()).then(async () => {
        await (await import('./dist/cli.mjs')).createProgram([], true);
        await import('./dist/localcloud-commands.mjs');
        console.log(['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => process.listenerCount(signal)).join());
      })`;
    const { stdout } = await runProcess(process.execPath, ['-e', script]);

    expect(stdout).toBe('0,0,0\n');
  });
});

describe('a command of the product', () => {
  it('loads no gRPC, which is half a megabyte and loads HTTP/2', async () => {
    const script = `
      import('./build.mjs').then(({ ensureBuilt }) => ensureBuilt()).then(async () => {
        await (await import('./dist/cli.mjs')).createProgram(['validate']);
        await import('./dist/localcloud-commands.mjs');
        console.log(process.moduleLoadList.includes('NativeModule http2'));
      })`;

    expect((await runProcess(process.execPath, ['-e', script])).stdout).toBe('false\n');
  });
});

describe('the bundles', () => {
  it('are made once: a second start of the command finds them', async () => {
    const script = `
      import('./build.mjs').then(async ({ ensureBuilt }) => {
        await ensureBuilt();
        const made = () => require('fs').statSync('dist/built.json').mtimeMs;
        const first = made();
        await ensureBuilt();
        console.log(made() === first);
      })`;

    expect((await runProcess(process.execPath, ['-e', script])).stdout).toBe('true\n');
  });
});

describe('the parts of the command', () => {
  it('can each be loaded: none declares a name that the bundle adds', async () => {
    const script = `
      import('./build.mjs').then(async ({ ensureBuilt }) => {
        await ensureBuilt();
        const parts = JSON.parse(fs.readFileSync('dist/built.json')).outputs.filter((name) => name.endsWith('.mjs'));
        for (const name of parts) new vm.SourceTextModule(fs.readFileSync('dist/' + name, 'utf8'));
        console.log(parts.length > 50);
      })`;

    const { stdout, stderr } = await runProcess(process.execPath, [
      '--experimental-vm-modules',
      '-e',
      script,
    ]);
    expect({ stdout, stderr }).toMatchObject({ stdout: 'true\n' });
  });
});

/** The packages in a bundle of a file, and its modules of the SDK. */
async function bundled(entry: string): Promise<{ packages: Set<string>; ofSdk: string[]; inputs: string[] }> {
  const script = `
    require('esbuild')
      .build({ entryPoints: ['${entry}'], bundle: true, platform: 'node', write: false, metafile: true, outdir: 'unused',
        external: ['typescript', 'ts-node', '@npmcli/arborist'] })
      .then(({ metafile }) => console.log(JSON.stringify(Object.keys(Object.values(metafile.outputs)[0].inputs))))`;
  const { code, stdout, stderr } = await runProcess(process.execPath, ['-e', script]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const inputs = JSON.parse(stdout) as string[];
  const packages = inputs.flatMap((input) => /^node_modules\/((@[^/]+\/)?[^/]+)/.exec(input)?.[1] ?? []);
  const ofSdk = inputs.filter((input) => input.startsWith('node_modules/@pulumi/pulumi/')).sort();
  return { packages: new Set(packages), ofSdk, inputs };
}

/** Of the SDK, only the class of errors that the engine prints as they are. */
const onlyErrors = ['node_modules/@pulumi/pulumi/errors.js', 'node_modules/@pulumi/pulumi/utils.js'];

describe('the command', () => {
  it('and the verification load neither the engine’s SDK nor a provider: it would start seconds later', async () => {
    const { packages, ofSdk } = await bundled('cli/main.ts');

    expect([...packages].filter((name) => /^@pulumi\/(?!pulumi$)/.test(name))).toEqual([]);
    expect(ofSdk).toEqual(onlyErrors);
  });
});

describe('what needs only a configuration', () => {
  it.each(['cli/validate/command.ts', 'cli/access/command.ts', 'policy/rules/index.ts'])(
    '%s loads Azure’s SDKs no more than the engine’s',
    async (entry) => {
      const { packages, ofSdk, inputs } = await bundled(entry);

      expect(packages).toContain('zod');
      expect([...packages].filter((name) => /^@pulumi\/(?!pulumi$)|^@azure\//.test(name))).toEqual([]);
      expect(ofSdk).toEqual(onlyErrors);
      // Those of other languages are half a megabyte.
      expect(inputs.filter((input) => /zod\/v4\/locales\/de\b/.test(input))).toEqual([]);
    },
  );
});
