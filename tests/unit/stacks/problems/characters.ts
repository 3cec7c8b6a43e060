import { visibleText } from '../../../../components/resource/visibleText';
import { groupId, identityId, otherSubscription, subnetId, vaultId, workspaceId } from '../ids';
import type { Subject } from './table';
import { each, refused, valid } from './table';

const at = 'applications[0]';
const ofChart = (values: object) => ({
  [at]: { name: 'orders', chart: { chart: './charts/orders', values } },
});
const roleOn = (scope: string) => ({ [`${at}.roles`]: [{ role: 'Reader', scope }] });
const storage = `${groupId('rg-a')}/providers/Microsoft.Storage/storageAccounts`;

/** Characters that do not show, and texts that are longer, or on more lines, than Azure and Kubernetes allow. */
export const characters: Subject = {
  rows: {
    ...each(
      ['a\u202Eb', 'a\u200Bb', 'a\uFEFFb', 'a\u001B[31mb', 'a\u2028b', 'a\u{E0041}b', 'a\uD800b'],
      (reason) => [
        `in a reason: ${visibleText(reason)}`,
        refused({ 'revoked.applications': { orders: reason } }, 'revoked.applications.orders'),
      ],
    ),
    'a reason on two lines': refused(
      { 'revoked.applications': { orders: 'left\n# not' } },
      'revoked.applications.orders',
    ),
    'a reason in any script': valid({
      'revoked.applications': { orders: 'Schlüssel verloren – 鍵を紛失 🔑' },
    }),
    'a variable on two lines': valid({ [`${at}.env`]: { PEM: 'one\n\ttwo\n' } }),
    'a variable with an escape': refused({ [`${at}.env`]: { A: '\u001B[2J' } }, `${at}.env.A`),
    'a value of a chart': refused(ofChart({ a: [{ b: 'x\u202Ey' }] }), `${at}.chart.values.a[0].b`),
    'a key of values of a chart': refused(ofChart({ 'a\u200Bb': 1 }), `${at}.chart.values["a\\u{200b}b"]`),
    'a key of a specification': refused(
      {
        [`${at}.dependencies`]: [
          { name: 'a', resource: { apiVersion: 'web.azure.com/v1', kind: 'Site', spec: { 'a\u061Cb': 1 } } },
        ],
      },
      `${at}.dependencies[0].resource.spec["a\\u{061c}b"]`,
    ),
    'an unknown key': refused({ 'loca\u200Btion': 1 }, '"loca\\u{200b}tion"'),
    'a path of a chart with a zero-width character': refused({ 'certManager.chart': './charts/\u200Bx' }),
    'a repository with an escape': refused({ 'certManager.repository': 'https://charts.example/\u001Bx' }),
    'an issuer with a letter that a URL does not have': refused(
      {
        'clusters[0]': { name: 'aks-1', mode: 'external', issuer: 'https://issuer.ехample/' },
        'kubeconfigs.aks-1': 'x',
      },
      'clusters[0].issuer',
    ),
    'an issuer that is too long': refused(
      {
        'clusters[0]': {
          name: 'aks-1',
          mode: 'external',
          issuer: `https://issuer.example/${'a'.repeat(600)}`,
        },
        'kubeconfigs.aks-1': 'x',
      },
      'clusters[0].issuer',
    ),
    'an id of 40 KB': refused({ vault: { existing: vaultId('k'.repeat(40_000)) } }, 'vault.existing'),
    'an id on two lines': refused({ vault: { existing: vaultId('kv\n') } }, 'vault.existing'),
    'an id of a vault with an impossible name': refused(
      { vault: { existing: vaultId('kv_1') } },
      'vault.existing',
    ),
    'an id in a group with an impossible name': refused(
      { resourceGroup: { existing: groupId('rg-a.') } },
      'resourceGroup.existing',
    ),
    'an id of a group with letters of another script': valid({
      resourceGroup: { existing: groupId('rg-größe-二') },
    }),
    'an id of an identity': refused(
      { 'clusters[0].identity': { existing: identityId('id a') } },
      'clusters[0].identity.existing',
    ),
    'an id of a workspace': refused(
      { logs: { workspace: { existing: workspaceId('l') } } },
      'logs.workspace.existing',
    ),
    'an id of a subnet': refused(
      { 'vault.privateEndpoints': [{ subnet: subnetId('a b') }] },
      'vault.privateEndpoints[0].subnet',
    ),
    ...each(
      [
        `${storage}/a?b`,
        `${storage}/a\nb`,
        `${storage}/a\u200Bb`,
        `${storage}/${'a'.repeat(261)}`,
        groupId('a.'),
      ],
      (scope) => [
        `a scope that ends with ${visibleText(scope.slice(-4))}`,
        refused(roleOn(scope), `${at}.roles[0].scope`),
      ],
    ),
    'a scope of a container': valid(roleOn(`${storage}/a/blobServices/default/containers/$web`)),
    'a scope of a subscription that is a GUID on two lines': refused(
      roleOn(`/subscriptions/${otherSubscription}\n`),
      `${at}.roles[0].scope`,
    ),
    'a value of a tag on two lines': refused({ tags: { a: 'x\ny' } }, 'tags.a'),
    'a name of a tag with a zero-width character': refused(
      { tags: { 'a\u200Bb': 'x' } },
      'tags["a\\u{200b}b"]',
    ),
    'an audience on two lines': refused({ audience: 'a\nb' }),
    'a policy exception for a resource on two lines': refused(
      {
        'policies.exceptions': [{ policy: 'tags', resource: 'a\nb', reason: 'x', until: '2026-06-01' }],
        $now: '2026-05-01',
      },
      'policies.exceptions[0].resource',
    ),
    'labels of pods that Kubernetes refuses': refused(
      {
        'clusters[0].podIdentity': {
          unsupportedKubernetes: true,
          exceptions: [{ name: 'a', namespace: 'b', podLabels: { 'a b': 'c', 'x/app': 'c d' } }],
        },
      },
      ...['["a b"]', '["x/app"]'].map((key) => `clusters[0].podIdentity.exceptions[0].podLabels${key}`),
    ),
    'a federated credential that Azure does not accept': refused(
      { 'imported.federatedCredentials': { 'aks-1-orders': 'a b' } },
      'imported.federatedCredentials.aks-1-orders',
    ),
    'a version of a million digits': refused(
      { 'clusters[0].kubernetesVersion': `1.${'1'.repeat(1e6)}` },
      'clusters[0].kubernetesVersion',
    ),
    'an image with a name that no registry takes': refused({ [`${at}.image`]: `${'a'.repeat(256)}:1` }),
  },
};
