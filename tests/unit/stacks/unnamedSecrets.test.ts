import type { ListInAzure } from '../../../stacks/preflight/azureList';
import { overreachInExisting } from '../../../stacks/preflight/existing';
import { Subscriptions } from '../../../stacks/subscriptions';
import { formatProblem } from '../../../stacks/settings/problem';
import { record } from '../components/support/recorder';
import { vaultId } from './ids';
import type { Input } from './settings';
import { application, configurationOf, input } from './settings';

const secretsOf: Record<string, string[]> = { 'kv-there': ['db', 'other'], 'kv-a': ['DB', 'hidden'] };
const list: ListInAzure = ({ path }) => {
  const [, vault = ''] = /vaults\/([^/]+)\/secrets$/.exec(path) ?? [];
  return Promise.resolve((secretsOf[vault] ?? []).map((name) => ({ name })));
};

async function found(central: Input = {}, lists = list): Promise<string[]> {
  const own = { placement: 'perApplication', existing: vaultId('kv-a'), access: 'accessPolicy' };
  const applications = [
    application('a', { secrets: ['db'], identity: 'application', vault: own }),
    application('b', { secrets: ['db'] }),
  ];
  const vault = { existing: vaultId('kv-there'), access: 'accessPolicy', ...central };
  const configuration = configurationOf(input(applications, { vault }));
  const { result } = await record(() =>
    overreachInExisting(configuration, new Subscriptions('public'), lists),
  );
  return (await result).map(formatProblem);
}

describe('an existing vault with access policies', () => {
  it('is refused if it has secrets that its readers do not name, an application’s vault as the central one', async () => {
    const problems = await found();

    expect(new Set(problems.map((line) => line.split(', because')[0]))).toEqual(
      new Set([
        'aks-workload-identity:vault.existing: would let the identity of b read other in kv-there as well',
        'aks-workload-identity:applications[0].vault.existing: would let the identity of a read hidden in kv-a as well',
      ]),
    );
    expect(problems[0]).toContain('`overreach: accepted` on the central `vault`');
  });

  it('is accepted if that is consented to, if it has no others, or if its secrets cannot be listed', async () => {
    expect(await found({ overreach: 'accepted' })).toEqual([]);
    expect(await found({}, () => Promise.resolve([{ name: 'db' }]))).toEqual([]);
    expect(await found({}, () => Promise.resolve(undefined))).toEqual([]);
  });
});
