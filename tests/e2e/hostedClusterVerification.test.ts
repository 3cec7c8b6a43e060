/**
 * Reports on the example of docs/hypershift.md: the verification, also of what others changed, and the command that shows
 * hosted clusters. The tests are steps of one story and run in order.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { HostedClusterView } from '../../cli/hostedClusters/view';
import type { AzureClients } from '../support/azureClients';
import { projectRoot } from '../support/command';
import { localCloud } from '../support/localCloud';
import { patchHostedCluster } from './support/hostedClusterPods';
import { HypershiftExample, stack, vault } from './support/hypershiftExample';

jest.setTimeout(10 * 60_000);

const cloud = localCloud('hosted-cluster-verification');
let deployed: HypershiftExample;
let azure: AzureClients;

beforeAll(async () => {
  deployed = await HypershiftExample.deploy(cloud);
  ({ azure } = deployed);
});
afterAll(async () => {
  delete process.env.AKS_WI_NOW;
  await cloud.clean();
});

const hosted = (name: string) => deployed.hosted(name);

/** The failed checks of the verification, as `<application>: <check>`, with their details. */
async function failedChecks(): Promise<Record<string, string>> {
  const { report } = await cloud.verify(stack);
  return Object.fromEntries(
    report.checks
      .filter(({ ok }) => !ok)
      .map(({ application, check, detail }) => [`${application}: ${check}`, detail]),
  );
}

describe('the verification', () => {
  it('has rows for each identity, and says what HyperShift and others have not made yet', async () => {
    const { code, report } = await cloud.verify(stack);
    expect(code).toBe(0);
    const names = (application: string) =>
      report.checks.filter((check) => check.application === application).map(({ check }) => check);
    expect(names('hc1/disk')).toEqual([
      'has its roles',
      'has a valid certificate',
      'signs in only with its certificates',
      `has its secret ${vault}/azure-disk-hc1-json`,
      `lets the nodes read ${vault}/azure-disk-hc1-json`,
      'class managed-azure-disk-csi',
    ]);
    expect(names('hc1/disk on nodes')).toEqual(['has its roles']);
    expect(names('hc2/ingress')).toEqual(['has its roles']);
    expect(names(`id-${stack}-hc2-ingress`)).toContain('trusts only what the stack names');
    expect(names('hc1')).toEqual(['HostedCluster names its identities']);
    const { stdout } = await cloud.command('verify', '--stack', stack);
    expect(stdout).toMatch(/self-managed has no HostedCluster clusters\/hc2 yet/);
    expect(stdout).toMatch(/│ hc1\/disk on nodes\s+│/);
    expect(stdout).toMatch(/│ hc2\/ingress\s+│.*│ federation\s+│/);
  });

  it('finds a password, a lost role and a changed HostedCluster, and an update restores them', async () => {
    const { components } = await hosted('hc1');
    const ingress = components.find(({ component }) => component === 'ingress');
    const network = components.find(({ component }) => component === 'network');
    await azure
      .graph()
      .api(`/applications(appId='${ingress?.clientId ?? ''}')/addPassword`)
      .post({ passwordCredential: { displayName: 'beside the stack' } });
    const lost = network?.roles.find(({ scope }) => scope.endsWith('/subnets/hc1'));
    for await (const assignment of azure.authorization().roleAssignments.listForScope(lost?.scope ?? '', {
      filter: `principalId eq '${network?.principalId ?? ''}'`,
    }))
      if (assignment.scope === lost?.scope)
        await azure.authorization().roleAssignments.deleteById(assignment.id ?? '');
    await patchHostedCluster(await cloud.kubernetes('management'), 'hc1', {
      spec: {
        platform: {
          azure: {
            azureAuthenticationConfig: {
              managedIdentities: { controlPlane: { disk: { clientID: network?.clientId } } },
            },
          },
        },
      },
    });

    const failed = await failedChecks();
    expect(Object.keys(failed).sort()).toEqual([
      'hc1/ingress: signs in only with its certificates',
      'hc1/network: has its roles',
      'hc1: HostedCluster names its identities',
    ]);
    expect(failed['hc1/network: has its roles']).toMatch(
      /lacks Azure Red Hat OpenShift Network Operator on .*\/subnets\/hc1; /,
    );
    const remove = /remove it: az ad app credential delete --id (\S+) --key-id (\S+)/.exec(
      failed['hc1/ingress: signs in only with its certificates'] ?? '',
    );
    expect(remove?.[1]).toBe(ingress?.clientId);
    await azure
      .graph()
      .api(`/applications(appId='${ingress?.clientId ?? ''}')/removePassword`)
      .post({ keyId: remove?.[2] });

    await cloud.pulumi({ stack }, 'up', '--yes', '--skip-preview', '--refresh');
    expect(await failedChecks()).toEqual({});
  });
});

describe('the command', () => {
  it('draws the picture of the documentation, but for ids and its time', async () => {
    const picture = path.join(cloud.state, 'picture.svg');
    await cloud.succeed('hosted-clusters', '--stack', stack, '--svg', picture);
    const shown = [picture, path.join(projectRoot, 'docs', 'hypershift.svg')].map((name) => {
      const [, text = ''] = /<desc[^>]*>([^]*)<\/desc>/.exec(readFileSync(name, 'utf8')) ?? [];
      return text
        .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'an id')
        .replace(/ at \d{4}-\d\d-\d\d \d\d:\d\d UTC/, '');
    });
    expect(shown[0]).toContain('an id');
    expect(shown[0]).toBe(shown[1]);
  });

  it('says what has expired on a day', async () => {
    const now = await cloud.command('hosted-clusters', '--stack', stack);
    expect(now).toMatchObject({ code: 0, stdout: expect.stringContaining('cpo-hc1-json') as unknown });
    const [first] = (await hosted('hc1')).components;
    process.env.AKS_WI_NOW = first?.expiresOn ?? '';
    const then = await cloud.command('hosted-clusters', '--stack', stack, '--json');
    delete process.env.AKS_WI_NOW;
    expect(then.code).toBe(1);
    const { hostedClusters } = JSON.parse(then.stdout) as { hostedClusters: HostedClusterView[] };
    expect(hostedClusters[0]).toMatchObject({ name: 'hc1', renewalDue: true });
    expect(hostedClusters[0]?.components[0]).toMatchObject({ component: 'cloudProvider', expired: true });
  });
});

describe('a class that is deleted', () => {
  it("is made again by HyperShift's operator", async () => {
    const name = 'managed-azure-file-csi';
    const { custom } = await cloud.kubernetes('management');
    const kind = { group: 'secrets-store.csi.x-k8s.io', version: 'v1', plural: 'secretproviderclasses' };
    await custom.deleteNamespacedCustomObject({ ...kind, namespace: 'clusters-hc1', name });
    await deployed.secretProviderClass(name);
    expect(await failedChecks()).toEqual({});
  });
});
