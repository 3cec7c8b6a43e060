import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { writeAll } from '../../../cli/promote/files';
import { VisibleError } from '../../../cli/visibleError';
import type { WorkloadOutput } from '../../../stacks/outputs/outputs';
import { stackText, withProject } from './projectFolder';
import type { Case } from './promotions';
import { billing, both, failed, files, orders, run, workload } from './promotions';

jest.mock('../../../cli/stackOutputs');
jest.mock('../../../cli/verify/run');

// What these do not prove: that outputs and verification are those of a deployed stack; the end-to-end test does.

afterEach(() => {
  jest.restoreAllMocks();
  jest.clearAllMocks();
});

describe('a promotion of what is verified', () => {
  it('gives the other environment the releases: one line a file, nothing else', async () => {
    const { result, after, stdout, stderr, left, readOutputs, verify } = await run({});

    expect(result).toBeUndefined();
    expect(after).toEqual({
      ...files,
      'applications/orders.yaml': orders.replace("prod: '1.0.0'", "prod: '1.1.0'"),
      'applications/billing.yaml': billing.replace("prod: '1.0.0'", "prod: '1.1.0'"),
    });
    expect(stdout).toContain(`--- a/applications/orders.yaml
+++ b/applications/orders.yaml
@@ -1,7 +1,7 @@
 name: orders
 environments:
   dev: '1.1.0' # new
-  prod: '1.0.0'
+  prod: '1.1.0'
 releases:
`);
    expect(stderr).toContain('prod: orders 1.0.0 → 1.1.0\nprod: billing 1.0.0 → 1.1.0\n');
    expect(left.sort()).toEqual(['billing.yaml', 'orders.yaml']);
    expect(readOutputs).toHaveBeenCalledWith(expect.objectContaining({ name: 'dev' }));
    expect(verify).toHaveBeenCalledTimes(1);
  });

  it('may be of some applications only, also where others would be refused', async () => {
    const { result, after } = await run({
      flags: { application: ['orders'] },
      workloads: [workload('orders'), workload('billing', { version: '1.0.0' })],
    });
    expect(result).toBeUndefined();
    expect(after['applications/billing.yaml']).toBe(billing);
    expect(after['applications/orders.yaml']).not.toBe(orders);
  });

  it('may be tried: everything is checked and shown, nothing written', async () => {
    const { result, after, stdout, stderr, verify } = await run({ flags: { dryRun: true } });

    expect(result).toBeUndefined();
    expect(after).toEqual(files);
    expect(stdout).toContain("+  prod: '1.1.0'");
    expect(stderr).toBe('Nothing was written (--dry-run).\n');
    expect(verify).toHaveBeenCalledTimes(1);
  });

  it('may be the first of an environment', async () => {
    const project = { ...files, 'applications/orders.yaml': orders.replace(/ {2}prod: .*\n/, '') };
    const { result, after, stderr } = await run({ project });

    expect(result).toBeUndefined();
    expect(after['applications/orders.yaml']).toContain("  dev: '1.1.0' # new\n  prod: '1.1.0'\nreleases:");
    expect(stderr).toContain('prod: orders 1.1.0\n');
  });

  it('is none if nothing differs; then nothing is asked either', async () => {
    const same = (text: string): string => text.replace("prod: '1.0.0'", "prod: '1.1.0'");
    const project = {
      ...files,
      'applications/orders.yaml': same(orders),
      'applications/billing.yaml': same(billing),
    };
    const { result, stdout, stderr, after, readOutputs } = await run({ project });

    expect({ result, stdout }).toEqual({ result: undefined, stdout: '' });
    expect(stderr).toBe('prod has what dev has already: orders 1.1.0, billing 1.1.0.\n');
    expect(after).toEqual(project);
    expect(readOutputs).not.toHaveBeenCalled();
  });
});

