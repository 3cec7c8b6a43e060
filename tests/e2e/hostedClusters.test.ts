/**
 * The example of docs/hypershift.md: hosted clusters on a management cluster with HyperShift's definitions and operator, from
 * the stack file to calls of the resource manager by pods that mount what the stack wrote, by classes that the operator made;
 * and a renewal of the certificates. The tests are steps of one story and run in order.
 *
 * Of HyperShift's operators, only the part runs that makes classes: it does not prove that the others are content.
 */
import { randomBytes } from 'node:crypto';
import type { ClientCertificateCredential } from '@azure/identity';
import type { AzureClients } from '../support/azureClients';
import { localCloud } from '../support/localCloud';
import { HostedClusterPods, hostedClusterImagesFile } from './support/hostedClusterPods';
import { HypershiftExample, stack, vault } from './support/hypershiftExample';

jest.setTimeout(10 * 60_000);

const day = 24 * 60 * 60 * 1000;
const cloud = localCloud('hosted-clusters');
let deployed: HypershiftExample;
let azure: AzureClients;
let pods: HostedClusterPods;

beforeAll(async () => {
  process.env.AKS_WI_IMAGES = await hostedClusterImagesFile(cloud.state);
  deployed = await HypershiftExample.deploy(cloud);
  ({ azure } = deployed);
  pods = new HostedClusterPods(await cloud.kubernetes('management'), 'clusters-hc1');
});
afterAll(async () => {
  delete process.env.AKS_WI_NOW;
  delete process.env.AKS_WI_IMAGES;
  await cloud.clean();
});

const hosted = (name: string) => deployed.hosted(name);

/** The credentials of a component of hc1, as its pod would read them. */
async function credentialsOf(component: string): Promise<Record<string, string>> {
  const { components } = await hosted('hc1');
  const secret = components.find((candidate) => candidate.component === component)?.secret ?? '';
  return credentialsIn(secret);
}

async function credentialsIn(secret: string): Promise<Record<string, string>> {
  const { value = '' } = await azure.secrets(vault).getSecret(secret);
  return JSON.parse(value) as Record<string, string>;
}

function signIn(credentials: Record<string, string>): ClientCertificateCredential {
  const pem = Buffer.from(credentials.client_secret ?? '', 'base64').toString();
  return azure.certificateCredential(credentials.client_id ?? '', pem);
}

const management = 'https://management.azure.com/.default';
const group = (name: string) => deployed.address(`resourceGroups/${name}?api-version=2024-03-01`);
const securityGroup = () =>
  deployed.address(
    'resourceGroups/rg-network/providers/Microsoft.Network/networkSecurityGroups/nsg-hc1?api-version=2024-05-01',
  );

describe('the credentials in the vault', () => {
  it('are those of nine components, of which each has another client', async () => {
    const { components } = await hosted('hc1');
    const all = await Promise.all(components.map(({ component }) => credentialsOf(component)));
    expect(components).toHaveLength(9);
    expect(new Set(all.map((credentials) => credentials.client_id)).size).toBe(9);
    expect(all.map((credentials) => credentials.client_id)).toEqual(
      components.map(({ clientId }) => clientId),
    );
  });

  it('let a component do what its role allows, and no more', async () => {
    const operator = signIn(await credentialsOf('controlPlaneOperator'));
    const group = await azure.resources(operator).resourceGroups.get('rg-hc1');
    expect(group.name).toBe('rg-hc1');
    await expect(azure.resources(operator).resourceGroups.get('rg-hc2')).rejects.toMatchObject({
      code: 'AuthorizationFailed',
    });
    await expect(
      azure.resources(operator).resourceGroups.update('rg-hc1', { tags: { a: 'b' } }),
    ).rejects.toMatchObject({ code: 'AuthorizationFailed' });
  });

  it('can be read by the identity of the nodes alone', async () => {
    const { reader } = await hosted('hc1');
    const operator = signIn(await credentialsOf('controlPlaneOperator'));
    await expect(azure.secrets(vault, operator).getSecret('cpo-hc1-json')).rejects.toMatchObject({
      statusCode: 403,
    });
    const scope = `/subscriptions/${azure.subscriptionId}/resourceGroups/rg-wi-hypershift/providers/Microsoft.KeyVault/vaults/${vault}/secrets/cpo-hc1-json`;
    const assigned = [];
    for await (const assignment of azure
      .authorization()
      .roleAssignments.listForScope(scope, { filter: 'atScope()' }))
      if (assignment.scope === scope) assigned.push(assignment);
    expect(assigned).toHaveLength(1);
    expect(assigned[0]?.principalId).toBe(reader?.principalId);
  });
});

