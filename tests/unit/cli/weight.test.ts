import { runProcess } from '../../support/command';

// It builds what is not built yet, beside all other tests.
jest.setTimeout(10 * 60_000);

describe('the command', () => {
  it('leaves signals to Node when it is loaded, so that one ends it while it computes', async () => {
    const script = `
      import('./build.mjs').then(({ ensureBuilt }) => ensureBuilt()).then(async () => {
        await (await import('./dist/cli.mjs')).createProgram();
        await import('./dist/localcloud-commands.mjs');
        console.log(['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => process.listenerCount(signal)).join());
      })`;
    const { stdout } = await runProcess(process.execPath, ['-e', script]);

    expect(stdout).toBe('0,0,0\n');
  });
});

describe('the bundles', () => {
  it('are made once: a second start of the command finds them', async () => {
    const script = `
      import('./build.mjs').then(async ({ ensureBuilt }) => {
        await ensureBuilt();
        const made = () => require('fs').statSync('dist/inputs.json').mtimeMs;
        const first = made();
        await ensureBuilt();
        console.log(made() === first);
      })`;

    expect((await runProcess(process.execPath, ['-e', script])).stdout).toBe('true\n');
  });
});

describe('what needs only a configuration', () => {
  it.each([
    'cli/validate/command.ts',
    'cli/access/command.ts',
    'verification/runner.ts',
    'policy/rules/index.ts',
  ])(
    '%s loads neither the engine’s SDK nor a provider nor Azure’s SDKs: the command would start seconds later',
    async (entry) => {
      const script = `
      require('esbuild')
        .build({ entryPoints: ['${entry}'], bundle: true, platform: 'node', write: false, metafile: true,
          outdir: 'unused', external: ['typescript', 'ts-node', '@npmcli/arborist'] })
        .then(({ metafile }) => console.log(JSON.stringify(Object.keys(metafile.inputs))))`;
      const { code, stdout, stderr } = await runProcess(process.execPath, ['-e', script]);

      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      const inputs = JSON.parse(stdout) as string[];
      const packages = inputs.map((input) => /^node_modules\/((@[^/]+\/)?[^/]+)/.exec(input)?.[1]);
      expect(packages).toContain('zod');
      expect(packages.filter((name) => /^@pulumi\/(?!pulumi$)|^@azure\//.test(name ?? ''))).toEqual([]);
      // Of the SDK only the class of errors that the engine prints as they are.
      expect(inputs.filter((input) => input.startsWith('node_modules/@pulumi/pulumi/')).sort()).toEqual([
        'node_modules/@pulumi/pulumi/errors.js',
        'node_modules/@pulumi/pulumi/utils.js',
      ]);
    },
  );
});
