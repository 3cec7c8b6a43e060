import type { Subject } from './table';
import { each, refused, valid } from './table';

const database = (version: unknown) => ({
  'applications[0].dependencies': [{ name: 'db', postgresql: { name: 'pg-test', database: 'a', version } }],
});
const versionOfDatabase = ['applications[0].dependencies[0].postgresql.version'];

/** Keys, and values that are wrong in themselves. */
export const shape: Subject = {
  rows: {
    'the stack file of the table': valid({}),
    'the long name of a region': refused({ location: 'West Europe' }),
    'no region': refused({ location: undefined }),
    'an empty resource group': refused({ resourceGroup: {} }, 'resourceGroup.existing'),
    'an unknown key': refused({ vualts: 'central' }),
    'an unknown key without a similar one': refused({ somethingElse: 1 }),
    'none of a choice': refused({ identity: 'clusters' }),
    'a choice for one application as the default of all': refused({ identity: 'servicePrincipal' }),
    'a number below its range': refused({ 'vault.softDeleteRetentionInDays': 6 }),
    'a string for a boolean': refused({ protect: 'yes' }),
    'a string for a boolean in an object': refused({ 'services.retainOnDelete': 'maybe' }),
    'an object for a list': refused({ clusters: { name: 'aks-1' } }),
    'a list for an object': refused({ vault: [] }),
    'a string for a list, also too short': refused({ clusters: '' }),
    'an empty list': refused({ clusters: [] }),
    'an unknown key in an object': refused({ 'clusters[0].node': 1 }),
    'an unknown key in an object with few keys': refused({ 'clusters[0].nodes.size': 'Standard_D4ds_v5' }),
    'a number for a version': refused({ 'clusters[0].kubernetesVersion': 1.35 }),
    'a version of four numbers': refused({ 'clusters[0].kubernetesVersion': '1.35.4.1' }),
    'an image without a tag': refused({ 'applications[0].image': 'ghcr.io/x/reader' }),
    'a range of versions': refused({ 'certManager.version': '^1.2.3' }),
    'an absolute path': refused({ 'serviceOperator.chart': '/charts/aso.tgz' }),
    'empty patterns': refused({ 'serviceOperator.crdPattern': '' }),
    'a number that must be a quoted string': refused(database(16), ...versionOfDatabase),
    'a number that is not valid as a string either': refused(database(12), ...versionOfDatabase),
    'a name of a role assignment that is not a GUID': refused(
      { 'imported.roleAssignments': { 'kv-test/aks-1/db': 'made-by-hand' } },
      'imported.roleAssignments["kv-test/aks-1/db"]',
    ),
    'mistakes in each of the shapes of an object': refused(
      {
        'clusters[0]': { name: 'Aks', mode: 'extrnal', issuer: 'http://x', isuer: 'x', nodes: { count: 1 } },
        'clusters[1]': { mode: 'other' },
      },
      ...['[0].name', '[0].mode', '[0].issuer', '[0].isuer', '[1].name', '[1].mode'].map(
        (at) => `clusters${at}`,
      ),
    ),
    'a string for the boolean that selects a shape': refused(
      { certManager: { install: 'yes', version: '1.2.3', chrt: 'x' } },
      'certManager.install',
      'certManager.chrt',
    ),
    'the boolean that selects a shape, in quotes': refused({ 'certManager.install': 'false' }),
    'keys that only some shapes allow, where none is selected': refused(
      {
        'applications[0]': { name: 'a', overrides: [{ clusters: ['aks-1'], values: { a: 1 }, replica: 2 }] },
      },
      'applications[0]',
      'applications[0].overrides[0].replica',
    ),
    'names that are properties of every object': refused(
      {
        clusters: [{ name: 'constructor', mode: 'external', issuer: 'https://issuer.example' }],
        'applications[0].secrets': ['constructor'],
        'applications[0].identity': { existing: {} },
      },
      'kubeconfigs.constructor',
      'applications[0].identity.existing.constructor',
    ),
  },
};

const many = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`t${index}`, 'x']));
const own = { 'vault.tags': { a: 'x' } };
const storage = {
  'applications[0].dependencies': [{ name: 'f', storageAccount: { name: 'stf' } }],
};
const long = (length: number) => ({ ['n'.repeat(length)]: 'x' });

export const tags: Subject = {
  rows: {
    ...each(['a<b', 'a>b', 'a%b', 'a&b', 'a\\b', 'a?b', 'a/b', '', ' ', 'Microsoft.x'], (name) => [
      `the name ${JSON.stringify(name)}`,
      refused({ tags: { [name]: 'x' } }, `tags[${JSON.stringify(name)}]`),
    ]),
    ...each(['azure-x', 'WINDOWS'], (name) => [`the name ${name}`, refused({ [`tags.${name}`]: 'x' })]),
    'a name of 513 characters': refused({ tags: long(513) }, `tags["${'n'.repeat(200)}…"]`),
    'any other name': valid({ tags: { 'cost center: a.b': 'x', my_azure: 'x', ...long(512) } }),
    'the tag of the stack': refused({ 'tags.Pulumi-Stack': 'x' }),
    'the tag of the stack on the vault': refused({ 'vault.tags.pulumi-stack': 'x' }),
    'the tag of the stack on a cluster and on the vault of an application': refused(
      {
        'clusters[0].tags.pulumi-stack': 'x',
        'applications[0].vault.tags.pulumi-stack': 'x',
        'applications[0].vault.placement': 'perApplication',
      },
      'clusters[0].tags.pulumi-stack',
      'applications[0].vault.tags.pulumi-stack',
    ),
    'a name of 128 characters on a storage account': valid({ ...storage, tags: long(128) }),
    'a name of 129 characters on a storage account': refused(
      { ...storage, tags: long(129) },
      `tags.${'n'.repeat(129)}`,
    ),
    'a name in two cases': refused({ tags: { owner: 'a', Owner: 'b' } }, 'tags.Owner'),
    'the name of a tag of the environment in another case': refused({
      'tags.owner': 'a',
      'clusters[0].tags.owner': 'b',
      'vault.tags.OWNER': 'b',
    }),
    '50 on one resource': valid({ tags: many(49) }),
    '51 on one resource, too many for every resource': refused({ ...own, tags: many(50) }),
    "51 on one resource, with the environment's": refused({
      tags: many(49),
      'clusters[0].tags': { a: 'x', t0: 'y' },
    }),
    'a value of 256 characters': valid({ 'tags.a': 'v'.repeat(256) }),
    'a value of 257 characters': refused({ 'tags.a': 'v'.repeat(257) }),
    'a number as a value': refused({ 'tags.cost': 12 }),
  },
};
