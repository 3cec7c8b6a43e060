import { clusterId, operators, others, reused, shop, stored } from '../bases';
import type { Change } from '../change';
import { from } from '../change';
import { add, all, remove, set } from '../edit';
import { loud, loudly, perhaps } from '../expected';
import { sources } from '../sources';

const issuer = from(shop, sources.issuer);
const behind = from(reused, sources.considerations);
const administered = set('clusters.one.administratorGroups', [operators])(shop);
const admins = from(administered, sources.administrators);
const ranged = set('clusters.one.authorizedIpRanges', ['203.0.113.0/24'])(shop);
const ranges = from(ranged, sources.apiServer);

/** Other clusters behind a name, and who administers and reaches them. */
export const clusterChanges: readonly Change[] = [
  behind(
    'another existing cluster behind the same name',
    set('clusters.one.id', clusterId('aks-other')),
    loudly(/one/, 'aks-one', 'aks-other'),
  ),
  behind(
    'the cluster of the same name in another resource group',
    set('clusters.one.id', clusterId('aks-one', 'rg-others')),
    loudly(/one/, 'rg-clusters', 'rg-others'),
  ),
  behind(
    'the cluster of the same name in another subscription',
    set(
      'clusters.one.id',
      clusterId('aks-one').replace(/2{8}-2{4}-4222-8222-2{12}/, '66666666-6666-4666-8666-666666666666'),
    ),
    loudly(/one/, '22222222', '66666666'),
  ),
  from(shop, sources.administrators)(
    'a new cluster that others administer',
    add('clusters', { name: 'three', administratorGroups: [operators] }),
    loudly(/three/, operators),
  ),
  behind('an existing cluster becomes one that is made', set('clusters.one', { name: 'one' }), loud(/one/)),
  from(shop, sources.considerations)(
    'a cluster that is made becomes one that exists',
    set('clusters.two', {
      name: 'two',
      mode: 'existing',
      id: clusterId('aks-two'),
      labels: { tier: 'back' },
    }),
    loud(/two|aks-two/),
  ),
  issuer(
    'another issuer of an external cluster',
    set('clusters.edge.issuer', 'https://issuer.example/other'),
    loudly(/edge/, 'https://issuer.example/edge', 'https://issuer.example/other'),
  ),
  issuer(
    'an issuer at another host',
    set('clusters.edge.issuer', 'https://issuer.example.net/edge'),
    loudly(/edge/, 'https://issuer.example/edge', 'https://issuer.example.net/edge'),
  ),
  issuer(
    'a slash more in an issuer',
    set('clusters.edge.issuer', 'https://issuer.example/edge/'),
    loudly(/edge/, 'https://issuer.example/edge', 'https://issuer.example/edge/'),
  ),
  issuer(
    'an external cluster becomes one that is made',
    all(set('clusters.edge', { name: 'edge' }), remove('kubeconfigs')),
    loud(/edge/),
  ),
  issuer(
    'a cluster that is made becomes an external one',
    all(
      set('clusters.two', {
        name: 'two',
        mode: 'external',
        issuer: 'https://issuer.example/two',
        labels: { tier: 'back' },
      }),
      set('kubeconfigs.two', 'value of two'),
    ),
    loud(/two/),
  ),
  from(stored, sources.kubernetesSecrets)(
    'another kubeconfig of a cluster into which a stored credential is written',
    set('kubeconfigs.edge', 'another value'),
    loud(/edge|kubeconfig/),
  ),
  issuer(
    'another kubeconfig of a cluster with the same issuer',
    set('kubeconfigs.edge', 'another value'),
    perhaps(/edge|kubeconfig/),
  ),
  from(shop, sources.administrators)(
    'the first group of administrators',
    set('clusters.one.administratorGroups', [operators]),
    loud(/33333333|administratorGroups/),
  ),
  admins(
    'a further group of administrators',
    add('clusters.one.administratorGroups', others),
    loud(/44444444|administratorGroups/),
  ),
  admins(
    'another group of administrators',
    set('clusters.one.administratorGroups', [others]),
    loud(/44444444|administratorGroups/),
  ),
  from(administered, sources.localAccounts)(
    'no group of administrators any more, which switches local accounts on',
    remove('clusters.one.administratorGroups'),
    loud(/administratorGroups|local account|one/i),
  ),
  ranges(
    'every address reaches an API server',
    remove('clusters.one.authorizedIpRanges'),
    loud(/one|authorizedIpRanges/),
  ),
  ranges(
    'a further range of addresses',
    add('clusters.one.authorizedIpRanges', '198.51.100.0/24'),
    loud(/198\.51\.100/),
  ),
  ranges(
    'a wider range of addresses',
    set('clusters.one.authorizedIpRanges', ['203.0.0.0/16']),
    loud(/203\.0\.0\.0\/16/),
  ),
  ranges(
    'all addresses as a range',
    set('clusters.one.authorizedIpRanges', ['0.0.0.0/0']),
    loud(/0\.0\.0\.0/),
  ),
  ranges(
    'another range of addresses',
    set('clusters.one.authorizedIpRanges', ['198.51.100.0/24']),
    loud(/198\.51\.100/),
  ),
];
