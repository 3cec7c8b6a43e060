import * as automation from '@pulumi/pulumi/automation';
import type { TokenCredential } from '@azure/identity';
import type { SecretGrant } from '../../components/vault/arguments';
import { KeyVault } from '../../components/vault/keyVault';
import { all, withCloud } from '../../localcloud/tests/support/azure';
import { openEngine } from '../../localcloud/tests/support/plugins/engine';

// Proves, with the real engine, a local Azure and the vendor's client, that a role on a vault under a condition opens the same
// secrets as roles on each of them, and that a stack moves from the one to the other without a pause. It does not prove that
// Azure, which has such conditions in preview, evaluates them as the local one does.

jest.setTimeout(300_000);

const cloud = withCloud();
const vaultName = 'kv-by-condition';
const names = ['billing-db', 'orders-db', 'shared'];
let reader: { readonly objectId: string; readonly credential: TokenCredential };
let stack: automation.Stack;

beforeAll(async () => {
  reader = cloud.principal('reader');
  const { settings } = await openEngine(cloud);
  stack = await automation.LocalWorkspace.createStack(
    { stackName: 'test', projectName: 'by-condition', program: () => Promise.resolve() },
    settings,
  );
}, 900_000);

/** Deploys the vault with a grant, and returns what happened to role assignments, in the engine's order. */
async function deploy(grant: Pick<SecretGrant, 'secrets' | 'byCondition'>): Promise<string[]> {
  stack.workspace.program = () => {
    new KeyVault('kv', {
      create: { resourceGroupName: 'rg', vaultName, tenantId: cloud.tenantId, publicAccess: true },
      access: 'rbac',
      secrets: Object.fromEntries(names.map((name) => [name, `value of ${name}`])),
      grants: [{ grantee: 'reader', principalId: reader.objectId, ...grant }],
    });
    return Promise.resolve();
  };
  const steps: string[] = [];
  await stack.up({
    onEvent: ({ resourcePreEvent }) => {
      const { op = 'same', urn = '' } = resourcePreEvent?.metadata ?? {};
      if (op !== 'same' && urn.includes(':RoleAssignment::'))
        steps.push(`${op} ${urn.split('::').at(-1) ?? ''}`);
    },
  });
  return steps;
}

/** The secrets that the identity can read; all others must be refused, as must be a list of them. */
async function readable(): Promise<string[]> {
  const client = cloud.secrets(vaultName, reader.credential);
  const refused = async (promise: Promise<unknown>) => {
    cloud.innerError = undefined;
    await expect(promise).rejects.toMatchObject({ statusCode: 403 });
    expect(cloud.innerError).toBe('ForbiddenByRbac');
  };
  await refused(all(client.listPropertiesOfSecrets()));
  const found: string[] = [];
  for (const name of names) {
    const value = await client.getSecret(name).then(
      (secret) => secret.value,
      () => undefined,
    );
    if (value === undefined) await refused(client.getSecret(name));
    else {
      expect(value).toBe(`value of ${name}`);
      found.push(name);
    }
  }
  return found;
}

const secrets = ['orders-db', 'shared'];

it('a role on each secret opens it', async () => {
  await deploy({ secrets });
  expect(await readable()).toEqual(secrets);
});

it('a role on the vault under a condition replaces them: it is created before they are deleted', async () => {
  const steps = await deploy({ secrets, byCondition: true });

  expect(steps[0]).toBe('create kv/reader');
  expect(steps.slice(1).sort()).toEqual(['delete kv/reader/orders-db', 'delete kv/reader/shared']);
  expect(await readable()).toEqual(secrets);
});

it('changes nothing in a second update', async () => {
  expect(await deploy({ secrets, byCondition: true })).toEqual([]);
});

it('is changed in place when the secrets change', async () => {
  expect(await deploy({ secrets: ['billing-db', 'shared'], byCondition: true })).toEqual([
    'update kv/reader',
  ]);
  expect(await readable()).toEqual(['billing-db', 'shared']);
});
