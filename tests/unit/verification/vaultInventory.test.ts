import { planChecks } from '../../../verification/plan';
import { takeInventory } from '../../../verification/vaultInventory';
import { twoClusters } from './outputs.fixture';

const atOnce = <T>(run: () => Promise<T>): Promise<T> => run();

/** An access to the resource manager that knows the vaults by id; others are refused with `error`. */
const listing = (
  found: Record<string, string[]>,
  error = new Error('refused'),
): Parameters<typeof takeInventory>[1] => ({
  listSecrets: ({ id }) => {
    const names = found[id];
    return names === undefined ? Promise.reject(error) : Promise.resolve(names);
  },
});

describe('the inventory of the vaults', () => {
  it('adds what exists to what the stack names, and leaves the outputs unchanged', async () => {
    const outputs = twoClusters();
    const access = listing({ 'kv-central': ['orders-db', 'stray'], 'kv-reports': [] });
    const inventory = await takeInventory(outputs, access, atOnce);
    expect(inventory.unlisted).toEqual([]);
    // What is named and was not found stays: it must be refused as well.
    expect(inventory.outputs.vaults['kv-central']?.secrets).toEqual([
      'shared',
      'orders-db',
      'billing-db',
      'stray',
    ]);
    expect(inventory.outputs.vaults['kv-reports']?.secrets).toEqual(['reports-db', 'reports-key']);
    expect(outputs).toEqual(twoClusters());
  });

  it('plans a refusal of what was found for every workload of every cluster', async () => {
    const access = listing({ 'kv-central': ['stray'], 'kv-reports': ['stray'] });
    const { outputs } = await takeInventory(twoClusters(), access, atOnce);
    for (const workload of outputs.workloads) {
      const checks = planChecks(outputs, workload, ({ identity, vaultId }) =>
        identity.name === 'id-aks-2-reports' && vaultId.includes('kv-reports')
          ? 'an access policy'
          : undefined,
      );
      expect(checks).toContainEqual({ kind: 'refused', vault: 'kv-central', secret: 'stray' });
      const opened = workload.application === 'reports';
      expect(checks).toContainEqual(
        expect.objectContaining({
          kind: opened ? 'overreach' : 'refused',
          vault: 'kv-reports',
          secret: 'stray',
        }),
      );
    }
  });

  it('treats names that differ only in case as one secret, as a vault does', async () => {
    const outputs = twoClusters();
    const central = outputs.vaults['kv-central'];
    if (central !== undefined) central.secrets = ['shared'];
    const access = listing({ 'kv-central': ['Shared', 'ORDERS-DB', 'New'], 'kv-reports': [] });
    const { outputs: merged } = await takeInventory(outputs, access, atOnce);
    // orders-db is granted, so it is known although the vault's own list lacks it.
    expect(merged.vaults['kv-central']?.secrets).toEqual(['shared', 'New']);
  });

  it('names the vault that could not be listed, and lists the others all the same', async () => {
    const forbidden = Object.assign(new Error('The client does not have authorization.\nDetails'), {
      statusCode: 403,
      code: 'AuthorizationFailed',
    });
    const access = listing({ 'kv-reports': ['stray'] }, forbidden);
    const inventory = await takeInventory(twoClusters(), access, atOnce);
    expect(inventory.unlisted).toEqual([
      { name: 'kv-central', reason: 'The client does not have authorization.' },
    ]);
    expect(inventory.outputs.vaults['kv-central']).toEqual(twoClusters().vaults['kv-central']);
    expect(inventory.outputs.vaults['kv-reports']?.secrets).toContain('stray');
  });

  it.each(['AggregateAuthenticationError', 'CredentialUnavailableError'])(
    'says in one line that there is no credential (%s)',
    async (name) => {
      const error = Object.assign(new Error('one\ntwo\nthree'), { name });
      const { unlisted } = await takeInventory(twoClusters(), listing({}, error), atOnce);
      expect(unlisted).toHaveLength(2);
      expect(unlisted[0]?.reason).toMatch(/^no Azure credential was found: .*az login/);
    },
  );
});

describe('the reason that Entra gives', () => {
  it('is the same for every vault: without the ids of the request', async () => {
    const error = new Error('AADSTS7000215: Invalid client secret. Trace ID: 1 Correlation ID: 2');
    const { unlisted } = await takeInventory(twoClusters(), listing({}, error), atOnce);
    expect(unlisted.map(({ reason }) => reason)).toEqual([
      'AADSTS7000215: Invalid client secret.',
      'AADSTS7000215: Invalid client secret.',
    ]);
  });
});
