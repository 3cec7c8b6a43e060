/**
 * Deploys the example of docs/service-principals.md with stored credentials: applications, one of them the owner's chart, and a
 * service operator that sign in with a certificate, and an application that does by password, through a renewal of both and a
 * change of the way. The local Entra stands in for Entra; the operator and the API server are real, and pods sign in as their
 * SDK does.
 *
 * The tests are steps of one story and run in order.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { TokenCredential } from '@azure/identity';
import type { StackOutputs } from '../../stacks/outputs/outputs';
import type { AzureClients } from '../support/azureClients';
import { projectRoot } from '../support/command';
import type { Update } from '../support/localCloud';
import { localCloud } from '../support/localCloud';
import { writesSince } from './azureRecord';

jest.setTimeout(15 * 60_000);

const day = 24 * 60 * 60 * 1000;
const cloud = localCloud('stored-credentials');
const stack = 'stored-credentials';
const file = 'examples/configurations/service-principals/Pulumi.stored-credentials.yaml';
const vault = 'kv-wi-stored';
const vaultScope = 'https://vault.azure.net/.default';
let azure: AzureClients;

/** What the newest Kubernetes secret of an application has. */
async function credentialIn(application: string): Promise<Record<string, string>> {
  const { core } = await cloud.kubernetes('aks-1');
  const { items } = await core.listNamespacedSecret({ namespace: application });
  const [newest] = items
    .filter(({ metadata }) => /^[^.]+\.(certificate|password)-/.test(metadata?.name ?? ''))
    .sort((one, other) => ((one.metadata?.name ?? '') < (other.metadata?.name ?? '') ? 1 : -1));
  return Object.fromEntries(
    Object.entries(newest?.data ?? {}).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]),
  );
}

/** A credential of the vendor's client by what the secret has. */
function clientOf({ AZURE_CLIENT_ID = '', ...data }: Record<string, string>): TokenCredential {
  return data.AZURE_CLIENT_SECRET === undefined
    ? azure.certificateCredential(AZURE_CLIENT_ID, data.AZURE_CLIENT_CERTIFICATE ?? '')
    : azure.secretCredential(AZURE_CLIENT_ID, data.AZURE_CLIENT_SECRET);
}

const inVault = async (secret: string) => (await azure.secrets(vault).getSecret(secret)).value;

async function pods(application: string) {
  const { core } = await cloud.kubernetes('aks-1');
  const { items } = await core.listNamespacedPod({ namespace: application });
  return items.filter(({ metadata }) => metadata?.deletionTimestamp === undefined);
}

/** Name of the secret that the pods of the chart have as a volume. */
async function mountedIn(application: string): Promise<string | undefined> {
  const [pod] = await pods(application);
  return pod?.spec?.volumes?.find(({ name }) => name === 'credential')?.secret?.secretName;
}

async function credentialOf(application: string) {
  const { identities } = await cloud.outputs(stack);
  const found = identities.find(({ name }) => name === `id-${stack}-aks-1-${application}`);
  if (found?.credential === undefined) throw new Error(`${application} has no credential`);
  return { ...found, ...found.credential };
}

/** Ids of what Entra has of an application. */
async function registered(clientId: string | undefined) {
  const keys = (await azure
    .graph()
    .api(`/applications(appId='${clientId ?? ''}')`)
    .select('keyCredentials,passwordCredentials')
    .get()) as Record<'keyCredentials' | 'passwordCredentials', { keyId: string }[]>;
  return [...keys.keyCredentials, ...keys.passwordCredentials].map(({ keyId }) => keyId);
}

interface TokenRequest {
  readonly clientId: string;
  readonly grant: string;
  /** Key id of what the client signed in with. */
  readonly credential?: string;
  readonly tokenId?: string;
  readonly outcome: string;
}

const tokenRequests = async () =>
  JSON.parse(await cloud.succeed('cloud', 'audit', '--json')) as TokenRequest[];

/** The sign-in with whose token a storage account was created. */
async function creatorOf(account: string): Promise<TokenRequest | undefined> {
  const writes = await writesSince(azure, '2020-01-01T00:00:00Z');
  const write = writes.findLast(({ resourceId }) => resourceId.endsWith(`/storageAccounts/${account}`));
  return (await tokenRequests()).find(({ tokenId }) => tokenId === write?.tokenId);
}

/** What the operator's pods have, as far as they sign in with it. */
async function operatorSettings(): Promise<Record<string, string>> {
  const { core } = await cloud.kubernetes('aks-1');
  const { data = {} } = await core.readNamespacedSecret({
    name: 'aso-controller-settings',
    namespace: 'azureserviceoperator-system',
  });
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]),
  );
}

