/**
 * The example of docs/identity-bindings.md on a local cloud: one existing identity for an application on two clusters, with one
 * federated credential. The tests prove that its pods read through the clusters' token exchange, that another service account is
 * refused there, and that the verification finds whom else a role lets use the identity. A cell shows that its environment keeps
 * the grants of an identity until the cell no longer uses it. The tests do not prove how AKS itself reviews a token, which is not
 * documented.
 *
 * The tests are steps of one story and run in order.
 */
import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import type { AzureClients } from '../support/azureClients';
import { projectRoot } from '../support/command';
import { localCloud, type Update } from '../support/localCloud';
import { makePrerequisites } from './support/documentedSteps';
import { workloadOf } from './support/workloads';

jest.setTimeout(15 * 60_000);

const stack = 'identity-bindings';
const file = `examples/configurations/${stack}/Pulumi.${stack}.yaml`;
const identity =
  '/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/rg-identities/providers/Microsoft.ManagedIdentity/userAssignedIdentities/id-orders';
const clusters = ['aks-1', 'aks-2'];
const audience = 'api://AKSIdentityBinding';

const cloud = localCloud('identity-bindings');
let azure: AzureClients;
let first: Update;

beforeAll(async () => {
  await cloud.start();
  azure = await cloud.azure();
  await makePrerequisites(cloud, stack);
  first = await cloud.up({ stack, file });
});
afterAll(() => cloud.clean());

/** Asks a cluster to exchange a token of a service account for one of the identity of `orders`. */
async function exchange(cluster: string, namespace: string, serviceAccount: string) {
  const { core } = await cloud.kubernetes(cluster);
  const { items } = await core.listNamespacedPod({ namespace: 'orders' });
  const variables = items[0]?.spec?.containers[0]?.env ?? [];
  const valueOf = (name: string) => variables.find((variable) => variable.name === name)?.value ?? '';
  const { data } = await core.readNamespacedConfigMap({ name: 'kube-root-ca.crt', namespace: 'orders' });
  const { status } = await core.createNamespacedServiceAccountToken({
    ...{ name: serviceAccount, namespace, body: { spec: { audiences: [audience] } } },
  });
  const { identity: own } = await workloadOf(cloud, stack, 'orders');
  const form = new URLSearchParams({
    ...{
      client_id: own.clientId,
      scope: 'https://vault.azure.net/.default',
      grant_type: 'client_credentials',
    },
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: status?.token ?? '',
  });
  const { tenantId } = await cloud.outputs(stack);
  const url = `${valueOf('AZURE_KUBERNETES_TOKEN_PROXY')}/${tenantId}/oauth2/v2.0/token`;
  return new Promise<{ code: number | undefined; body: Record<string, unknown> }>((resolve, reject) => {
    request(
      url,
      {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        servername: valueOf('AZURE_KUBERNETES_SNI_NAME'),
        ca: data?.['ca.crt'],
      },
      (answer) => {
        json(answer).then(
          (body) => resolve({ code: answer.statusCode, body: body as Record<string, unknown> }),
          reject,
        );
      },
    )
      .on('error', reject)
      .end(form.toString());
  });
}

async function credentialsOf(id: string): Promise<string[]> {
  const { body } = await azure.request('GET', `${id}/federatedIdentityCredentials?api-version=2023-01-31`);
  return (body as { value: { name: string }[] }).value.map(({ name }) => name).sort();
}

const failed = async () => {
  const { report } = await cloud.verify(stack);
  return report.checks.filter(({ ok }) => !ok).map(({ check, detail }) => `${check}: ${detail}`);
};

it('is deployed and verified, with an identity that serves both clusters', async () => {
  expect(first.output).toMatch(/\n[1-9]\d* checks passed, 0 failed/);
  const { workloads } = await cloud.outputs(stack);
  const ofOrders = workloads.filter(({ application }) => application === 'orders');
  expect(ofOrders.map((workload) => [workload.cluster, workload.identity.id.toLowerCase()])).toEqual(
    clusters.map((cluster) => [cluster, identity.toLowerCase()]),
  );
});

it('has one federated credential, which AKS created', async () => {
  expect(await credentialsOf(identity)).toEqual(['aks-identity-binding']);
});

it.each(clusters)('gives a token to the named service account only, on %s', async (cluster) => {
  expect(await exchange(cluster, 'orders', 'orders')).toMatchObject({
    ...{ code: 200, body: { access_token: expect.any(String) as string } },
  });
  for (const [namespace, account] of [
    ['orders', 'default'],
    ['invoices', 'invoices'],
  ] as const) {
    const refused = await exchange(cluster, namespace, account);
    expect(refused.code).toBeGreaterThanOrEqual(400);
    expect(refused.body).not.toHaveProperty('access_token');
  }
});

it('changes nothing with a second update', async () => {
  expect(await cloud.changesOfSecondUpdate({ stack })).toEqual([]);
});

