import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { azureRunCommand } from '../../../cli/azureRun/command';
import { keepRun } from '../../../cli/azureRun/runs';
import { capturedOutput, withProject } from './projectFolder';
import { refusalOf } from './refusal';

// What `azure-run` says before it does anything. What these do not prove: the prices.

const subscription = '22222222-2222-4222-8222-222222222222';
const left = {
  ...{ id: 'a1b2c3d4', pid: 2 ** 22, passphrase: 'p', subscription, location: 'northeurope' },
};

const dryRun = (leftBefore: boolean, ...args: string[]) => run(leftBefore, '--dry-run', ...args);

/** Runs the command without Azure, and returns what it writes and the files that exist afterwards. */
function run(leftBefore: boolean, ...args: string[]) {
  return withProject({}, async (folder) => {
    const runs = path.join(folder, '.azure-run');
    if (leftBefore) keepRun(runs, left);
    const before = {
      cwd: process.cwd(),
      subscription: process.env.ARM_SUBSCRIPTION_ID,
      path: process.env.PATH,
    };
    process.chdir(folder);
    Object.assign(process.env, { ARM_SUBSCRIPTION_ID: subscription, PATH: folder });
    if (!args.includes('--dry-run'))
      writeFileSync(path.join(folder, 'pulumi'), '#!/bin/sh\n', { mode: 0o755 });
    const { written, spies } = capturedOutput();
    try {
      await azureRunCommand().parseAsync(args, { from: 'user' });
      const kept = existsSync(runs) ? readdirSync(runs) : [];
      return { ...written, files: readdirSync(folder).sort(), kept };
    } finally {
      for (const spy of spies) spy.mockRestore();
      process.chdir(before.cwd);
      Object.assign(process.env, { ARM_SUBSCRIPTION_ID: before.subscription ?? '', PATH: before.path });
    }
  });
}

it('names everything that it would create, with its cost and the rights that it needs, and writes nothing', async () => {
  const { stdout, stderr, files } = await dryRun(false, '--location', 'northeurope');

  expect(stderr).toBe('Nothing was deployed (--dry-run).\n');
  expect(files).toEqual(['Pulumi.yaml']);
  const text = stdout.replaceAll(/(?<=-run-)[0-9a-f]{8}/g, 'ID');
  for (const part of [
    `in subscription ${subscription}`,
    '  resource group rg-aks-wi-run-ID in northeurope\n',
    '  1 cluster: aks-run\n',
    '  2 applications: reader, other\n',
    '  1 vault: kv-wi-run-ID (rbac, 2 secrets)\n',
    '  id-azure-run-ID-aks-run-reader trusts reader/reader on aks-run; reads kv-wi-run-ID/granted\n',
    'one node Standard_D2ds_v5',
    'below 1 USD',
    'Contributor and Role Based Access Control Administrator',
  ])
    expect(text).toContain(part);
});

it.each(['Nowhere!', 'West Europe'])(
  'refuses the location "%s" by the name of the option',
  async (location) => {
    expect(await refusalOf(() => dryRun(false, '--location', location))).toMatch(
      new RegExp(`^--location: "${location}" is not the name of a region\. Allowed: lowercase letters`),
    );
  },
);

it('names what earlier runs left, and that it would remove it first', async () => {
  const { stdout, kept } = await dryRun(true);
  expect(stdout).toMatch(/^To remove, left by an earlier run in subscription 2222/);
  expect(stdout).toContain('  resource group rg-aks-wi-run-a1b2c3d4 with everything in it\n');
  expect(stdout).toContain('  vault kv-wi-run-a1b2c3d4, which is also purged\n');
  expect(stdout).toContain('To create in subscription');
  expect(kept).toEqual(['run-a1b2c3d4']);
});

it('with --remove, names only that', async () => {
  const { stdout, stderr, kept } = await dryRun(true, '--remove');
  expect(stdout).toContain('rg-aks-wi-run-a1b2c3d4');
  expect(stdout).not.toContain('To create');
  expect(stderr).toBe('Nothing was removed (--dry-run).\n');
  expect(kept).toEqual(['run-a1b2c3d4']);
});

it.each([
  [[], "Nothing was deployed: this would do all of the above, at the subscription's cost.\n→ Review it"],
  [['--remove'], 'Nothing was removed: this would remove all of the above.\n→ Review it'],
])('with %j, does nothing without --yes', async (args, refusal) => {
  expect(await refusalOf(() => run(true, ...args))).toContain(refusal);
});
