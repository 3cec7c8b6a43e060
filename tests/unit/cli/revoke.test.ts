import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { accessOf, removeAccess } from '../../../cli/revoke/access';
import { notesOf } from '../../../cli/revoke/report';
import { markRevoked, revokedInFile, writeMarked } from '../../../cli/revoke/stackFile';
import { targetsOf, type Revocation } from '../../../cli/revoke/targets';
import type { AzureReader } from '../../../cli/azureReader';
import type { AzureRemover } from '../../../cli/azureRemover';
import { builtInRoles } from '../../../components/azure/roles';
import { identity, twoClusters, workload } from '../verification/outputs.fixture';
import { stackText, withProject } from './projectFolder';

// What mocks do not prove: that Azure takes these requests; tests/e2e/revocation.test.ts sends them to the local one.

const subscription = '/subscriptions/11111111-1111-4111-8111-111111111111';
const secretsUser = builtInRoles.keyVaultSecretsUser;

/** Two clusters with vaults that have resource ids, and `shop` beside `orders` under the identity of aks-1. */
function outputsOf() {
  const outputs = twoClusters();
  for (const [name, vault] of Object.entries(outputs.vaults))
    vault.id = `${subscription}/resourceGroups/rg/providers/Microsoft.KeyVault/vaults/${name}`;
  outputs.workloads.push(
    workload('aks-1', 'shop', 'id-aks-1', [
      { vault: 'kv-central', secret: 'shared' },
      { vault: 'kv-central', secret: 'shop-db' },
    ]),
  );
  const created = new Map(
    outputs.workloads.map(({ cluster, identity: { id, name } }) => [id, { cluster, name, id, trusts: [] }]),
  );
  outputs.identities = [...created.values()];
  return outputs;
}

const outputs = outputsOf();
const none = () => false;
const targets = (kind: Revocation['kind'], name: string, isRevokedToo: () => boolean = none) =>
  targetsOf(outputs, { kind, name }, isRevokedToo);
const short = (all: ReturnType<typeof targets>) =>
  all.map(({ name, whole, revoked, others }) => [
    ...[name, whole, revoked.map(({ application }) => application).join()],
    others.map(({ application }) => application).join(),
  ]);

describe('the identities of a revocation', () => {
  it('are those of the application on all its clusters, shared or not', () => {
    expect(short(targets('applications', 'orders'))).toEqual([
      ['id-aks-1', false, 'orders', 'shop'],
      ['id-aks-2', true, 'orders', ''],
    ]);
    expect(short(targets('applications', 'billing'))).toEqual([['id-aks-1-billing', true, 'billing', '']]);
  });

  it('lose everything once the stack file revokes the last of those that share one', () => {
    expect(short(targets('applications', 'orders', () => true))[0]).toEqual([
      'id-aks-1',
      true,
      'orders,shop',
      '',
    ]);
  });

  it('are all of a cluster, also those that no application runs as, and none of hosted clusters', () => {
    const more = { ...outputs, identities: [...outputs.identities] };
    const idOf = (name: string) => `${subscription}/x/${name}`;
    for (const name of ['id-aks-1-aso', 'hosted'])
      more.identities.push({ cluster: 'aks-1', name, id: idOf(name), trusts: [] });
    more.hostedClusters = [
      { components: [{ name: 'hosted' }], nodes: [] },
    ] as unknown as typeof more.hostedClusters;

    expect(short(targetsOf(more, { kind: 'clusters', name: 'aks-1' }, none))).toEqual([
      ['id-aks-1', true, 'orders,shop', ''],
      ['id-aks-1-billing', true, 'billing', ''],
      ['id-aks-1-aso', true, '', ''],
    ]);
  });

  it('are all generations, whichever is named', () => {
    const beside = identity('id-billing-g2');
    const workloads = outputs.workloads.map((deployed) =>
      deployed.application === 'billing' ? { ...deployed, identitiesBeside: [beside] } : deployed,
    );
    const own = { cluster: 'aks-1', name: beside.name, id: beside.id, trusts: [] };
    const rotating = { ...outputs, workloads, identities: [...outputs.identities, own] };
    const inUse = outputs.workloads.find(({ application }) => application === 'billing')?.identity.name ?? '';

    for (const [kind, name] of [
      ['applications', 'billing'],
      ['identities', inUse],
      ['identities', beside.name],
    ] as const)
      expect(short(targetsOf(rotating, { kind, name }, none))).toEqual([
        [inUse, true, 'billing', ''],
        [beside.name, true, 'billing', ''],
      ]);
  });

  it('lose only what the stack granted, if they exist without it', () => {
    const existing = { ...outputs, identities: [] };
    const [target] = targetsOf(existing, { kind: 'identities', name: 'id-aks-1' }, none);

    expect(target).toMatchObject({ whole: false, others: [] });
  });

  it.each<[Revocation['kind'], string, string]>([
    ['applications', 'order', 'no application order. It has: orders, billing, reports, shop.'],
    ['clusters', 'aks-3', 'no cluster aks-3. It has: aks-1, aks-2.'],
    ['identities', 'nobody', 'no identity of applications nobody. It has: id-aks-1, id-aks-2,'],
  ])('are not those of unknown %s %s', (kind, name, message) => {
    expect(() => targets(kind, name)).toThrow(message);
  });
});

