import { grouped, image, operators, others, shop, storage } from '../bases';
import type { Change } from '../change';
import { from } from '../change';
import { add, all, remove, set } from '../edit';
import { gained, maybeGained, less, loud, perhaps, role } from '../expected';
import { sources } from '../sources';

const groups = from(grouped, sources.groups);
const strangers = /members of group .*(platform|33333333)/;
const owners = from(grouped, sources.groupOwners);
const madeMembers = perhaps(/members of group .*readers/);

/** Groups of Entra: who is in them, and what they give. */
export const groupChanges: readonly Change[] = [
  groups(
    'a further secret of a group',
    add('groups.readers.secrets', 'license-key'),
    gained('one/orders/orders', 'kv-shop/license-key'),
    madeMembers,
  ),
  groups(
    'a further application in a group',
    set('applications.kiosk.groups', ['readers']),
    gained('edge/kiosk/kiosk', 'kv-shop/shared-key'),
  ),
  groups(
    'a new application in a group',
    add('applications', {
      name: 'mail',
      image,
      clusters: ['two'],
      identity: 'application',
      groups: ['readers'],
    }),
    gained('two/mail/mail', 'kv-shop/shared-key'),
  ),
  groups(
    'all applications that share an identity in a group',
    all(set('applications.invoices.groups', ['readers']), set('applications.billing.groups', ['readers'])),
    gained(['one/invoices/invoices', 'one/billing/billing'], 'kv-shop/shared-key'),
  ),
  groups(
    'a new group with a secret, and an application in it',
    all(add('groups', { name: 'payers', secrets: ['payment'] }), add('applications.orders.groups', 'payers')),
    gained('one/orders/orders', 'kv-shop/payment'),
    perhaps(/members of group .*payers/),
  ),
  groups(
    'a secret for an existing group, with members that others added',
    set('groups.platform.secrets', ['license-key']),
    gained('two/reports/reports', 'kv-shop/license-key'),
    maybeGained(strangers, 'kv-shop/license-key'),
  ),
  groups(
    'a role for an existing group, with members that others added',
    set('groups.platform.roles', [{ role: 'Storage Blob Data Reader', scope: storage }]),
    gained('two/reports/reports', role('Storage Blob Data Reader', storage)),
    maybeGained(strangers, role('Storage Blob Data Reader', storage)),
  ),
  groups(
    'a group that others own in place of one that is made',
    set('groups.readers.existing', others),
    maybeGained(/members of group .*(readers|44444444)/, 'kv-shop/shared-key'),
    perhaps(/readers|44444444/, 'not judged'),
  ),
  groups(
    'an application in an existing group, which may have grants from elsewhere',
    set('applications.orders.groups', ['readers', 'platform']),
    loud(/platform|33333333/),
  ),
  groups(
    'another existing group, which may have grants from elsewhere',
    set('groups.platform.existing', others),
    loud(/platform|44444444/),
  ),
  from(all(set('groups.platform.secrets', ['license-key']))(grouped), sources.groupOwners)(
    'another existing group with a secret',
    set('groups.platform.existing', others),
    maybeGained(/members of group .*(platform|44444444)/, 'kv-shop/license-key'),
    perhaps(/platform|44444444/, 'not judged'),
  ),
  owners(
    'a new existing group, which no application is in',
    add('groups', { name: 'auditors', existing: others, secrets: ['audit-key'], unknownMembers: 'accepted' }),
    maybeGained(/members of group .*(auditors|44444444)/, 'kv-shop/audit-key'),
  ),
  groups(
    'a secret at all times by a group in place of a grant of its own',
    all(set('applications.orders.secrets', []), add('groups.readers.secrets', 'orders-db')),
    madeMembers,
    perhaps(/one\/orders\/orders/, ['replaced', 'widened']),
  ),
  groups(
    'a group of a vault with access policies',
    all(set('vault.access', 'accessPolicy'), set('vault.overreach', 'accepted')),
    gained(
      [
        'one/orders/orders',
        'one/invoices/invoices',
        'one/billing/billing',
        'two/reports/reports',
        'edge/kiosk/kiosk',
      ],
      'every secret of kv-shop',
    ),
    perhaps(/members of group .*readers/),
    perhaps(/kv-shop/, 'not judged'),
  ),
  groups(
    'an application out of a group',
    remove('applications.orders.groups'),
    less('one/orders/orders', 'kv-shop/shared-key'),
  ),
  groups(
    'a secret less of a group',
    set('groups.readers.secrets', []),
    less('one/orders/orders', 'kv-shop/shared-key'),
  ),
  from(
    all(
      set('groups', [{ name: 'platform', existing: operators, secrets: ['license-key'] }]),
      set('applications.orders.groups', ['platform']),
    )(shop),
    sources.groups,
  )(
    'the last application out of an existing group with a secret',
    all(remove('applications.orders.groups'), set('groups.platform.unknownMembers', 'accepted')),
    less('one/orders/orders', 'kv-shop/license-key'),
  ),
];
