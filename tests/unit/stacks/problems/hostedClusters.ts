import { groupId, hostedCluster, identityId, vaultId } from '../ids';
import type { Subject } from './table';
import { refused, valid } from './table';

const at = 'hostedClusters[0]';
const kms = { vault: vaultId('kv-etcd'), key: 'etcd', version: '0123456789abcdef0123456789abcdef' };
const byFederation = { [`${at}.authentication`]: 'WorkloadIdentities' };
const external = { name: 'aks-1', mode: 'external', issuer: 'https://issuer.example/aks-1' };

const hosted = { clusters: [{ name: 'aks-1' }], [at]: hostedCluster };

const specOf = (version: string) => ({
  release: { image: `x/ocp:${version}` },
  pullSecret: { name: 'pull' },
});

export const hostedClusters: Subject = {
  change: hosted,
  rows: {
    'one with what it needs': valid({}),
    'an unknown component': refused({ [`${at}.components.dns`]: {} }),
    'a setting of the other way to sign in': refused({ ...byFederation, [`${at}.imageRegistry`]: false }),
    'a long name of a secret': refused({ [`${at}.components.disk.secretName`]: 'a'.repeat(128) }),
    'two components with one secret': refused(
      { [`${at}.components`]: { disk: { secretName: 'shared' }, file: { secretName: 'Shared' } } },
      `${at}.components.file.secretName`,
    ),
    'a private topology whose operator has no identity': refused(
      { ...byFederation, [`${at}.spec.platform.azure.topology`]: 'Private' },
      `${at}.controlPlaneOperator`,
    ),
    'a spec that cannot hold identities': refused({ [`${at}.spec.platform`]: null }),
    'certificates of which many would be valid at a time': refused({
      [`${at}.certificates.validityDays`]: 30,
      [`${at}.certificates.renewBeforeDays`]: 16,
    }),
    'an identity in the spec': refused({ [`${at}.spec.platform.azure.azureAuthenticationConfig`]: {} }),
    'settings of kms without a key': refused({ [`${at}.components.kms`]: {} }),
    'settings of a component that is off': refused({
      ...byFederation,
      [`${at}.components.controlPlaneOperator`]: {},
    }),
    'a key in the spec alone': refused(
      { [`${at}.spec.secretEncryption`]: { type: 'kms', kms: { azure: { activeKey: {} } } } },
      `${at}.spec.secretEncryption.kms.azure.activeKey`,
    ),
    'another encryption than that of its key': refused({
      [`${at}.kms`]: kms,
      [`${at}.spec.secretEncryption.type`]: 'aescbc',
    }),
    'access policies, which cannot name secrets': refused({ 'vault.access': 'accessPolicy' }),
    'an external cluster without the identity that reads the vault': refused(
      { 'clusters[0]': external, 'kubeconfigs.aks-1': 'x' },
      `${at}.reader`,
    ),
    'an external cluster with it': valid({
      'clusters[0]': external,
      'kubeconfigs.aks-1': 'x',
      [`${at}.reader.existing`]: identityId('id-reader'),
    }),
    'a reader that the stack makes for an application': refused({
      [`${at}.reader.existing`]: identityId('id-test-aks-1').replace('rg-there', 'rg-test'),
    }),
    "the environment's own group": refused({ [`${at}.resourceGroup`]: groupId('RG-test') }),
    'the group of a vault that exists': refused(
      { [`${at}.resourceGroup`]: groupId('rg-there'), vault: { existing: vaultId('kv-there') } },
      `${at}.resourceGroup`,
    ),
    'a role that assigns roles': refused({
      [`${at}.components.disk.role`]: '8E3AF657-a8ff-443c-a75c-2fe8c4bcb635',
    }),
    'the namespace of an application': refused(
      { [`${at}.spec`]: specOf('4.19.2'), [`${at}.namespace.name`]: 'orders' },
      `${at}.namespace`,
    ),
    'the namespace of an application, as existing': refused({
      [`${at}.spec`]: specOf('4.19.2'),
      [`${at}.namespace`]: { name: 'orders', existing: true },
    }),
    'two with one namespace of their control planes': refused(
      {
        [`${at}.name`]: 'b-c',
        [`${at}.namespace.name`]: 'a',
        'hostedClusters[1]': { ...hostedCluster, name: 'c', namespace: { name: 'a-b' } },
      },
      'hostedClusters[1].name',
    ),
    'the name of the identity of an application': refused(
      {
        'clusters[1].name': 'hc1',
        'applications[0].name': 'azure-disk',
        'applications[0].identity': 'application',
        ...byFederation,
      },
      `${at}.name`,
    ),
    'a name that makes a namespace too long': refused(
      { [`${at}.namespace.name`]: 'n'.repeat(60) },
      `${at}.name`,
    ),
    'a cluster that is not in the file': refused({ [`${at}.managementCluster`]: 'aks-2' }),
    'the secret of an application': refused(
      { 'applications[0].secrets': ['cpo-hc1-json'] },
      'applications[0].secrets[0]',
    ),
    'a value of the secret of a component': refused({ 'secretValues.cpo-hc1-json': 'hunter2' }),
  },
};

const path = 'hosted-clusters/hc1.yaml';
const file = (change: object = {}) => ({
  [`./${path}`]: JSON.stringify({
    name: 'hc1',
    environments: { test: '4.19.2', prod: '4.19.1' },
    releases: { '4.19.1': { spec: specOf('4.19.1') }, '4.19.2': { spec: specOf('4.19.2') } },
    ...change,
  }),
});
const released = (release: object) =>
  file({ releases: { '4.19.1': { spec: specOf('4.19.1') }, '4.19.2': release } });
const subnet = { platform: { azure: { subnetID: 'x' } } };

export const hostedClusterReleases: Subject = {
  change: { ...hosted, ...byFederation, [`${at}.release`]: `./${path}`, ...file() },
  rows: {
    'one that is right': valid({}),
    'in a file that does not exist': refused({ [`${at}.release`]: './hosted-clusters/hc2.yaml' }),
    'in a file outside the project': refused({ [`${at}.release`]: '../hc1.yaml' }),
    'in the file of another hosted cluster': refused(file({ name: 'hc2' }), `${path}: name`),
    'without a version for the environment': refused(
      file({ environments: { prod: '4.19.1' } }),
      `${path}: environments.test`,
    ),
    'of an application': refused(released({ spec: {}, image: 'x/y:1' }), `${path}: releases["4.19.2"].image`),
    'without a spec': refused(released({}), `${path}: releases["4.19.2"].spec`),
    'with what follows from the settings': refused(
      released({ spec: subnet }),
      `${path}: releases["4.19.2"].spec.platform.azure.subnetID`,
    ),
    'with what follows from the settings, in the stack file': refused(
      { [`${at}.spec`]: subnet },
      `${at}.spec.platform.azure.subnetID`,
    ),
  },
};