const orders = `${outputs.vaults['kv-central']?.id ?? ''}/secrets/orders-db`;
const assignment = (name: string, principalId: string, scope: string, role: string = secretsUser) => ({
  ...{
    id: `${scope}/providers/Microsoft.Authorization/roleAssignments/${name}`,
    name,
    principalId,
    scope,
    role,
  },
});
const assignments = [
  assignment('a', 'principal-id-aks-1', orders),
  assignment('b', 'principal-id-aks-1', orders.replace('orders-db', 'shared')),
  assignment('c', 'principal-id-aks-1', `${subscription}/resourceGroups/elsewhere`, builtInRoles.contributor),
  assignment('d', 'principal-id-aks-1-billing', orders),
];
const issuer = outputs.workloads[0]?.issuer ?? '';
const credentials = [
  { name: 'orders', issuer, subject: 'system:serviceaccount:orders:orders', audiences: [] },
  { name: 'shop', issuer, subject: 'system:serviceaccount:shop:shop', audiences: [] },
  {
    name: 'foreign',
    issuer: 'https://elsewhere/',
    subject: 'system:serviceaccount:orders:orders',
    audiences: [],
  },
];
const policies = [
  { objectId: 'principal-id-aks-2-reports', tenantId: 't', permissions: { secrets: ['get'] } },
];
const azure = {
  get: (id: string) => Promise.resolve({ id, properties: { accessPolicies: policies, principalId: 'p' } }),
} as unknown as AzureReader;
const lists = {
  listAssignments: () => Promise.resolve(assignments),
  listCredentials: () => Promise.resolve(credentials),
  listSignIns: () => Promise.resolve({ certificates: [], passwords: ['key-1'], federated: [] }),
};
const unasked = { delete: jest.fn(), update: jest.fn(), deleteInEntra: jest.fn(), removePolicies: jest.fn() };
const found = async (kind: Revocation['kind'], name: string) =>
  (await accessOf(outputs, targets(kind, name), azure, lists)).access;

describe('the access that is removed', () => {
  it('is all of an identity that no other application uses, grants first', async () => {
    const access = await found('identities', 'id-aks-1');

    expect(access.map(({ kind, id }) => [kind, id.split('/').at(-1)])).toEqual([
      ['role assignment', 'a'],
      ['role assignment', 'b'],
      ['role assignment', 'c'],
      ['federated credential', 'orders'],
      ['federated credential', 'shop'],
      ['federated credential', 'foreign'],
    ]);
  });

  it('is only what the others do not need of a shared identity, and of its own issuer', async () => {
    const access = await found('applications', 'orders');

    expect(
      access.filter(({ identity }) => identity === 'id-aks-1').map(({ id }) => id.split('/').at(-1)),
    ).toEqual([...['a', 'orders']]);
  });

  it('has access policies, each with the command that removes it by hand', async () => {
    const [policy] = await found('applications', 'reports');

    expect(policy).toMatchObject({
      kind: 'access policy',
      command: `az keyvault delete-policy --subscription ${subscription.split('/')[2] ?? ''} --name kv-reports --object-id principal-id-aks-2-reports`,
    });
    const removePolicies = jest.fn(() => Promise.resolve());
    await policy?.remove({ ...unasked, removePolicies });
    expect(removePolicies).toHaveBeenCalledWith(outputs.vaults['kv-reports']?.id, policies);
  });

  it('has the federated credentials of an application in Entra', async () => {
    const inEntra = { id: '/applications/object-1', name: 'id-sp', principalId: 'p', clientId: 'client-1' };
    const { access, failures } = await accessOf(
      outputs,
      [{ ...inEntra, whole: true, revoked: [], others: [] }],
      azure,
      lists,
    );
    expect(failures).toEqual([
      {
        what: 'password key-1 of id-sp',
        reason: 'was not created by the stack, and lets it sign in',
        command: 'az ad app credential delete --id client-1 --key-id key-1',
      },
    ]);
    const deleteInEntra = jest.fn(() => Promise.resolve());
    await access[0]?.remove({ ...unasked, deleteInEntra });

    expect(access[0]?.command).toBe(
      'az ad app federated-credential delete --id object-1 --federated-credential-id orders',
    );
    expect(deleteInEntra).toHaveBeenCalledWith('/applications/object-1/federatedIdentityCredentials/orders');
  });

  it('is found as far as it can be listed; the rest is a failure', async () => {
    const { access, failures } = await accessOf(outputs, targets('identities', 'id-aks-1'), azure, {
      ...lists,
      listAssignments: () => Promise.reject(new Error('403')),
    });

    expect(access.map(({ kind }) => kind)).toEqual(Array(3).fill('federated credential'));
    expect(failures.map(({ what, reason }) => `${what}: ${reason}`)).toEqual([
      'role assignments in /subscriptions/s: 403',
      `role assignments in ${subscription}: 403`,
    ]);
  });
});

