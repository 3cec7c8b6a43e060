import { Secret, unknown } from '../../../../plugins/protocol';
import type { Properties } from '../../../../plugins/protocol';
import { activeCluster } from '../../../../plugins/kubernetes/client/kubeconfig';
import { checkSettings } from '../../../../plugins/kubernetes/config/check';
import { diffSettings } from '../../../../plugins/kubernetes/config/diff';
import { readSettings } from '../../../../plugins/kubernetes/config/settings';

function kubeconfig(server: string, token = 'one'): string {
  return JSON.stringify({
    'current-context': 'first',
    contexts: [
      { name: 'first', context: { cluster: 'a', user: 'u', namespace: 'team' } },
      { name: 'second', context: { cluster: 'b', user: 'u' } },
    ],
    clusters: [
      { name: 'a', cluster: { server } },
      { name: 'b', cluster: { server: 'https://b' } },
    ],
    users: [{ name: 'u', user: { token } }],
  });
}

describe('settings', () => {
  it('are read from the strings in which the SDK sends them', () => {
    const settings = readSettings({
      kubeconfig: new Secret(kubeconfig('https://a')),
      deleteUnreachable: 'true',
      enablePatchForce: false,
      kubeClientSettings: '{"timeout":5}',
      helmReleaseSettings: '{"driver":"configmap","repositoryCache":"/cache"}',
    });

    expect(settings).toMatchObject({
      deleteUnreachable: true,
      enablePatchForce: false,
      requestSeconds: 5,
      helm: { HELM_DRIVER: 'configmap', HELM_REPOSITORY_CACHE: '/cache' },
      pending: false,
    });
  });

  it('are read from the variables of the official plugin where the provider has none', () => {
    process.env['PULUMI_K8S_SKIP_UPDATE_UNREACHABLE'] = 'true';
    const read = [readSettings({}), readSettings({ skipUpdateUnreachable: 'false' })];
    delete process.env['PULUMI_K8S_SKIP_UPDATE_UNREACHABLE'];

    expect(read.map((config) => config.skipUpdateUnreachable)).toEqual([true, false]);
    expect(readSettings({}).skipUpdateUnreachable).toBeUndefined();
  });

  it('are pending while the kubeconfig is not known', () => {
    expect(readSettings({ kubeconfig: new Secret(unknown) }).pending).toBe(true);
  });

  it.each<[string, Properties, string, string]>([
    ['an unknown input', { kubconfig: 'x' }, 'kubconfig', 'kubeconfig'],
    ['rendering to files', { renderYamlToDirectory: 'out' }, 'renderYamlToDirectory', 'remove the input'],
    ['client-side apply', { enableServerSideApply: 'false' }, 'enableServerSideApply', 'true'],
    ['a word that is no truth value', { deleteUnreachable: 'maybe' }, '', 'true and false'],
    [
      'a kubeconfig without a cluster',
      { kubeconfig: 'no: such' },
      'kubeconfig',
      'current context names a cluster',
    ],
  ])('%s is refused', (_title, inputs, property, reason) => {
    const failure = checkSettings(inputs).find((candidate) => candidate.property === property);
    expect(failure?.reason).toContain(reason);
  });

  it('are accepted without a kubeconfig, and with an unknown one', () => {
    expect(checkSettings({})).toEqual([]);
    expect(checkSettings({ kubeconfig: unknown, namespace: 'n' })).toEqual([]);
  });
});

describe('the active cluster', () => {
  it('follows the context, or its override', () => {
    const contents = kubeconfig('https://a');

    expect(activeCluster(contents)).toEqual({ server: 'https://a', namespace: 'team' });
    expect(activeCluster(contents, { context: 'second' })).toEqual({
      server: 'https://b',
      namespace: undefined,
    });
    expect(activeCluster(contents, { cluster: 'b' })?.server).toBe('https://b');
    expect(activeCluster(contents, { context: 'third' })).toBeUndefined();
    expect(activeCluster(': no yaml :')).toBeUndefined();
  });
});

describe('a change of the provider', () => {
  const olds = { kubeconfig: new Secret(kubeconfig('https://a')) };

  it.each<[string, Properties, string[], string[]]>([
    ['nothing', olds, [], []],
    ['credentials', { kubeconfig: kubeconfig('https://a', 'two') }, ['kubeconfig'], []],
    ['the server', { kubeconfig: kubeconfig('https://c') }, ['kubeconfig'], ['kubeconfig']],
    ['the context', { ...olds, context: 'second' }, ['context'], ['context']],
    ['the namespace', { ...olds, namespace: 'n' }, ['namespace'], []],
    ['a kubeconfig that is not known yet', { kubeconfig: unknown }, ['kubeconfig'], ['kubeconfig']],
  ])('of %s replaces it only if the cluster is another', (_title, news, diffs, replaces) => {
    expect(diffSettings(olds, news)).toEqual({ changes: diffs.length > 0, diffs, replaces });
  });

  it('follows the cluster identifier where there is one', () => {
    const identified = { ...olds, clusterIdentifier: 'x' };
    const moved = { kubeconfig: kubeconfig('https://c'), clusterIdentifier: 'x' };

    expect(diffSettings(identified, moved).replaces).toEqual([]);
    expect(diffSettings(identified, { ...identified, clusterIdentifier: 'y' }).replaces).toEqual([
      'clusterIdentifier',
    ]);
  });
});