async function logOf(application: string): Promise<string> {
  const { core } = await cloud.kubernetes('aks-1');
  const [pod] = await pods(application);
  return core.readNamespacedPodLog({ namespace: application, name: pod?.metadata?.name ?? '' });
}

beforeAll(async () => {
  await cloud.start();
  azure = await cloud.azure();
});
afterAll(async () => {
  delete process.env.AKS_WI_NOW;
  await cloud.clean();
});

describe('applications in Entra that sign in with a stored credential', () => {
  let outputs: StackOutputs;

  it('read the secrets and provision the services that the stack names, with a warning of each password', async () => {
    const { output } = await cloud.up({ stack, file });

    expect(output).toMatch(/\n[1-9]\d* checks passed, 0 failed/);
    const warning =
      /warning: invoices signs in as id-stored-credentials-aks-1-invoices with a stored password, which expires on 20/;
    expect(output).toMatch(warning);
    expect(output).not.toMatch(/orders signs in as .* with a stored password/);
    const again = await cloud.up({ stack, file });
    expect(again.steps.changed).toEqual([]);
    expect(again.output).toMatch(warning);
    expect(await cloud.changesOfSecondUpdate({ stack })).toEqual([]);
    outputs = await cloud.outputs(stack);
  });

  it('have exactly their certificates or passwords in Entra, and trust no service account', async () => {
    for (const application of ['orders', 'invoices', 'reports', 'aso']) {
      const { id, clientId, keyIds, trusts } = await credentialOf(application);
      expect(trusts).toEqual([]);
      expect((await registered(clientId)).sort()).toEqual([...keyIds].sort());
      const { value } = (await azure.graph().api(`${id}/federatedIdentityCredentials`).get()) as {
        value: unknown[];
      };
      expect(value).toEqual([]);
    }
  });

  it('sign in with what their pods have, which the vault has as well, and read no more than their secrets', async () => {
    for (const [application, kind, own, other] of [
      ['orders', 'certificate', 'orders-db', 'invoices-db'],
      ['invoices', 'password', 'invoices-db', 'orders-db'],
      ['reports', 'certificate', 'reports-db', 'orders-db'],
    ] as const) {
      const data = await credentialIn(application);
      const stored = kind === 'password' ? data.AZURE_CLIENT_SECRET : data.AZURE_CLIENT_CERTIFICATE;
      // A failure does not print them.
      expect((await inVault(`aks-1-${application}-${kind}`)) === stored).toBe(true);
      const secrets = azure.secrets(vault, clientOf(data));
      expect((await secrets.getSecret(own)).value).toBe(await inVault(own));
      await expect(secrets.getSecret(other)).rejects.toMatchObject({ statusCode: 403 });
      // Nor what they sign in with.
      await expect(secrets.getSecret(`aks-1-${application}-${kind}`)).rejects.toMatchObject({
        statusCode: 403,
      });
    }
  });

  it('run in pods that the webhook leaves alone', async () => {
    for (const [application, variable] of [
      ['orders', 'AZURE_CLIENT_CERTIFICATE_PATH'],
      ['invoices', 'AZURE_CLIENT_SECRET'],
      ['reports', 'AZURE_CLIENT_CERTIFICATE_PATH'],
    ] as const) {
      const [pod] = await pods(application);
      expect(pod?.metadata?.labels).not.toHaveProperty(['azure.workload.identity/use']);
      const names = pod?.spec?.containers.flatMap(({ env = [] }) => env.map(({ name }) => name));
      expect(names).not.toContain('AZURE_FEDERATED_TOKEN_FILE');
      expect(names).toContain(variable);
    }
  });

  it("are the pods of the owner's chart as well, which mounts the certificate and reads by it", async () => {
    expect(await mountedIn('reports')).toMatch(/^reports\.certificate-\d{4}-\d\d-\d\d-90d$/);
    expect(await logOf('reports')).toMatch(/"event":"read","secret":"reports-db"/);
  });

  it("let the operator provision a storage account by certificate, without a token of the operator's account", async () => {
    const settings = await operatorSettings();
    expect(settings.AZURE_CLIENT_CERTIFICATE === (await inVault('aks-1-aso-certificate'))).toBe(true);
    expect(settings.USE_WORKLOAD_IDENTITY_AUTH).not.toBe('true');
    expect(outputs.dependencies.map(({ azureName }) => azureName)).toEqual(['stwistored']);
    const { clientId, keyIds } = await credentialOf('aso');
    const creator = await creatorOf('stwistored');
    expect(creator).toMatchObject({ clientId, grant: 'certificate' });
    expect(keyIds).toContain(creator?.credential);
  });

  it('are in no output and not in plain text in the state', async () => {
    const { AZURE_CLIENT_SECRET: password = '' } = await credentialIn('invoices');
    const { AZURE_CLIENT_CERTIFICATE: pem = '' } = await credentialIn('orders');
    const line = pem.split('PRIVATE KEY-----')[1]?.split('\n')[1] ?? '';
    expect(Math.min(password.length, line.length)).toBeGreaterThan(20);
    const state = await cloud.pulumi({ stack }, 'stack', 'export');
    expect(state).toContain('applicationPassword');
    const shown = `${state}\n${await cloud.pulumi({ stack }, 'stack', 'output', '--json', '--show-secrets')}`;
    for (const secret of [password, line, Buffer.from(password).toString('base64')])
      expect(shown.includes(secret)).toBe(false);
    expect(shown).not.toMatch(/PRIVATE KEY/);
  });

  it('are verified: a password and a federated credential that somebody adds are failures', async () => {
    const { id, clientId } = await credentialOf('invoices');
    const { keyId } = (await azure
      .graph()
      .api(`${id}/addPassword`)
      .post({ passwordCredential: { displayName: 'added' } })) as { keyId: string };
    await azure
      .graph()
      .api(`${id}/federatedIdentityCredentials`)
      .post({
        ...{ name: 'added', issuer: 'https://elsewhere.example/', subject: 'somebody' },
        audiences: ['api://AzureADTokenExchange'],
      });

    const { code, report } = await cloud.verify(stack);
    expect(code).toBe(1);
    const failed = report.checks.filter(({ ok }) => !ok);
    expect(failed.map(({ check }) => check).sort()).toEqual([
      'signs in only with its passwords',
      'trusts only what the stack names',
    ]);
    expect(failed.map(({ detail }) => detail).join()).toContain(
      `az ad app credential delete --id ${clientId ?? ''} --key-id ${keyId}`,
    );
    await azure.graph().api(`${id}/removePassword`).post({ keyId });
    await azure.graph().api(`${id}/federatedIdentityCredentials/added`).delete();
    expect((await cloud.verify(stack)).code).toBe(0);
  });
});