describe('the hosted cluster that signs in with federation', () => {
  it('has an identity for each component, trusting its service accounts with the audience openshift', async () => {
    const { components, nodes } = await hosted('hc2');
    expect(components.map(({ component }) => component)).toContain('imageRegistry');
    expect(components.every(({ secret }) => secret === undefined)).toBe(true);
    expect(nodes).toEqual([]);
    const credentials = [];
    const all = azure
      .identities()
      .federatedIdentityCredentials.list('rg-wi-hypershift', `id-${stack}-hc2-ingress`);
    for await (const credential of all) credentials.push(credential);
    expect(credentials).toMatchObject([
      {
        issuer: 'https://issuer.example.com/hc2',
        subject: 'system:serviceaccount:openshift-ingress-operator:ingress-operator',
        audiences: ['openshift'],
      },
    ]);
  });
});

describe('the management cluster', () => {
  it("has HyperShift's operator, which knows the identity that reads the vault", async () => {
    const { objects } = await cloud.kubernetes('management');
    const { reader } = await hosted('hc1');
    const operator = { apiVersion: 'apps/v1', kind: 'Deployment' };
    const found = await objects.read({
      ...{ ...operator, metadata: { name: 'operator', namespace: 'hypershift' } },
    });
    expect(found).toMatchObject({ status: { availableReplicas: 1 } });
    expect(JSON.stringify(found)).toContain(
      JSON.stringify({ name: 'ARO_HCP_KEY_VAULT_USER_CLIENT_ID', value: reader?.clientId }),
    );
  });

  it('has the SecretProviderClasses of the control plane, which the operator makes', async () => {
    const { reader, components } = await hosted('hc1');
    const found = await deployed.secretProviderClass('managed-azure-cpo');
    expect(found.spec).toEqual({
      provider: 'azure',
      parameters: {
        usePodIdentity: 'false',
        useVMManagedIdentity: 'true',
        userAssignedIdentityID: reader?.clientId,
        keyvaultName: vault,
        tenantId: azure.tenantId,
        objects:
          '\narray:\n  - |\n    objectName: cpo-hc1-json\n    objectEncoding: utf-8\n    objectType: secret\n',
      },
    });
    for (const { secretProviderClass = '', secret = '' } of components)
      await deployed.secretProviderClass(secretProviderClass, `objectName: ${secret}\\n`);
  });
});

describe('a pod of the control plane', () => {
  it('mounts its credentials by the class, signs in, and may what the role of its component allows', async () => {
    await pods.start('cpo', { secretProviderClass: 'managed-azure-cpo', secret: 'cpo-hc1-json' });
    expect(await pods.get('cpo', group('rg-hc1'))).toMatchObject({ status: 200, body: { name: 'rg-hc1' } });
    expect(await pods.get('cpo', securityGroup())).toMatchObject({ status: 200 });
    expect(await pods.get('cpo', group('rg-hc2'))).toMatchObject({ status: 403 });
  });

  it('of each component mounts its own credentials, and signs in with them', async () => {
    const { components } = await hosted('hc1');
    const answers = await Promise.all(
      components.map(async ({ component, secretProviderClass = '', secret = '', principalId }) => {
        const name = `of-${component.toLowerCase()}`;
        await pods.start(name, { secretProviderClass, secret });
        // Nobody has a role on it, and the refusal names who asked.
        const { status, body } = await pods.get(name, group('rg-wi-hypershift'));
        return { component, status, isItself: JSON.stringify(body).includes(principalId) };
      }),
    );
    expect(answers).toEqual(components.map(({ component }) => ({ component, status: 403, isItself: true })));
  });

  it("may no more than another component if it has that one's file", async () => {
    await pods.start('disk', {
      secretProviderClass: 'managed-azure-disk-csi',
      secret: 'azure-disk-hc1-json',
    });
    expect(await pods.get('disk', securityGroup())).toMatchObject({ status: 403 });
  });
});