it('fails the verification while somebody else may use the identity', async () => {
  const { rbac } = await cloud.kubernetes('aks-2');
  const { identityBindings = [] } = await cloud.outputs(stack);
  const name = identityBindings.find(({ cluster }) => cluster === 'aks-2')?.role ?? '';
  const binding = await rbac.readClusterRoleBinding({ name });
  const thief = { kind: 'ServiceAccount', namespace: 'default', name: 'default' };
  binding.subjects?.push(thief);
  await rbac.replaceClusterRoleBinding({ name, body: binding });

  expect(await exchange('aks-2', 'default', 'default')).toMatchObject({ code: 200 });
  expect(await failed()).toEqual([expect.stringContaining('default/default may use it')]);

  await rbac.deleteClusterRoleBinding({ name });
  await cloud.changesOfSecondUpdate({ stack });
  expect(await failed()).toEqual([]);
});

it('moves an application to an identity binding and back', async () => {
  const example = readFileSync(path.join(projectRoot, file), 'utf8');
  const moved = example.replace(
    /(- name: mailer\n(?: {6}.*\n)*)/,
    (entry) => `${entry}      trust: identityBinding\n`,
  );
  const steps = await cloud.up({ stack, yaml: moved });
  expect(steps.output).toMatch(/\n[1-9]\d* checks passed, 0 failed/);
  const { id } = (await workloadOf(cloud, stack, 'mailer')).identity;
  expect(await credentialsOf(id)).toEqual(['aks-identity-binding']);
  await cloud.deploy({ stack, yaml: example });
  expect(await credentialsOf(id)).toEqual(['aks-identity-binding', 'mailer_mailer']);
  // AKS leaves its credential, with which a binding on any cluster could use the identity.
  expect(await failed()).toEqual([expect.stringMatching(/az identity .* --name aks-identity-binding$/)]);
  const credential = `${id}/federatedIdentityCredentials/aks-identity-binding`;
  await azure.request('DELETE', `${credential}?api-version=2023-01-31`);
  expect(await failed()).toEqual([]);
});

it('keeps the grants of an identity that becomes the identity of one cluster', async () => {
  const example = readFileSync(path.join(projectRoot, file), 'utf8');
  const yaml = example.replace(
    `existing: ${identity}`,
    `existing: { aks-1: ${identity} }\n      clusters: [aks-1]`,
  );
  const output = await cloud.refusedUp({ stack, yaml });
  const [, urn = '', name = ''] = /state rename '([^']+)' '([^']+)'/.exec(output) ?? [output];
  expect([urn, name]).toEqual([
    expect.stringMatching(/identity_orders/),
    expect.stringMatching(/aks-1-orders/),
  ]);
  await cloud.pulumi({ stack }, 'state', 'rename', '--yes', urn, name);
  const { output: shown } = await cloud.up({ stack, yaml });
  expect(shown).toMatch(/\n[1-9]\d* checks passed, 0 failed/);
});

describe('an environment with a cell', () => {
  const shared = identity.replace('id-orders', 'id-in-cells');
  const environment = (applications: string) => `config:
  aks-workload-identity:location: westeurope
  aks-workload-identity:resourceGroup: rg-cells
  aks-workload-identity:vault: { name: kv-wi-cells, publicAccess: true, softDeleteRetentionInDays: 7, purgeProtection: false }
  aks-workload-identity:clusters: [{ name: aks-3 }]
  aks-workload-identity:cells: [{ name: one, clusters: [aks-3] }]
  aks-workload-identity:certManager: { install: false }
  aks-workload-identity:serviceOperator: { install: false }
  aks-workload-identity:secretValues: { orders-db: }
  aks-workload-identity:applications: [${applications}]
`;
  const orders = `{ name: orders, image: "ghcr.io/aks-workload-identity/reader:0.1.0", replicas: 1, secrets: [orders-db], trust: identityBinding, identity: { existing: ${shared} } }`;
  const cell = 'config: { aks-workload-identity:cellOf: cells }\n';

  it('keeps what it granted until the cell no longer uses it', async () => {
    await azure.request('PUT', `${shared}?api-version=2023-01-31`, { location: 'westeurope' });
    await cloud.deploy({ stack: 'cells', yaml: environment(orders) });
    const { output } = await cloud.up({ stack: 'cells-one', yaml: cell });
    expect(output).toMatch(/\n[1-9]\d* checks passed, 0 failed/);

    expect((await cloud.urns('cells')).join()).toContain('identity_orders');
    const refused = await cloud.refusedUp({ stack: 'cells', yaml: environment('') });
    expect(refused).toContain(
      'no longer has orders with the identity id-in-cells, which orders still has in cells-one',
    );
    await cloud.deploy({ stack: 'cells-one', yaml: cell });
    await cloud.deploy({ stack: 'cells', yaml: environment('') });
    expect((await cloud.urns('cells')).filter((urn) => urn.includes('identity_orders'))).toEqual([]);
  });
});
