import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { execFileSync } from 'node:child_process';
import { Workshop } from './workshop';
import { COMMAND, commandLine, variable } from '../../../project';

describe('the built Pulumi', () => {
  let workshop: Workshop;
  beforeEach(async () => {
    workshop = await Workshop.open();
    await workshop.build();
  });
  afterEach(() => workshop.close());

  it('has the language host and the provider of dynamic resources beside it, where the engine looks', async () => {
    const pulumi = await workshop.toolchain().require('pulumi');
    const folder = path.dirname(pulumi);

    for (const name of ['pulumi', 'pulumi-language-nodejs', 'pulumi-resource-pulumi-nodejs']) {
      expect((await stat(path.join(folder, name))).mode & 0o111).toBe(0o111);
    }
  });

  it('runs the language host of the checkout at hand, wherever the cache is', async () => {
    const host = path.join(
      path.dirname(await workshop.toolchain().require('pulumi')),
      'pulumi-language-nodejs',
    );
    expect(await readFile(host, 'utf8')).not.toContain(workshop.root);
    const bundle = path.join(workshop.root, 'host.cjs');
    await writeFile(bundle, 'console.log("host", ...process.argv.slice(2))');

    const run = (env: NodeJS.ProcessEnv) =>
      execFileSync(host, ['127.0.0.1:1'], {
        env: { PATH: process.env['PATH'], ...env },
        stdio: 'pipe',
      }).toString();

    expect(run({ [variable('LANGUAGE_HOST')]: bundle })).toBe('host 127.0.0.1:1\n');
    expect(() => run({})).toThrow(
      `${variable('LANGUAGE_HOST')}: is not set: run pulumi as ${COMMAND} pulumi`,
    );
  });
});

describe('the YAML language host', () => {
  let workshop: Workshop;
  beforeEach(async () => {
    workshop = await Workshop.open();
  });
  afterEach(() => workshop.close());

  it('is built for tests only, beside the Pulumi that is there already', async () => {
    const toolchain = workshop.toolchain();
    await toolchain.build();
    await expect(toolchain.require('pulumi-language-yaml')).rejects.toThrow(
      new RegExp(
        `^pulumi-language-yaml must be built first: .* Run ${commandLine('toolchain build --tests')}, which`,
      ),
    );

    const before = (await workshop.builds()).length;
    await toolchain.build({}, { tests: true });

    expect(path.dirname(await toolchain.require('pulumi-language-yaml'))).toBe(
      path.dirname(await toolchain.require('pulumi')),
    );
    const builds = await workshop.builds();
    expect(builds.filter((call) => call.includes('/cmd/pulumi '))).toHaveLength(1);
    expect(builds.filter((call) => call.includes('pulumi-yaml'))).toEqual([builds[before]]);
  });
});