describe('access windows', () => {
  it('are closed, and the right to close them stays', async () => {
    const scope = `${outputs.vaults['kv-central']?.id ?? ''}/secrets/warehouse`;
    const closed = { vault: 'kv-central', secret: 'warehouse', windows: [] };
    const withWindows = {
      ...outputs,
      workloads: outputs.workloads.map((deployed) => ({
        ...deployed,
        windows: deployed.application === 'billing' ? [closed] : [],
      })),
    };
    const revocation = { kind: 'applications', name: 'billing' } as const;
    const named = targetsOf(withWindows, revocation, none);
    const { access } = await accessOf(withWindows, named, azure, {
      ...lists,
      listAssignments: () =>
        Promise.resolve([
          {
            ...{ id: 'right', name: 'right', scope, condition: '…', principalId: 'reconciler' },
            role: builtInRoles.rbacAdministrator,
          },
          {
            ...{ id: 'open', name: 'open', scope, principalId: named[0]?.principalId ?? '' },
            role: builtInRoles.keyVaultSecretsUser,
          },
        ]),
    });
    expect(access.filter(({ kind }) => kind === 'role assignment').map(({ id }) => id)).toEqual(['open']);
    expect(notesOf(withWindows, named, revocation)).toContain(
      'Run `pulumi up` now: until then, the reconciler reopens windows that should be open.',
    );
  });
});

describe('removing access', () => {
  it('removes the right to grant access first', async () => {
    const whole = targetsOf(outputs, { kind: 'identities', name: 'id-aks-1' }, none);
    const held = (name: string, role: string) => ({
      ...{ id: name, name, scope: subscription, principalId: whole[0]?.principalId ?? '', role },
    });
    const listed = [held('open', secretsUser), held('right', builtInRoles.rbacAdministrator)];
    const { access } = await accessOf(outputs, whole, azure, {
      ...lists,
      listAssignments: () => Promise.resolve(listed),
    });
    const assigned = access.filter(({ kind }) => kind === 'role assignment');
    const asked: string[] = [];
    const remover: AzureRemover = {
      ...unasked,
      delete: async (id) => {
        await new Promise((resolve) => setImmediate(resolve));
        asked.push(id);
      },
    };
    await removeAccess(assigned, remover);

    expect(asked).toEqual(['right', 'open']);
  });

  it('goes on after a failure, grants before sign-ins and these one after the other', async () => {
    const access = await found('identities', 'id-aks-1');
    const asked: string[] = [];
    let running = 0;
    const remover: AzureRemover = {
      ...unasked,
      async delete(id) {
        const name = id.split('/').at(-1) ?? '';
        asked.push(name);
        if (id.includes('/federated')) expect(running).toBe(0);
        running += 1;
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
        if (['a', 'shop'].includes(name)) throw new Error(`no right on ${name}`);
      },
    };
    const { removed, failures } = await removeAccess(access, remover);

    expect(asked).toEqual(['a', 'b', 'c', 'orders', 'shop', 'foreign']);
    expect(removed.map(({ id }) => id.split('/').at(-1))).toEqual(['b', 'c', 'orders', 'foreign']);
    expect(failures).toMatchObject([
      {
        reason: 'no right on a',
        command: expect.stringMatching(/^az role assignment delete --ids /) as unknown,
      },
      { reason: 'no right on shop', command: expect.stringMatching(/ --name shop$/) as unknown },
    ]);
  });
});

