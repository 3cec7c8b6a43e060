/**
 * A hosted cluster that leaves the stack file: its identities stay in Entra and Azure and its certificates go, `aks-wi
 * orphans` lists what stays, and `aks-wi import` takes it back. The tests use the local Entra through Microsoft's client,
 * and do not prove the official plugin's import. They are steps of one story and run in order.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { stringify } from 'yaml';
import type { HostedClusterOutput } from '../../stacks/outputs/hostedClusterOutput';
import type { AzureClients } from '../support/azureClients';
import { projectRoot } from '../support/command';
import { localCloud, type StackRequest } from '../support/localCloud';
import { makePrerequisites } from './support/documentedSteps';

jest.setTimeout(10 * 60_000);

const cloud = localCloud('hosted-retention');
const stack = 'kept';
const tag = `aks-workload-identity/${stack}`;
const applicationType = 'azuread:index/application:Application';
const file = path.join(cloud.state, `Pulumi.${stack}.yaml`);
let azure: AzureClients;

beforeAll(async () => {
  await cloud.start();
  azure = await cloud.azure();
  await makePrerequisites(cloud, 'hypershift');
});
afterAll(() => cloud.clean());

const scope = () => `/subscriptions/${azure.subscriptionId}/resourceGroups`;
const inNetwork = () => `${scope()}/rg-network/providers/Microsoft.Network`;

/** A stack file with a management cluster and these hosted clusters. */
function hosting(...names: string[]): StackRequest {
  const settings = {
    location: 'westeurope',
    resourceGroup: 'rg-wi-kept',
    vault: { name: 'kv-wi-kept', publicAccess: true },
    clusters: [{ name: 'management', nodes: { count: 1 } }],
    certManager: { install: false },
    serviceOperator: { install: false },
    hostedClusters: names.map((name) => ({
      name,
      managementCluster: 'management',
      issuer: `https://issuer.example.com/${name}`,
      resourceGroup: `${scope()}/rg-hc1`,
      subnet: `${inNetwork()}/virtualNetworks/vnet-hc/subnets/${name}`,
      securityGroup: `${inNetwork()}/networkSecurityGroups/nsg-hc1`,
    })),
  };
  const config = Object.entries(settings).map(([key, value]) => [`aks-workload-identity:${key}`, value]);
  writeFileSync(file, stringify({ config: Object.fromEntries(config) as object }));
  return { stack, file: path.relative(projectRoot, file) };
}

interface Registered {
  readonly id: string;
  readonly appId: string;
  readonly displayName: string;
  readonly keyCredentials: readonly unknown[];
}

/** The applications of the stack in Entra, by name. */
async function applications(): Promise<Registered[]> {
  const { value } = (await azure
    .graph()
    .api('/applications')
    .filter(`tags/any(t:t eq '${tag}')`)
    .select('id,appId,displayName,keyCredentials')
    .get()) as { value: Registered[] };
  return value.sort((one, other) => (one.displayName < other.displayName ? -1 : 1));
}

async function hosted(): Promise<HostedClusterOutput> {
  const [only] = (await cloud.outputs(stack)).hostedClusters;
  if (only === undefined) throw new Error('the outputs have no hosted cluster');
  return only;
}

/** Client ids by component. */
const clientIds = async () =>
  Object.fromEntries((await hosted()).components.map(({ component, clientId }) => [component, clientId]));

interface Orphan {
  readonly id: string;
  readonly type: string;
  readonly displayName?: string;
  readonly delete: string;
  readonly takeBack: string;
}

async function orphans(): Promise<Orphan[]> {
  const { code, stdout, stderr } = await cloud.command('orphans', '--stack', stack, '--local', '--json');
  expect(`${code} ${stderr}`).toBe('0 ');
  return (JSON.parse(stdout) as { orphans: Orphan[] }).orphans;
}

const refusedPreview = ({ file: stackFile = '' }: StackRequest) =>
  cloud.fail('pulumi', '--stack', stack, '--stack-file', stackFile, 'preview', '--non-interactive');

const importing = (...args: string[]) =>
  cloud.succeed(
    'import',
    ...['--stack', stack, '--local', '--stack-file', path.relative(projectRoot, file), ...args],
  );

const inEntra = (steps: readonly string[]) =>
  steps.filter((step) => /azuread:index\/(application|servicePrincipal):/.test(step));

let before: Record<string, string>;

