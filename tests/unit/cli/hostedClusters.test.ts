import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { hostedClustersCommand } from '../../../cli/hostedClusters/command';
import { renderHostedClusters } from '../../../cli/hostedClusters/table';
import { hostedClusterViews } from '../../../cli/hostedClusters/view';
import { readStackOutputs } from '../../../cli/stackOutputs';
import { twoClusters } from '../verification/outputs.fixture';
import { twoHostedClusters } from './hostedClusters.fixture';

jest.mock('../../../cli/stackOutputs');

const [fine, due, expired] = ['2026-12-31T23:59:59Z', '2027-01-01T00:00:00Z', '2027-01-30T08:00:00Z'];

function rendered(now: string, outputs = twoHostedClusters(), terminal = 140): string {
  const views = hostedClusterViews(outputs, new Date(now));
  return stripVTControlCharacters(renderHostedClusters('prod', views, terminal));
}

describe('the table of the hosted clusters', () => {
  it('has a row for each component with its secret, its identity and the end of its certificate', () => {
    const text = rendered(fine);
    expect(text).toMatch(/^hc1 on management\n/);
    expect(text).toMatch(/component\s+│ secret\s+│ identity\s+│ expires on/);
    for (const component of ['disk', 'network'])
      expect(text).toMatch(
        new RegExp(
          `${component}\\s+│ ${component}-hc1-json\\s+│ id-${component}\\s+│ 2027-01-30T08:00:00Z +│`,
        ),
      );
    expect(text).toMatch(/hc2 on management\n[^]*ingress\s+│ none: federation\s+│ id-ingress\s+│ never/);
    expect(text).toMatch(/there are no certificates that expire\.\n$/);
  });

  it('says from when on an update renews, whether one is due, and what has expired', () => {
    const hint = '\n→ `pulumi up --stack prod` creates new certificates.';
    expect(rendered(fine)).toContain('An update renews the certificates from 2027-01-01T00:00:00.000Z on.\n');
    expect(rendered(fine)).not.toMatch(/→|expired/i);
    expect(rendered(due)).toContain(
      `! The certificates have been due for renewal since 2027-01-01T00:00:00.000Z.${hint}`,
    );
    expect(rendered(due)).not.toMatch(/expired/i);
    expect(rendered(expired)).toContain(
      `✗ Cannot sign in because the certificate has expired: disk, network.${hint}`,
    );
    expect(rendered(expired)).toMatch(/disk-hc1-json.*2027-01-30T08:00:00Z expired/);
  });

  it('says how HyperShift is installed to read the secrets, of a hosted cluster that has some', () => {
    const { hostedClusters, ...more } = twoHostedClusters();
    const [hc1, hc2] = hostedClusters;
    if (hc1 === undefined || hc2 === undefined) throw new Error('there are two');
    const reader = { name: 'nodes', clientId: 'client-of-nodes', principalId: 'principal-of-nodes' };
    const { reader: _none, ...federated } = hc2;
    const text = rendered(fine, { hostedClusters: [{ ...hc1, reader }, federated], ...more });

    expect(text.match(/hypershift install.*/g)).toEqual([
      'hypershift install --managed-service ARO-HCP --aro-hcp-key-vault-users-client-id client-of-nodes`.',
    ]);
  });

  it('says nothing of that where the stack installs it', () => {
    const { hostedClusters, ...more } = twoHostedClusters();
    const installed = hostedClusters.map((hosted) => ({ ...hosted, installsHyperShift: true }));

    expect(rendered(fine, { hostedClusters: installed, ...more })).not.toContain('hypershift install');
  });

  it('fits into the terminal', () => {
    const widths = rendered(expired, twoHostedClusters(), 80).match(/^[│┌├└].*$/gm) ?? [];
    expect(Math.max(...widths.map(({ length }) => length))).toBeLessThanOrEqual(80);
  });

  it('is a sentence if there are none', () => {
    expect(rendered(fine, { hostedClusters: [], identities: [] })).toBe(
      'Stack prod has no hosted clusters.\n',
    );
  });
});