describe('a renewal', () => {
  const renewed = ['orders', 'invoices', 'reports'];
  const before: Record<string, Record<string, string>> = {};

  it('replaces credentials and pods while clients sign in all the time with what they last read', async () => {
    const { renewAfter } = await credentialOf('orders');
    const names = async () =>
      (await Promise.all(renewed.map(pods))).flat().map(({ metadata }) => metadata?.name);
    const podsBefore = await names();
    const results = { done: 0, failures: [] as unknown[], stop: false };
    const client = async (application: string) => {
      let data = (before[application] = await credentialIn(application));
      for (let turn = 0; !results.stop; turn += 1) {
        if (turn % 5 === 4) data = await credentialIn(application);
        try {
          await azure.secrets(vault, clientOf(data)).getSecret(`${application}-db`);
          results.done += 1;
        } catch (error) {
          results.failures.push(error);
        }
      }
    };
    const clients = Promise.all(renewed.map(client));
    process.env.AKS_WI_NOW = new Date(Date.parse(renewAfter) + day).toISOString();
    const steps = await cloud.deploy({ stack, file });
    results.stop = true;
    await clients;

    expect(results.failures).toEqual([]);
    expect(results.done).toBeGreaterThan(10);
    expect(steps.urns.some((urn) => urn.includes('ApplicationCertificate'))).toBe(true);
    expect(steps.urns.some((urn) => urn.includes('ApplicationPassword'))).toBe(true);
    for (const application of renewed) {
      const after = await credentialIn(application);
      expect(after).not.toEqual(before[application]);
      expect(after.AZURE_CLIENT_ID).toBe(before[application]?.AZURE_CLIENT_ID);
      // Whoever has not seen the new one signs in with the old one.
      await clientOf(before[application] ?? {}).getToken(vaultScope);
    }
    const podsAfter = await names();
    expect(podsAfter).toHaveLength(podsBefore.length);
    expect(podsAfter.filter((name) => podsBefore.includes(name))).toEqual([]);
    expect((await cloud.deploy({ stack, file })).changed).toEqual([]);
  });

  it('ends the old credentials after the overlap', async () => {
    const { renewAfter } = await credentialOf('orders');
    // That is the end of the period that has begun.
    process.env.AKS_WI_NOW = new Date(Date.parse(renewAfter) - day).toISOString();
    const steps = await cloud.deploy({ stack, file });
    expect(steps.changed).not.toEqual([]);
    expect(steps.changed.every(({ op }) => op === 'delete')).toBe(true);
    for (const [application, refusal] of [
      ['orders', /AADSTS700027/],
      ['invoices', /AADSTS7000215/],
      ['reports', /AADSTS700027/],
    ] as const) {
      const { clientId, keyIds } = await credentialOf(application);
      expect(await registered(clientId)).toEqual(keyIds);
      expect(keyIds).toHaveLength(1);
      await clientOf(await credentialIn(application)).getToken(vaultScope);
      await expect(clientOf(before[application] ?? {}).getToken(vaultScope)).rejects.toThrow(refusal);
    }
  });

  it('has the operator sign in with its new certificate', async () => {
    const { clientId, keyIds } = await credentialOf('aso');
    expect(await registered(clientId)).toEqual(keyIds);
    const settings = await operatorSettings();
    expect(settings.AZURE_CLIENT_CERTIFICATE === (await inVault('aks-1-aso-certificate'))).toBe(true);
    const own = (await tokenRequests()).filter((request) => request.clientId === clientId);
    expect(own.at(-1)).toMatchObject({ grant: 'certificate', credential: keyIds[0], outcome: 'issued' });
    expect(own.filter(({ outcome }) => outcome !== 'issued')).toEqual([]);
  });
});

