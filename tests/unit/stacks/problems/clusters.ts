import { kubeconfigOfEntra } from '../../components/support/kubeconfigOfEntra';
import { clusterId, groupId } from '../ids';
import { application } from '../settings';
import type { Subject } from './table';
import { each, refused, valid } from './table';

const existing = { name: 'aks-1', mode: 'existing', id: clusterId('aks') };
const external = { name: 'edge', mode: 'external', issuer: 'https://issuer.example/' };
const rest = 'MC__aks-1_westeurope'.length;

const signingIn = (value: string) => kubeconfigOfEntra({ env: [{ name: 'AAD_LOGIN_METHOD', value }] });

/** Values of what only a cluster that is made has. */
const ofMade = {
  kubernetesVersion: '1.35',
  nodes: { count: 1 },
  tier: 'Free',
  administratorGroups: ['55555555-5555-4555-8555-555555555555'],
  authorizedIpRanges: ['203.0.113.0/24'],
  tags: { a: 'b' },
};

export const clusters: Subject = {
  rows: {
    'each mode with what belongs to it': valid({
      'clusters[0]': { name: 'made', ...ofMade },
      'clusters[1]': { ...existing, enable: true },
      'clusters[2]': external,
      kubeconfigs: { edge: 'a kubeconfig' },
    }),
    ...each(Object.entries(ofMade), ([field, value]) => [
      `${field} of a cluster that exists`,
      refused({ 'clusters[0]': { ...existing, [field]: value } }, `clusters[0].${field}`),
    ]),
    'an existing one without its id': refused({ 'clusters[0].mode': 'existing' }, 'clusters[0].id'),
    'an external one without its issuer': refused({ 'clusters[0].mode': 'external' }, 'clusters[0].issuer'),
    'the id of a cluster that the stack creates': refused({ 'clusters[0].id': clusterId('aks') }),
    '`enable` of a cluster that the stack creates': refused({ 'clusters[0].enable': false }),
    'the issuer of a cluster that the stack creates': refused({
      'clusters[0].issuer': 'https://issuer.example/',
    }),
    'kubeconfigs of clusters that are not external': refused(
      { 'clusters[1]': external, kubeconfigs: { 'aks-1': 'never-shown' } },
      'kubeconfigs.edge',
      'kubeconfigs.aks-1',
    ),
    'a kubeconfig of an external cluster that needs interactive sign-in': refused(
      {
        'clusters[0]': external,
        'clusters[1]': { ...external, name: 'shore', issuer: 'https://issuer.example/shore' },
        kubeconfigs: { edge: signingIn('interactive'), shore: signingIn('azurecli') },
      },
      'kubeconfigs.edge',
    ),
    'a kubeconfig where no cluster is external': refused({ 'kubeconfigs.edge': 'never-shown' }),
    'an existing one under two names': refused(
      { 'clusters[0]': existing, 'clusters[1]': { ...existing, name: 'two', id: clusterId('AKS') } },
      'clusters[1].id',
    ),
    'two issuers that differ in case, to which Entra has regard': valid({
      clusters: ['EU', 'eu'].map((name) => ({
        ...external,
        name: `edge-${name.charCodeAt(0)}`,
        issuer: `https://issuer.example/${name}`,
      })),
      kubeconfigs: { 'edge-69': 'x', 'edge-101': 'x' },
    }),
    'the same issuer twice': refused(
      { clusters: [external, { ...external, name: 'edge-2' }], kubeconfigs: { edge: 'x', 'edge-2': 'x' } },
      'clusters[1].issuer',
    ),
    'a group of nodes of 80 characters': valid({ resourceGroup: 'r'.repeat(80 - rest) }),
    'a group of nodes of 81 characters': refused(
      { resourceGroup: 'r'.repeat(81 - rest), 'clusters[1]': { ...existing, name: 'aks-2' } },
      'clusters[0].name',
    ),
    'a group of nodes in a group that exists': refused(
      { resourceGroup: { existing: groupId('g'.repeat(70)) }, clusters: [{ name: 'aks-1' }] },
      'clusters[0].name',
    ),
    'the same name twice': refused({ 'clusters[2].name': 'aks-1' }),
    'the name of the operator for an application': refused(
      { 'applications[0].name': 'aso' },
      'clusters[0].name',
      'clusters[1].name',
    ),
    'the name of an operator that is not installed but may be later': refused(
      { 'applications[0].name': 'aso', 'serviceOperator.install': false },
      'clusters[0].name',
      'clusters[1].name',
    ),
    'names that become equal when joined': refused(
      {
        clusters: [{ name: 'a' }, { name: 'a-b' }],
        applications: [application('b-c', { clusters: ['a'] }), application('c', { clusters: ['a-b'] })],
      },
      'clusters[1].name',
    ),
    'a stack whose name gives identities names that Azure refuses': refused(
      { $stack: 'my.stack' },
      ...Array.from({ length: 4 }, (_, index) => `clusters[${index < 2 ? 0 : 1}].name`),
    ),
  },
};