describe('the HostedCluster', () => {
  const read = async () =>
    (await (
      await cloud.kubernetes('management')
    ).custom.getNamespacedCustomObject({
      ...{ group: 'hypershift.openshift.io', version: 'v1beta1', plural: 'hostedclusters' },
      ...{ namespace: 'clusters', name: 'hc1' },
    })) as {
      spec: { platform: { azure: Record<string, unknown> }; secretEncryption: unknown };
    };

  it("is accepted by HyperShift's definition, with every identity and place filled in", async () => {
    const { spec } = await read();
    const { patch } = await hosted('hc1');
    expect(spec).toMatchObject(patch['spec'] as object);
    expect(spec).toMatchObject({
      issuerURL: 'https://issuer.example.com/hc1',
      release: { image: 'quay.io/openshift-release-dev/ocp-release:4.20.0-x86_64' },
    });
    expect(spec.platform.azure).toMatchObject({
      ...{ location: 'westeurope', resourceGroup: 'rg-hc1', tenantID: azure.tenantId },
      subscriptionID: azure.subscriptionId,
    });
    expect(spec.secretEncryption).toMatchObject({
      type: 'kms',
      kms: { azure: { activeKey: { keyVaultName: 'kv-hc1-etcd', keyName: 'etcd' } } },
    });
    expect(String(spec.platform.azure['subnetID'])).toMatch(/virtualNetworks\/vnet-hc\/subnets\/hc1$/);
    expect(String(spec.platform.azure['vnetID'])).toMatch(/virtualNetworks\/vnet-hc$/);
  });
});

/** Key Vault Administrator: the owner of the key makes it. */
const keyVaultAdministrator = '00482a5a-887f-4fb3-b363-3b7fe8e74483';

describe('the key of etcd', () => {
  it('encrypts for the identity of the KMS plugin, and for no other component', async () => {
    const group = `/subscriptions/${azure.subscriptionId}/resourceGroups/rg-network`;
    await azure.grant(`${group}/providers/Microsoft.KeyVault/vaults/kv-hc1-etcd`, keyVaultAdministrator);
    const { id = '' } = await azure.keys('kv-hc1-etcd').createRsaKey('etcd');
    const keyOf = async (component: string) => azure.cryptography(id, signIn(await credentialsOf(component)));
    // What the plugin encrypts: the key of a secret in etcd.
    const plaintext = randomBytes(32);

    const kms = await keyOf('kms');
    const { result: ciphertext } = await kms.encrypt({ algorithm: 'RSA-OAEP-256', plaintext });

    expect(ciphertext).toHaveLength(256);
    const decrypted = await kms.decrypt({ algorithm: 'RSA-OAEP-256', ciphertext });
    expect(Buffer.from(decrypted.result)).toEqual(plaintext);
    const disk = await keyOf('disk');
    await expect(disk.decrypt({ algorithm: 'RSA-OAEP-256', ciphertext })).rejects.toMatchObject({
      statusCode: 403,
    });
  });
});

describe('the stack', () => {
  it('is unchanged by a second update and by a refresh', async () => {
    expect(await cloud.changesOfSecondUpdate({ stack })).toEqual([]);
  });

  it('has no private key and no credentials in its state in plain text', async () => {
    const state = await cloud.pulumi({ stack }, 'stack', 'export');
    expect(state).toContain('applicationCertificate');
    expect(state).not.toMatch(/PRIVATE KEY|client_secret/);
  });
});

