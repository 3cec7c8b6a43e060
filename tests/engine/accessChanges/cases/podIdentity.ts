import { podIdentity, shop } from '../bases';
import type { Change } from '../change';
import { from } from '../change';
import { add, all, remove, set } from '../edit';
import { gained, less, loud, perhaps } from '../expected';
import { sources } from '../sources';

const binding = from(podIdentity, sources.podIdentityBinding);
const exceptions = from(podIdentity, sources.podIdentityException);
const nodes = from(shop, sources.podIdentityNodes);
const excepted = from(
  set('clusters.one.podIdentity.exceptions', [
    { name: 'agents', namespace: 'orders', podLabels: { app: 'agent' } },
  ])(podIdentity),
  sources.podIdentityException,
);
const pods = /(^|\/)pods of orders labelled aadpodidbinding: orders$/;
const ofNodes = perhaps(/node|podIdentity|kubelet|Managed Identity Operator|Virtual Machine Contributor/i);

/** aad-pod-identity: pods with a label, exceptions, and the identities of nodes. */
export const podIdentityChanges: readonly Change[] = [
  nodes(
    'aad-pod-identity in place of workload identity',
    all(
      set('clusters.one.podIdentity', { unsupportedKubernetes: true }),
      set('applications.orders.signIn', 'podIdentity'),
    ),
    gained(pods, 'kv-shop/orders-db'),
    ofNodes,
  ),
  nodes(
    'aad-pod-identity beside workload identity',
    all(
      set('clusters.one.podIdentity', { unsupportedKubernetes: true }),
      set('applications.orders.signIn', 'both'),
    ),
    gained(pods, 'kv-shop/orders-db'),
    ofNodes,
  ),
  nodes(
    'aad-pod-identity that is on the cluster already',
    all(set('clusters.one.podIdentity', { install: false }), set('applications.orders.signIn', 'both')),
    gained(pods, 'kv-shop/orders-db'),
    ofNodes,
  ),
  nodes(
    'aad-pod-identity on a cluster, for nobody yet',
    set('clusters.one.podIdentity', { unsupportedKubernetes: true }),
    ofNodes,
  ),
  binding(
    'workload identity beside aad-pod-identity',
    set('applications.orders.signIn', 'both'),
    gained('one/orders/orders', 'kv-shop/orders-db'),
  ),
  binding(
    'workload identity in place of aad-pod-identity',
    remove('applications.orders.signIn'),
    gained('one/orders/orders', 'kv-shop/orders-db'),
    less(pods, 'kv-shop/orders-db'),
  ),
  from(set('applications.orders.signIn', 'both')(podIdentity), sources.podIdentityBinding)(
    'no aad-pod-identity any more where both were',
    remove('applications.orders.signIn'),
    less(pods, 'kv-shop/orders-db'),
  ),
  binding(
    'a further secret of pods with a label',
    add('applications.orders.secrets', 'payment'),
    gained(pods, 'kv-shop/payment'),
  ),
  binding(
    'another namespace of pods with a label',
    set('applications.orders.namespace', 'sales'),
    gained(/(^|\/)pods of sales labelled aadpodidbinding: orders$/, 'kv-shop/orders-db'),
    less(pods, 'kv-shop/orders-db'),
  ),
  binding(
    'a namespace that others own, of pods with a label',
    set('applications.orders.namespace', { name: 'sales', existing: true }),
    gained(/(^|\/)pods of sales labelled aadpodidbinding: orders$/, 'kv-shop/orders-db'),
    perhaps(/sales/),
  ),
  exceptions(
    'an exception, whose pods get the tokens of their node',
    set('clusters.one.podIdentity.exceptions', [
      { name: 'agents', namespace: 'orders', podLabels: { app: 'agent' } },
    ]),
    loud(/exceptions|agents/),
  ),
  excepted(
    'a further label of an exception, one of which is enough',
    set('clusters.one.podIdentity.exceptions.agents.podLabels', { app: 'agent', tier: 'web' }),
    loud(/exceptions|agents/),
  ),
  excepted(
    'another namespace of an exception',
    set('clusters.one.podIdentity.exceptions.agents.namespace', 'invoices'),
    loud(/exceptions|agents|invoices/),
  ),
  excepted(
    'a further exception',
    add('clusters.one.podIdentity.exceptions', {
      name: 'scanners',
      namespace: 'billing',
      podLabels: { app: 'scan' },
    }),
    loud(/exceptions|scanners/),
  ),
  excepted('an exception less', remove('clusters.one.podIdentity.exceptions')),
  from(podIdentity, sources.charts)(
    "another chart than aad-pod-identity's",
    set('clusters.one.podIdentity', {
      unsupportedKubernetes: true,
      chart: 'oci://ghcr.io/example/charts/pods',
      version: '4.1.18',
    }),
    loud(/podIdentity|chart/),
  ),
  binding(
    'a password of a service principal, with which aad-pod-identity signs in',
    set('applications.orders.identity', {
      servicePrincipal: { credential: 'password', storedPassword: 'accepted' },
    }),
    gained(/stored credential of .*orders/, 'kv-shop/orders-db'),
    perhaps(/orders/),
  ),
  binding('another interval of the events of tokens', set('tokenEvents', { intervalSeconds: 30 })),
  binding('a further replica of aad-pod-identity', set('clusters.one.podIdentity.replicas', 2)),
];
