import { cloudOf } from '../../../components/azure/clouds';
import { clusterId, groupId, subnetId } from './ids';
import { preflighted } from './preflighted';
import type { Input } from './settings';
import { application, input } from './settings';

const key = (rest: string) => `aks-workload-identity:${rest}`;
const files = { name: 'files', storageAccount: { name: 'stfiles' } };
const existing = (more: object = {}) => ({
  clusters: [{ name: 'aks-1', mode: 'existing', id: clusterId('aks-there'), ...more }],
  applications: [],
});
const check = (settings: Input, answers: Record<string, unknown> = {}, cloud = 'public') =>
  preflighted(settings, answers, { cloud: cloudOf(cloud) });

describe('of another cloud, the preflight', () => {
  it.each([
    ['clusters[0].enable', existing({ enable: true })],
    ['enableWorkloadIdentity', { ...existing({}), enableWorkloadIdentity: true }],
  ])('refuses to switch a cluster on by %s if its resource manager is not known', async (at, settings) => {
    const { problems } = await check(input([], settings), {}, 'moon');

    expect(problems).toEqual([
      key(
        `${at}: true is not possible in the cloud "moon" (azure-native:environment, ARM_ENVIRONMENT), whose Resource Manager endpoint is unknown. Allowed: the clouds public, usgovernment, china. Remove it, and enable both on the cluster yourself: \`az aks update --enable-oidc-issuer --enable-workload-identity\`.`,
      ),
    ]);
  });

  it("refuses the private DNS zone of another cloud's vaults", async () => {
    const zone = `${groupId('rg-dns')}/providers/Microsoft.Network/privateDnsZones/privatelink.vaultcore`;
    const inCloud = async (privateDnsZone: string, cloud: string) => {
      const vault = { name: 'kv-test', privateEndpoints: [{ subnet: subnetId('apps'), privateDnsZone }] };
      return (await check(input([], { vault, resourceGroup: { existing: groupId('rg') } }), {}, cloud))
        .problems;
    };

    expect(await inCloud(`${zone}.azure.net`, 'public')).toEqual([]);
    expect(await inCloud(`${zone}.Azure.cn`, 'AzureChinaCloud')).toEqual([]);
    expect(await inCloud(`${zone}.azure.cn`, 'one-of-its-own')).toEqual([]);
    expect(await inCloud(`${zone}.azure.net`, 'usgovernment')).toEqual([
      key(
        `vault.privateEndpoints[0].privateDnsZone: "${zone}.azure.net" is not the private DNS zone of vaults in the cloud "usgovernment". Allowed: a zone privatelink.vaultcore.usgovcloudapi.net. Name that one, or remove it.`,
      ),
    ]);
  });
});

describe('of another subscription, the preflight', () => {
  const endpoints = (name: string) => ({ privateEndpoints: [{ subnet: subnetId(name) }] });
  const vault = { name: 'kv-test', ...endpoints('shared') };

  it('refuses a group for services', async () => {
    const services = { resourceGroup: { existing: groupId('rg-services') } };
    const { problems } = await check(input([application('a', { dependencies: [files] })], { services }));

    expect(problems).toContainEqual(
      expect.stringContaining(
        `services.resourceGroup.existing: "${groupId('rg-services')}" is not in the subscription of the deployment`,
      ),
    );
  });

  it('refuses the subnet of a private endpoint, at the place of each once', async () => {
    const own = (name: string, more: object = {}) =>
      application(name, {
        ...{ identity: 'application', secrets: [`${name}-db`] },
        vault: { placement: 'perApplication', ...more },
      });
    const applications = [application('central'), own('follows'), own('says', endpoints('own'))];
    const { problems } = await check(input(applications, { vault }));

    expect(problems.map((problem) => problem.split(' from the resource group')[0])).toEqual([
      key(`vault.privateEndpoints: "${subnetId('shared')}" is a subnet in a different subscription`),
      key(
        `applications[2].vault.privateEndpoints: "${subnetId('own')}" is a subnet in a different subscription`,
      ),
    ]);
  });

  it('accepts an endpoint in the subscription of the group, and one of a central vault that is not created or used', async () => {
    const there = { vault, resourceGroup: { existing: groupId('rg-there') } };
    const own = { placement: 'perApplication', privateEndpoints: [] };
    const apart = [application('a', { identity: 'application', vault: own })];

    expect((await check(input([], there))).problems).toEqual([]);
    expect((await check(input(apart, { vault, vaults: 'perApplication' }))).problems).toEqual([]);
  });
});