describe('a renewal', () => {
  it('replaces the credentials while clients sign in all the time with what they last read', async () => {
    const before = await credentialsOf('disk');
    const { renewAfter = '' } = await hosted('hc1');
    const results = { done: 0, failures: [] as unknown[], stop: false };
    // As a program that starts, which reads the mounted file.
    const pod = (async () => {
      while (!results.stop) {
        const { status, error } = await pods.get('cpo', group('rg-hc1'), { fresh: true });
        if (status === 200) results.done += 1;
        else results.failures.push(error ?? status);
      }
    })();
    const client = (async () => {
      // As a pod that reads its file anew only now and then.
      let credentials = before;
      for (let turn = 0; !results.stop; turn += 1) {
        // Not by the outputs, which would be those of the middle of the update.
        if (turn % 5 === 0) credentials = await credentialsIn('azure-disk-hc1-json');
        try {
          await signIn(credentials).getToken(management);
          results.done += 1;
        } catch (error) {
          results.failures.push(error);
        }
      }
    })();
    process.env.AKS_WI_NOW = new Date(Date.parse(renewAfter) + day).toISOString();
    const steps = await cloud.deploy({ stack });
    results.stop = true;
    await Promise.all([client, pod]);
    expect(steps.changed.some(({ urn }) => urn.includes('ApplicationCertificate'))).toBe(true);
    expect(results.failures).toEqual([]);
    expect(results.done).toBeGreaterThan(10);
    const after = await credentialsOf('disk');
    expect(after.client_id).toBe(before.client_id);
    expect(after.client_secret).not.toBe(before.client_secret);
    expect(Date.parse(after.not_before ?? '')).toBeGreaterThan(Date.parse(before.not_before ?? ''));
    // Whoever has not seen the new file signs in with the old one.
    await signIn(before).getToken(management);
  });

  it('ends the old certificate after the overlap', async () => {
    const before = await credentialsOf('disk');
    const { renewAfter = '' } = await hosted('hc1');
    // Both are accepted for `renewBeforeDays`.
    process.env.AKS_WI_NOW = new Date(Date.parse(renewAfter) + 29 * day).toISOString();
    await cloud.deploy({ stack });
    await signIn(before).getToken(management);
    process.env.AKS_WI_NOW = new Date(Date.parse(renewAfter) + 31 * day).toISOString();
    const steps = await cloud.deploy({ stack });
    expect(steps.changed).not.toEqual([]);
    expect(steps.changed.every(({ op }) => op === 'delete')).toBe(true);
    const registered = (await azure
      .graph()
      .api(`/applications(appId='${before.client_id ?? ''}')`)
      .select('keyCredentials')
      .get()) as { keyCredentials: unknown[] };
    expect(registered.keyCredentials).toHaveLength(1);
    const newest = await credentialsOf('disk');
    expect(newest.client_secret).not.toBe(before.client_secret);
    await signIn(newest).getToken(management);
    await expect(signIn(before).getToken(management)).rejects.toThrow(/AADSTS700027/);
  });
});

describe('another encoding', () => {
  it.each(['hex', 'base64'] as const)('reaches the pods as well: %s', async (encoding) => {
    await cloud.deploy(deployed.request(`objectEncoding: ${encoding}`));
    await deployed.secretProviderClass('managed-azure-cpo', `objectEncoding: ${encoding}`);
    await pods.start(encoding, { secretProviderClass: 'managed-azure-cpo', secret: 'cpo-hc1-json' });
    expect(await pods.get(encoding, group('rg-hc1'))).toMatchObject({ status: 200 });
    const { value = '' } = await azure.secrets(vault).getSecret('cpo-hc1-json');
    expect(JSON.parse(Buffer.from(value, encoding).toString())).toMatchObject({ tenant_id: azure.tenantId });
  });
});
