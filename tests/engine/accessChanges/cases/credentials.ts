import { services, shop, stored, withRoles, container } from '../bases';
import type { Change } from '../change';
import { from } from '../change';
import { add, all, remove, set } from '../edit';
import { gained, less, loud, perhaps, role } from '../expected';
import { sources } from '../sources';

const credentials = from(shop, sources.appCredentials);
const kept = from(stored, sources.appCredentials);
const passwords = from(stored, sources.passwords);
const certificate = { servicePrincipal: { credential: 'certificate' } };
const password = { servicePrincipal: { credential: 'password', storedPassword: 'accepted' } };
const ofOrders = /stored credential of .*orders/;
const identity = 'applications.orders.identity';

/** Certificates and passwords that are stored, and who has them. */
export const credentialChanges: readonly Change[] = [
  credentials(
    'a stored certificate',
    set(identity, certificate),
    gained(ofOrders, 'kv-shop/orders-db'),
    perhaps(/orders/),
  ),
  credentials(
    'a stored password',
    set(identity, password),
    gained(ofOrders, 'kv-shop/orders-db'),
    perhaps(/orders/),
  ),
  from(set(identity, 'servicePrincipal')(shop), sources.appCredentials)(
    'a stored certificate of a service principal that signed in with federation',
    set(identity, certificate),
    gained(ofOrders, 'kv-shop/orders-db'),
    perhaps(/orders/),
  ),
  from(withRoles, sources.appCredentials)(
    'a stored certificate of an application with a role',
    set(identity, certificate),
    gained(ofOrders, ['kv-shop/orders-db', role('Storage Blob Data Reader', container)]),
    perhaps(/orders/),
  ),
  kept(
    'a further secret of an application with a stored credential',
    add('applications.orders.secrets', 'payment'),
    gained(ofOrders, 'kv-shop/payment'),
    perhaps(/kv-shop\/payment/),
  ),
  kept(
    'a further cluster of an application with a stored credential',
    set('applications.orders.clusters', ['one', 'two']),
    gained(/stored credential of .*two.*orders/, 'kv-shop/orders-db'),
    perhaps(/two/),
  ),
  from(stored, sources.kubernetesSecrets)(
    'another namespace of an application with a stored credential, in which others read it',
    set('applications.orders.namespace', { name: 'sales', existing: true }),
    loud(/orders|sales/),
  ),
  passwords('a stored password in place of a certificate', set(identity, password), loud(/orders/)),
  kept(
    'a stored credential that is valid for longer',
    set(`${identity}.servicePrincipal.validityDays`, 730),
    loud(/orders/),
  ),
  from(services, sources.appCredentials)(
    'a stored certificate of the operator',
    set('clusters.one.operatorIdentity', certificate),
    loud(/stored credential of .*one-aso/),
    perhaps(/one-aso|azureserviceoperator/),
  ),
  from(services, sources.passwords)(
    'a stored password of the operator',
    set('clusters.one.operatorIdentity', password),
    loud(/stored credential of .*one-aso/),
    perhaps(/one-aso|azureserviceoperator/),
  ),
  kept(
    'federation in place of a stored certificate',
    set(identity, 'servicePrincipal'),
    less(ofOrders, 'kv-shop/orders-db'),
    // Pods of the service account are trusted, which had the certificate before.
    perhaps(/one\/orders\/orders/),
    perhaps(/owner|administrator|servicePrincipal|service principal/i),
  ),
  kept(
    'a managed identity in place of a stored certificate',
    set(identity, 'application'),
    less(ofOrders, 'kv-shop/orders-db'),
    perhaps(/one\/orders\/orders/),
  ),
  kept(
    'an application with a stored credential is taken out',
    remove('applications.kiosk'),
    less(/stored credential of .*kiosk/, 'kv-shop/kiosk-db'),
  ),
  from(all(set(`${identity}.servicePrincipal.validityDays`, 180))(stored), sources.appCredentials)(
    'a stored credential that is valid for a shorter time',
    set(`${identity}.servicePrincipal.validityDays`, 90),
  ),
  kept('a stored credential that is renewed later', set(`${identity}.servicePrincipal.renewBeforeDays`, 10)),
  kept(
    'the default validity of a stored credential by its number',
    set(`${identity}.servicePrincipal.validityDays`, 90),
  ),
];