describe('a promotion is refused, and nothing written', () => {
  const refused = async (given: Case): Promise<{ message: string; remedy: string | undefined }> => {
    const { result, after, stdout, left } = await run(given);
    expect({ after, stdout }).toEqual({ after: given.project ?? files, stdout: '' });
    expect(left.filter((name) => name.endsWith('.tmp'))).toEqual([]);
    if (!(result instanceof VisibleError)) throw new Error(`not refused: ${String(result)}`);
    return { message: result.message, remedy: result.remedy };
  };

  it.each<[string, Case, string | RegExp, string]>([
    [
      'if another version is deployed',
      { workloads: [workload('orders', { version: '1.0.0' }), workload('billing')] },
      'dev is to have orders 1.1.0, and has deployed 1.0.0 on aks-1. Nothing was written.',
      'Deploy it with `pulumi up --stack dev`.',
    ],
    [
      'if an application is not deployed',
      { workloads: [workload('orders')] },
      'dev is to have billing 1.1.0, and has deployed nothing on aks-1. Nothing was written.',
      'Deploy it with `pulumi up --stack dev`.',
    ],
    [
      'if what is deployed is of no release',
      { workloads: [workload('orders'), withoutVersion(workload('billing'))] },
      'dev is to have billing 1.1.0, and has deployed no release on aks-1. Nothing was written.',
      'Deploy it with `pulumi up --stack dev`.',
    ],
    [
      'if it is still deployed elsewhere in another version',
      {
        workloads: [
          workload('orders'),
          workload('billing'),
          workload('orders', { cluster: 'aks-0', version: '1.0.0' }),
        ],
      },
      'dev is to have orders 1.1.0, and has deployed 1.0.0 on aks-0. Nothing was written.',
      'Deploy it with `pulumi up --stack dev`.',
    ],
    [
      'if the secrets of the release were edited since it was deployed',
      { project: { ...files, 'applications/billing.yaml': billing.replace(', billing-key', '') } },
      'Release 1.1.0 of billing, or what the stack file of dev adds to it, was edited after dev got it: dev has deployed something else under that version. Nothing was written.',
      'If the release was edited, make it another version. Deploy it with `pulumi up --stack dev`.',
    ],
    [
      'if what the release runs was edited since it was deployed',
      {
        project: { ...files, 'applications/billing.yaml': billing.replace('x/y:1.1', 'x/y:1.2') },
      },
      'Release 1.1.0 of billing, or what the stack file of dev adds to it, was edited after dev got it: dev has deployed something else under that version. Nothing was written.',
      'If the release was edited, make it another version. Deploy it with `pulumi up --stack dev`.',
    ],
    [
      'if the verification does not pass',
      { verified: failed },
      /^The verification of dev does not pass: 1 of 9 checks failed; nothing was written\.\n/,
      'Correct it; `aks-wi verify --stack dev` shows more.',
    ],
    [
      'if the other stack would not be valid with it',
      {
        project: {
          ...files,
          'Pulumi.dev.yaml': stackText('dev', both.split(', { name: billing')[0]),
          'applications/orders.yaml': orders.replace('orders-key', 'Billing-DB'),
        },
        workloads: [workload('orders')],
      },
      /^Pulumi\.prod\.yaml with the new releases is not valid; nothing was written\.\n {2}applications\/billing\.yaml:6: releases\["1\.0\.0"\]\.secrets\[0\]: "billing-db" is "Billing-DB" in another spelling/,
      'Correct that first.',
    ],
    [
      'if the other stack file is no YAML',
      { project: { ...files, 'Pulumi.prod.yaml': 'config: {\n' } },
      /^Pulumi\.prod\.yaml is not YAML, from line 2 on: .*Nothing was written\.$/,
      'Correct it; `aks-wi validate --stack prod` lists all errors.',
    ],
    [
      'if its own stack is not valid',
      { project: { ...files, 'Pulumi.dev.yaml': stackText('dev', both).replace('kv-dev', 'k') } },
      /^Pulumi\.dev\.yaml is not valid; nothing was written\.\n {2}Pulumi\.dev\.yaml:4: /,
      'Correct that first.',
    ],
    [
      'if the other stack has no such application',
      { project: { ...files, 'Pulumi.prod.yaml': stackText('prod', both.split(', { name: billing')[0]) } },
      'prod has no application billing. Nothing was written.',
      'Add it to Pulumi.prod.yaml with `release: ./applications/billing.yaml`, or name those to promote with --application and --hosted-cluster.',
    ],
    ['to itself', { flags: { to: 'dev' } }, '--from and --to are both dev.', 'Name two stacks.'],
    [
      'to a stack that does not exist',
      { flags: { to: 'prd' } },
      'There is no Pulumi.prd.yaml in this project. Its stacks: dev, prod.',
      'Did you mean prod?',
    ],
  ])('%s', async (_, given, message, remedy) => {
    const found = await refused(given);
    if (typeof message === 'string') expect(found.message).toBe(message);
    else expect(found.message).toMatch(message);
    expect(found.remedy).toBe(remedy);
  });

  it('with all reasons at once', async () => {
    const { message } = await refused({ workloads: [] });
    expect(message.split('\n')).toEqual([
      'There are 2 reasons against the promotion; nothing was written.',
      '  dev is to have orders 1.1.0, and has deployed nothing on aks-1. Deploy it with `pulumi up --stack dev`.',
      '  dev is to have billing 1.1.0, and has deployed nothing on aks-1. Deploy it with `pulumi up --stack dev`.',
    ]);
  });
});

describe('files', () => {
  it('are written all or not at all: one that was edited meanwhile keeps the others as they were', async () => {
    await withProject({ 'a.yaml': 'a', 'b.yaml': 'b' }, (folder) => {
      writeFileSync(path.join(folder, 'b.yaml'), 'edited');
      const changes = ['a', 'b'].map((name) => ({ file: `${name}.yaml`, text: name, newText: 'new' }));

      expect(() => writeAll(folder, changes)).toThrow(
        'b.yaml was changed while the promotion was checked; nothing was written.',
      );
      expect(readFileSync(path.join(folder, 'a.yaml'), 'utf8')).toBe('a');
      expect(readFileSync(path.join(folder, 'b.yaml'), 'utf8')).toBe('edited');
      expect(readdirSync(folder).sort()).toEqual(['Pulumi.yaml', 'a.yaml', 'b.yaml']);
      expect(existsSync(folder)).toBe(true);
    });
  });
});

function withoutVersion({ version: _, ...rest }: WorkloadOutput): WorkloadOutput {
  return rest;
}
