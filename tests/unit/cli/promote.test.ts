import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { writeAll } from '../../../cli/promote/files';
import { readStackOutputs } from '../../../cli/stackOutputs';
import type { WorkloadOutput } from '../../../stacks/outputs/outputs';
import { reviewed } from '../support/reviewed';
import { stackText, withProject } from './projectFolder';
import type { Case } from './promotions';
import { billing, both, failed, files, orders, shown, workload } from './promotions';

jest.mock('../../../cli/stackOutputs');
jest.mock('../../../cli/verify/run');

// What these do not prove: that outputs and verification are those of a deployed stack; the end-to-end test does.

afterEach(() => {
  jest.restoreAllMocks();
  jest.clearAllMocks();
});

const shows = reviewed(__filename);
const promotes = (title: string, example: Case) => shows(title, () => shown(example));

describe('a promotion of what is verified', () => {
  promotes('gives the other environment the releases: one line a file, nothing else', {});
  it('asks for the outputs of the stack that is promoted', async () => {
    await shown({});
    expect(readStackOutputs).toHaveBeenCalledWith(expect.objectContaining({ name: 'dev' }));
  });
  promotes('may be of some applications only, also where others would be refused', {
    flags: { application: ['orders'] },
    workloads: [workload('orders'), workload('billing', { version: '1.0.0' })],
  });
  promotes('has a dry run: everything is checked and shown, nothing is written', { flags: { dryRun: true } });
  promotes('may be the first of an environment', {
    project: { ...files, 'applications/orders.yaml': orders.replace(/ {2}prod: .*\n/, '') },
  });
  const account =
    '/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/rg/providers/Microsoft.Storage/storageAccounts/st';
  const withRole = both.replace(
    'name: orders,',
    `name: orders, identity: application, roles: [{ role: Storage Blob Data Reader, scope: ${account} }],`,
  );
  promotes('says which roles it leaves out', {
    project: { ...files, 'Pulumi.dev.yaml': stackText('dev', withRole) },
  });
  promotes('does not report a role that the other environment assigns on its own scope', {
    project: {
      ...files,
      'Pulumi.dev.yaml': stackText('dev', withRole),
      'Pulumi.prod.yaml': stackText('prod', withRole.replace('/st ', '/stprod ')),
    },
  });
  const same = (text: string): string => text.replace("prod: '1.0.0'", "prod: '1.1.0'");
  promotes('does nothing if nothing differs, and then asks nothing', {
    project: {
      ...files,
      'applications/orders.yaml': same(orders),
      'applications/billing.yaml': same(billing),
    },
  });
});

describe('a promotion is refused, and nothing written', () => {
  const onlyOrders = both.split(', { name: billing')[0];
  for (const [title, example] of Object.entries<Case>({
    'if another version is deployed': {
      workloads: [workload('orders', { version: '1.0.0' }), workload('billing')],
    },
    'if an application is not deployed': { workloads: [workload('orders')] },
    'if what is deployed is of no release': {
      workloads: [workload('orders'), withoutVersion(workload('billing'))],
    },
    'if it is still deployed elsewhere in another version': {
      workloads: [
        ...[workload('orders'), workload('billing')],
        workload('orders', { cluster: 'aks-0', version: '1.0.0' }),
      ],
    },
    'if the secrets of the release were edited since it was deployed': {
      project: { ...files, 'applications/billing.yaml': billing.replace(', billing-key', '') },
    },
    'if what the release runs was edited since it was deployed': {
      project: { ...files, 'applications/billing.yaml': billing.replace('x/y:1.1', 'x/y:1.2') },
    },
    'if the verification does not pass': { verified: failed },
    'if the other stack would not be valid with it': {
      project: {
        ...files,
        'Pulumi.dev.yaml': stackText('dev', onlyOrders),
        'applications/orders.yaml': orders.replace('orders-key', 'Billing-DB'),
      },
      workloads: [workload('orders')],
    },
    'if the other stack file is no YAML': { project: { ...files, 'Pulumi.prod.yaml': 'config: {\n' } },
    'if its own stack is not valid': {
      project: { ...files, 'Pulumi.dev.yaml': stackText('dev', both).replace('kv-dev', 'k') },
    },
    'if the other stack has no such application': {
      project: { ...files, 'Pulumi.prod.yaml': stackText('prod', onlyOrders) },
    },
    'to itself': { flags: { to: 'dev' } },
    'to a stack that does not exist': { flags: { to: 'prd' } },
    'with all reasons at once': { workloads: [] },
  }))
    promotes(title, example);
});

describe('files', () => {
  it('are written all or none: if one was edited meanwhile, the others stay as they were', async () => {
    await withProject({ 'a.yaml': 'a', 'b.yaml': 'b' }, (folder) => {
      writeFileSync(path.join(folder, 'b.yaml'), 'edited');
      const changes = ['a', 'b'].map((name) => ({ file: `${name}.yaml`, text: name, newText: 'new' }));

      expect(() => writeAll(folder, changes)).toThrow(
        'b.yaml was edited during the promotion; nothing was written.',
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
