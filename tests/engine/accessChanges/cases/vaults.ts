import { shop, subnetId } from '../bases';
import type { Change } from '../change';
import { from } from '../change';
import { add, all, remove, set } from '../edit';
import { loud } from '../expected';
import { sources } from '../sources';

const closed = from(set('vault.publicAccess', false)(shop), sources.vaultNetwork);
const walled = set('vault.network', {
  allowedIpRanges: ['203.0.113.0/24'],
  allowedSubnets: [subnetId('nodes')],
  trustedServices: false,
})(shop);
const network = from(walled, sources.vaultNetwork);

/** From where vaults are reached. */
export const vaultChanges: readonly Change[] = [
  closed('a vault open to the internet', set('vault.publicAccess', true), loud(/kv-shop|publicAccess/)),
  closed(
    'a vault open to a range of addresses',
    all(set('vault.publicAccess', true), set('vault.network', { allowedIpRanges: ['203.0.113.0/24'] })),
    loud(/kv-shop|publicAccess|203\.0\.113/),
  ),
  network('no firewall of a vault any more', remove('vault.network'), loud(/kv-shop|vault\.network/)),
  network(
    'a further range that reaches a vault',
    add('vault.network.allowedIpRanges', '198.51.100.0/24'),
    loud(/198\.51\.100/),
  ),
  network(
    'a wider range that reaches a vault',
    set('vault.network.allowedIpRanges', ['203.0.0.0/16']),
    loud(/203\.0\.0\.0\/16/),
  ),
  network(
    'all addresses as a range that reaches a vault',
    set('vault.network.allowedIpRanges', ['0.0.0.0/0']),
    loud(/0\.0\.0\.0/),
  ),
  network(
    'a further subnet that reaches a vault',
    add('vault.network.allowedSubnets', subnetId('guests')),
    loud(/guests/),
  ),
  network(
    'another subnet that reaches a vault',
    set('vault.network.allowedSubnets', [subnetId('guests')]),
    loud(/guests/),
  ),
  network(
    "Microsoft's services reach a vault",
    set('vault.network.trustedServices', true),
    loud(/trustedServices|trusted services|kv-shop/),
  ),
  network(
    "Microsoft's services reach a vault, since that is the default",
    remove('vault.network.trustedServices'),
    loud(/trustedServices|trusted services|kv-shop/),
  ),
  from(
    all(
      set('vault.publicAccess', false),
      set('applications.orders.vault', { placement: 'perApplication' }),
    )(shop),
    sources.privateLink,
  )(
    'a private endpoint of a vault that nothing reached',
    set('applications.orders.vault.privateEndpoints', [{ subnet: subnetId('endpoints') }]),
    loud(/endpoints|kv-shop-orders/),
  ),
  from(
    all(
      set('vault.publicAccess', false),
      set('vault.privateEndpoints', [{ subnet: subnetId('endpoints') }]),
    )(shop),
    sources.privateLink,
  )(
    'a private endpoint in another network',
    set('vault.privateEndpoints.0.subnet', subnetId('guests')),
    loud(/guests|kv-shop/),
  ),
  from(all(set('applications.orders.vault', { placement: 'perApplication' }))(walled), sources.vaultNetwork)(
    'a wider firewall of the vault of one application',
    set('applications.orders.vault.network', { allowedIpRanges: ['203.0.0.0/16'], trustedServices: false }),
    loud(/203\.0\.0\.0|kv-shop-orders/),
  ),
];