describe('a change of the way to sign in', () => {
  const certificate = '{ servicePrincipal: { credential: certificate } }';
  const password = '{ servicePrincipal: { credential: password, storedPassword: accepted } }';
  /** The example with federation for orders, passwords for the operator and the chart, and one more storage account. */
  const changed = () =>
    [
      [
        `identity: ${certificate}\n      secrets: [orders-db]`,
        'identity: servicePrincipal\n      secrets: [orders-db]',
      ],
      [
        `identity: ${certificate}\n      secrets: [reports-db]`,
        `identity: ${password}\n      secrets: [reports-db]`,
      ],
      [`operatorIdentity: ${certificate}`, `operatorIdentity: ${password}`],
      [
        'secrets: [invoices-db]\n',
        'secrets: [invoices-db]\n      dependencies: [{ name: files, storageAccount: { name: stwistoredmore }, connection: secret }]\n',
      ],
    ].reduce(
      (text, [from = '', to = '']) => {
        expect(text).toContain(from);
        return text.replace(from, to);
      },
      readFileSync(path.join(projectRoot, file), 'utf8'),
    );
  const before: Record<string, Record<string, string>> = {};
  let update: Update;
  beforeAll(async () => {
    for (const application of ['orders', 'reports']) before[application] = await credentialIn(application);
    before.aso = await operatorSettings();
    update = await cloud.up({ stack, yaml: changed() });
  });

  it('keeps the applications in Entra and their grants', () => {
    const kept = /Application::|RoleAssignment|ServicePrincipal::/;
    expect(update.steps.urns.filter((urn) => kept.test(urn))).toEqual([]);
  });

  it('to federation ends the certificate', async () => {
    const { identities } = await cloud.outputs(stack);
    const orders = identities.find(({ name }) => name === `id-${stack}-aks-1-orders`);
    expect(orders?.clientId).toBe(before.orders?.AZURE_CLIENT_ID);
    expect(orders?.trusts).toHaveLength(1);
    expect(await registered(orders?.clientId)).toEqual([]);
    await expect(clientOf(before.orders ?? {}).getToken(vaultScope)).rejects.toThrow(/AADSTS700027/);
    const [pod] = await pods('orders');
    expect(pod?.metadata?.labels).toMatchObject({ 'azure.workload.identity/use': 'true' });
  });

  it("to a password has the pods of the owner's chart read by it, and ends the certificate", async () => {
    const after = await credentialIn('reports');
    expect(after.AZURE_CLIENT_CERTIFICATE).toBeUndefined();
    expect(await mountedIn('reports')).toMatch(/^reports\.password-/);
    expect(await logOf('reports')).toMatch(/"event":"read","secret":"reports-db"/);
    await clientOf(after).getToken(vaultScope);
    await expect(clientOf(before.reports ?? {}).getToken(vaultScope)).rejects.toThrow(/AADSTS700027/);
  });

  it('to a password has the operator provision by it, with a warning, and ends the certificate', async () => {
    expect(update.output).toMatch(
      /warning: The service operator signs in as id-stored-credentials-aks-1-aso with a stored password/,
    );
    const settings = await operatorSettings();
    expect(settings.AZURE_CLIENT_CERTIFICATE ?? '').toBe('');
    expect(settings.AZURE_CLIENT_SECRET === (await inVault('aks-1-aso-password'))).toBe(true);
    const { clientId, keyIds } = await credentialOf('aso');
    expect(await registered(clientId)).toEqual(keyIds);
    expect(await creatorOf('stwistoredmore')).toMatchObject({
      ...{ clientId, grant: 'secret', credential: keyIds[0] },
    });
    await expect(clientOf(before.aso ?? {}).getToken(vaultScope)).rejects.toThrow(/AADSTS700027/);
  });
});