describe('a hosted cluster that is taken out of the stack file', () => {
  it('is deployed first, and there are no orphans', async () => {
    await cloud.deploy(hosting('hc1'));
    before = await clientIds();

    expect(Object.keys(before)).toHaveLength(8);
    expect((await applications()).map(({ appId }) => appId).sort()).toEqual(Object.values(before).sort());
    expect(await orphans()).toEqual([]);
  });

  it('leaves its identities, without their certificates', async () => {
    const steps = await cloud.deploy(hosting());

    expect(steps.summary).toContain(`retain ${applicationType} hc1/disk`);
    expect(steps.summary).toContain('retain azuread:index/servicePrincipal:ServicePrincipal hc1/disk');
    const left = await applications();
    expect(left.map(({ appId }) => appId).sort()).toEqual(Object.values(before).sort());
    expect(left.flatMap(({ keyCredentials }) => keyCredentials)).toEqual([]);
  });

  it('is listed, with the commands that delete it and import it', async () => {
    const found = await orphans();
    const ofType = (type: string) => found.filter((orphan) => orphan.type === type);

    const [first] = await applications();
    expect(ofType('Microsoft.Graph/applications')).toHaveLength(8);
    expect(found).toContainEqual({
      id: `/applications/${first?.id ?? ''}`,
      type: 'Microsoft.Graph/applications',
      displayName: first?.displayName,
      delete: `az ad app delete --id ${first?.id ?? ''}`,
      takeBack: `npx aks-wi import --stack ${stack}`,
    });
    expect(ofType('Microsoft.ManagedIdentity/userAssignedIdentities')).toHaveLength(3);
    expect(ofType('Microsoft.KeyVault/vaults/secrets')).toHaveLength(8);
    expect(found).toHaveLength(19);
    const listed = await cloud.succeed('orphans', '--stack', stack, '--local');
    expect(listed).toMatch(new RegExp(`/applications/${first?.id ?? ''}\\S*  ${first?.displayName ?? ''}\n`));
  });

  it('is refused in the preview when it is put back, with the hint to import it', async () => {
    const reported = await refusedPreview(hosting('hc1'));

    // The engine ends the preview after the first ones.
    const refused = [
      ...reported.matchAll(/\/applications\/(\S+) exists in Entra, and the stack would create it/g),
    ];
    expect(refused).not.toEqual([]);
    const left = (await applications()).map(({ id }) => id);
    expect(left).toEqual(expect.arrayContaining(refused.map(([, id]) => id)));
    expect(reported).toContain(`npx aks-wi import --stack ${stack}`);
  });

  it('is imported with the same clients', async () => {
    const request = hosting('hc1');
    const taken = await importing('--yes');
    expect(taken).toMatch(/ {2}Application {7}.*hc1\/disk.* {2}\/applications\/[0-9a-f-]{36}\n/);
    expect(taken).toContain('27 resources are now in the stack');

    const steps = await cloud.deploy(request);
    expect(steps.summary.filter((step) => /replace|delete/.test(step))).toEqual([]);
    // The import cannot know that the names are to be unique.
    expect(inEntra(steps.summary)).toEqual(
      Object.keys(before)
        .sort()
        .map((component) => `update ${applicationType} hc1/${component}`),
    );
    expect(await clientIds()).toEqual(before);
    expect(await orphans()).toEqual([]);
    expect((await cloud.deploy(request)).changed).toEqual([]);
  });

  it('signs in with its new certificate', async () => {
    const { value = '' } = await azure.secrets('kv-wi-kept').getSecret('cpo-hc1-json');
    const { client_id: client = '', client_secret: secret = '' } = JSON.parse(value) as Record<
      string,
      string
    >;
    expect(client).toBe(before['controlPlaneOperator']);
    const operator = azure.certificateCredential(client, Buffer.from(secret, 'base64').toString());
    expect((await azure.resources(operator).resourceGroups.get('rg-hc1')).name).toBe('rg-hc1');
  });
});

describe('an import that ended after the application', () => {
  it('is continued: the service principal is refused, and imported', async () => {
    const request = hosting('hc1');
    const urn = (await cloud.urns(stack)).find((candidate) =>
      candidate.endsWith('servicePrincipal:ServicePrincipal::hc1/disk'),
    );
    await cloud.pulumi(request, 'state', 'delete', urn ?? '', '--target-dependents', '--yes');

    const reported = await refusedPreview(request);
    expect(reported).toMatch(
      /\/servicePrincipals\/[0-9a-f-]{36} exists in Entra, and the stack would create it/,
    );
    await importing('--yes');
    const steps = await cloud.deploy(request);
    expect(steps.summary.filter((step) => /replace|delete/.test(step))).toEqual([]);
    expect(inEntra(steps.summary)).toEqual([]);
    expect(await clientIds()).toEqual(before);
  });
});

describe('an application of somebody else with the same name', () => {
  it('is refused in the preview, with the hint to rename it', async () => {
    const displayName = `id-${stack}-hc2-azure-disk`;
    const { id } = (await azure.graph().api('/applications').post({ displayName })) as Registered;

    expect(await refusedPreview(hosting('hc1', 'hc2'))).toContain(
      `/applications/${id} in Entra has the display name of hc2/disk, "${displayName}", and does not belong to this stack. Rename it, or what hc2/disk is named after in the stack file.`,
    );
    expect(await importing('--dry-run')).not.toContain(id);
  });
});