describe('the notes', () => {
  it('name what tokens still read, and which services have access of their own', () => {
    const dependency = {
      application: 'orders',
      name: 'db',
      kind: 'postgresql',
      azureName: 'x',
      resourceId: 'x',
    };
    const notes = notesOf(
      { ...outputs, dependencies: [{ ...dependency, managedBy: 'aks-1', connection: 'identity' }] },
      targets('applications', 'orders'),
      { kind: 'applications', name: 'orders' },
    ).join('\n');

    expect(notes).toContain('orders shared id-aks-1 with shop');
    expect(notes).toContain('are not changed: orders/db (postgresql).');
  });
});

describe('the stack file', () => {
  const text = stackText('dev', "{ name: orders, image: 'x:1', secrets: [a] }, { name: shop, image: 'x:1' }");
  const mark = (folder: string, name = 'orders', reason = 'a test') =>
    markRevoked(folder, { stack: 'dev', stackFile: undefined, reason }, { kind: 'applications', name });

  it('gets the entry, and no other change', () =>
    withProject({ 'Pulumi.dev.yaml': text }, (folder) => {
      const marked = mark(folder);

      expect(writeMarked(folder, marked)).toEqual([]);
      expect(marked.change.newText).toBe(
        `${text}  aks-workload-identity:revoked:\n    applications:\n      orders: a test\n`,
      );
      const [one, other] = [workload('aks-1', 'orders', 'i', []), workload('aks-1', 'shop', 'i', [])];
      expect([one, other].map(marked.isRevoked)).toEqual([true, false]);
      expect([one, other].map(revokedInFile(folder, 'dev'))).toEqual([true, false]);
      expect([one, other].map(revokedInFile(folder, 'prod'))).toEqual([false, false]);
      // Again, and a second one.
      expect(mark(folder, 'orders', 'another').change.newText).toBe(marked.change.newText);
      expect(mark(folder, 'shop').change.newText).toBe(`${marked.change.newText}      shop: a test\n`);
      writeFileSync(path.join(folder, 'Pulumi.dev.yaml'), `${text}  aks-workload-identity:wrong: true\n`);
      expect(() => revokedInFile(folder, 'dev')).toThrow(
        'Pulumi.dev.yaml is not valid, so its `revoked` cannot be read: ',
      );
    }));

  it('is left alone, with the entry to write, if it has no such application', () =>
    withProject({ 'Pulumi.dev.yaml': text }, (folder) => {
      expect(writeMarked(folder, mark(folder, 'orderz'))).toMatchObject([
        {
          reason: expect.stringContaining('is not an application of this stack') as unknown,
          command: expect.stringContaining('revoked: { applications: { orderz: a test } }') as unknown,
        },
      ]);
      expect(readFileSync(path.join(folder, 'Pulumi.dev.yaml'), 'utf8')).toBe(text);
    }));

  it('gets the entry also if something else in it is wrong, and reports that', () =>
    withProject({ 'Pulumi.dev.yaml': `${text}  aks-workload-identity:nonsense: 1\n` }, (folder) => {
      const marked = mark(folder);

      expect(writeMarked(folder, marked)).toEqual([]);
      expect(marked.notes).toEqual([
        expect.stringMatching(/^An update refuses Pulumi\.dev\.yaml until it is corrected: .*nonsense/),
      ]);
      expect(readFileSync(path.join(folder, 'Pulumi.dev.yaml'), 'utf8')).toContain('orders: a test');
    }));

  it('is left alone if it is not YAML', () =>
    withProject({ 'Pulumi.dev.yaml': 'a: [' }, (folder) => {
      const marked = mark(folder);

      expect(writeMarked(folder, marked)).toHaveLength(1);
      expect(marked.change.newText).toBe(marked.change.text);
    }));

  it('is a failure that stops nothing if it is missing', () =>
    withProject({}, (folder) => {
      expect(writeMarked(folder, mark(folder))).toMatchObject([{ what: '`revoked` in Pulumi.dev.yaml' }]);
    }));
});