describe('aks-wi hosted-clusters', () => {
  let folder = '';
  const before = { now: process.env.AKS_WI_NOW, code: process.exitCode };

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'hosted-clusters-'));
    jest.mocked(readStackOutputs).mockResolvedValue({ ...twoClusters(), ...twoHostedClusters() });
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
    if (before.now === undefined) delete process.env.AKS_WI_NOW;
    else process.env.AKS_WI_NOW = before.now;
    process.exitCode = before.code;
    jest.restoreAllMocks();
  });

  /** What the command prints at a time, and its exit code. */
  async function run(now: string, ...args: string[]) {
    process.env.AKS_WI_NOW = now;
    let output = '';
    jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
      output += String(text);
      return true;
    });
    await hostedClustersCommand().parseAsync(['--stack', 'prod', ...args], { from: 'user' });
    return { output, code: process.exitCode ?? 0 };
  }

  it.each([
    ['0 while all certificates are valid', fine, 0],
    ['0 while they are due', due, 0],
    ['1 once one has expired', expired, 1],
  ])('ends with %s', async (_, now, code) => {
    expect((await run(now)).code).toBe(code);
    expect((await run(now, '--json')).code).toBe(code);
  });

  it('prints for scripts what is mapped to what, and when it expires', async () => {
    const { output } = await run(due, '--json');
    const [hc1, hc2] = twoHostedClusters().hostedClusters;
    const [disk] = hc1?.components ?? [];
    const { hostedClusters } = JSON.parse(output) as { hostedClusters: Record<string, unknown>[] };
    expect(hostedClusters).toHaveLength(2);
    expect(hostedClusters[0]).toEqual({
      ...{ name: 'hc1', managementCluster: 'management', namespace: 'clusters' },
      ...{ controlPlaneNamespace: 'clusters-hc1', authentication: 'ManagedIdentities', vault: 'kv-central' },
      reader: hc1?.reader,
      makesHostedCluster: false,
      ...{ renewAfter: '2027-01-01T00:00:00.000Z', renewalDue: true },
      components: [
        {
          ...{ component: 'disk', secretProviderClass: 'managed-azure-disk', secret: 'disk-hc1-json' },
          identity: { name: 'id-disk', clientId: 'client-id-disk', principalId: 'principal-id-disk' },
          ...{ roles: disk?.roles, trusts: [] },
          ...{ expiresOn: '2027-01-30T08:00:00Z', expired: false, keyIds: ['key-disk'] },
        },
        expect.objectContaining({ component: 'network' }),
      ],
      nodes: [
        expect.objectContaining({
          component: 'disk',
          trusts: [
            {
              issuer: 'https://issuer.example/',
              subject: 'system:serviceaccount:system:id-disk-node',
              audience: 'openshift',
            },
          ],
        }),
      ],
    });
    // Nothing of it expires.
    expect(JSON.stringify(hostedClusters[1])).not.toMatch(/expire|renew/);
    expect(hostedClusters[1]).toMatchObject({ name: hc2?.name, components: [{ component: 'ingress' }] });
  });

  it('prints an empty list for scripts where there are none', async () => {
    jest.mocked(readStackOutputs).mockResolvedValue(twoClusters());
    expect(await run(fine, '--json')).toEqual({ output: '{"hostedClusters":[]}\n', code: 0 });
  });

  it('draws a picture beside what it prints', async () => {
    const file = path.join(folder, 'picture.svg');
    const { output } = await run(fine, '--svg', file);
    expect(output).toContain('hc1 on management');
    expect(readFileSync(file, 'utf8')).toContain('Hosted clusters of stack prod');
  });

  it('refuses an invalid time, before it asks for the outputs', async () => {
    jest.mocked(readStackOutputs).mockClear();
    await expect(run('soon')).rejects.toThrow('AKS_WI_NOW is "soon".');
    expect(readStackOutputs).not.toHaveBeenCalled();
  });
});