const exceptions = (...namespaces: string[]) =>
  namespaces.map((namespace) => ({ name: 'agents', namespace, podLabels: { app: namespace } }));
const podIdentityOf = (more: object) => ({
  'clusters[0].podIdentity': { unsupportedKubernetes: true, ...more },
});
const signIn = (how: string) => ({
  'applications[0].identity': 'application',
  'applications[0].signIn': how,
});
const stored = (credential: object) => ({ 'applications[0].identity': { servicePrincipal: credential } });
const password = stored({ credential: 'password', storedPassword: 'accepted' });
const onOne = { 'applications[0].clusters': ['aks-1'] };

export const podIdentity: Subject = {
  rows: {
    'on the default version of Kubernetes': refused({ 'clusters[0].podIdentity': {} }),
    'on a version that does not support it': refused({
      'clusters[0].kubernetesVersion': '1.28',
      'clusters[0].podIdentity': {},
    }),
    'on the last that it was supported on': valid({
      'clusters[0].podIdentity': {},
      'clusters[0].kubernetesVersion': '1.27.9',
    }),
    'where it is installed already': valid({ 'clusters[0].podIdentity.install': false }),
    'at the own risk': valid(podIdentityOf({})),
    'on a cluster that is not of AKS': refused(
      {
        'clusters[1]': { ...external, podIdentity: { unsupportedKubernetes: true } },
        kubeconfigs: { edge: 'x' },
      },
      'clusters[1].podIdentity',
    ),
    'two exceptions with the same name': refused(
      podIdentityOf({ exceptions: exceptions('one', 'one') }),
      'clusters[0].podIdentity.exceptions[1].name',
    ),
    'two exceptions of one name in two namespaces': valid(
      podIdentityOf({ exceptions: exceptions('a', 'b') }),
    ),
    'for secrets that the driver delivers': refused(
      {
        ...podIdentityOf({}),
        ...onOne,
        ...signIn('podIdentity'),
        'applications[0].secrets': ['db'],
        'applications[0].delivery': 'files',
      },
      'applications[0].delivery',
    ),
    'nowhere, with settings of its events': refused({ 'tokenEvents.intervalSeconds': 30 }, 'tokenEvents'),
    'for a service principal': refused(
      { ...podIdentityOf({}), ...onOne, ...signIn('both'), 'applications[0].identity': 'servicePrincipal' },
      'applications[0].signIn',
    ),
    'for a service principal with a certificate': refused(
      { ...podIdentityOf({}), ...onOne, ...signIn('podIdentity'), ...stored({ credential: 'certificate' }) },
      'applications[0].signIn',
    ),
    'for a service principal with a password': valid({
      ...podIdentityOf({}),
      ...onOne,
      ...signIn('podIdentity'),
      ...password,
    }),
    'for a service principal with a password, beside workload identity': refused(
      { ...podIdentityOf({}), ...onOne, ...signIn('both'), ...password },
      'applications[0].signIn',
    ),
    'that is not on the cluster': refused(
      { ...podIdentityOf({}), ...signIn('both') },
      'applications[0].signIn',
    ),
  },
};
