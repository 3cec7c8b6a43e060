import { accessOf } from '../../../cli/revoke/access';
import { notesOf } from '../../../cli/revoke/report';
import { targetsOf } from '../../../cli/revoke/targets';
import type { AzureReader } from '../../../cli/azureReader';
import { identity, twoClusters, workload } from '../verification/outputs.fixture';

// What mocks do not prove: that Azure takes these requests.

/** Applications on aks-1 with identity bindings: `shop` and `orders` share an identity, and `billing` has its own. */
function outputsOf() {
  const outputs = twoClusters();
  outputs.workloads.push(workload('aks-1', 'shop', 'id-aks-1', []));
  for (const deployed of outputs.workloads)
    if (deployed.cluster === 'aks-1') deployed.trust = 'identityBinding';
  outputs.identityBindings = ['id-aks-1', 'id-aks-1-billing'].map((name) => ({
    ...{ cluster: 'aks-1', id: `/clusters/aks-1/identityBindings/${name}`, identity: identity(name) },
    ...{ role: `use-${name}` },
    serviceAccounts: name === 'id-aks-1' ? ['orders/orders', 'shop/shop'] : ['billing/billing'],
  }));
  return outputs;
}

const ofBindings = {
  ...{ name: 'aks-identity-binding', subject: 's', audiences: [] },
  issuer: 'https://ib.oic.prod-aks.azure.com/tenant/client',
};

/** Returns what an application loses and what it keeps. */
async function revoked(name: string, outputs = outputsOf()) {
  const revocation = { kind: 'applications', name } as const;
  const targets = targetsOf(outputs, revocation, () => false);
  const found = await accessOf(
    outputs,
    targets,
    { get: (id: string) => Promise.resolve({ id, properties: {} }) } as unknown as AzureReader,
    {
      listAssignments: () => Promise.resolve([]),
      listCredentials: () => Promise.resolve([ofBindings]),
      listSignIns: () => Promise.resolve(undefined),
    },
  );
  return { ...found, notes: notesOf(outputs, targets, revocation) };
}

/** The sign-ins that an application loses. */
const lost = async (...args: Parameters<typeof revoked>) => (await revoked(...args)).access;

describe('the identity bindings that a revocation removes', () => {
  it('are those that no other application uses, without the credential of AKS', async () => {
    const [binding, ...others] = await lost('billing');

    expect(others).toEqual([]);
    expect(binding).toMatchObject({ kind: 'identity binding', what: 'on aks-1' });
    const remove = jest.fn(() => Promise.resolve());
    const unasked = { update: jest.fn(), deleteInEntra: jest.fn(), removePolicies: jest.fn() };
    await binding?.remove({ ...unasked, delete: remove });
    expect(remove).toHaveBeenCalledWith(
      '/clusters/aks-1/identityBindings/id-aks-1-billing',
      '2025-06-02-preview',
    );
  });

  it('leave no credential of AKS on an identity that the stack created', async () => {
    const outputs = outputsOf();
    const { id } = identity('id-aks-1-billing');
    outputs.identities = [{ cluster: 'aks-1', name: 'id-aks-1-billing', id, trusts: [] }];

    expect((await lost('billing', outputs)).map(({ kind, what }) => `${kind} ${what}`)).toEqual([
      'identity binding on aks-1',
      'federated credential aks-identity-binding: s of https://ib.oic.prod-aks.azure.com/tenant/client',
    ]);
  });

  it('are none if another application uses the binding of the shared identity', async () => {
    expect(await lost('orders')).toEqual([]);
  });

  it('leave service accounts of a shared identity in its role, with the command and a note', async () => {
    const { failures, notes } = await revoked('orders');
    expect(failures).toEqual([
      {
        what: 'ClusterRoleBinding use-id-aks-1 on aks-1',
        reason: 'lets orders/orders get new tokens of id-aks-1 until the next update',
        command: `kubectl patch clusterrolebinding use-id-aks-1 --type merge --patch '{"subjects":[{"kind":"ServiceAccount","namespace":"shop","name":"shop"}]}'`,
      },
    ]);
    expect(notes).toContain(
      'orders shared id-aks-1 with shop: its tokens keep the access of shop until they expire, and until the next update it can get new ones.',
    );
    expect((await revoked('billing')).failures).toEqual([]);
  });
});
