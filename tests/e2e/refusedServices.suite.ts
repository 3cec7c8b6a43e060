import type { AzureClients } from '../support/azureClients';
import type { LocalCloud, StackRequest } from '../support/localCloud';
import type { Application } from './dependenciesExample';
import { withDependencies } from './dependenciesExample';

/** Storage accounts that Azure refuses, with Azure's message and the program's hint. */
const refused = [
  {
    name: 'taken',
    account: 'takenbysomebody',
    words: 'StorageAccountAlreadyExists: ',
    hint: 'set another `name`',
  },
  {
    name: 'storagequota',
    fault: 'storageQuota',
    account: 'stwidependstoragequota',
    words: 'MaxStorageAccountsCountPerSubscriptionExceeded: Subscription',
    hint: 'Request a higher quota',
  },
  {
    name: 'storagepolicy',
    fault: 'storagePolicy',
    account: 'stwidependstoragepolicy',
    words: 'RequestDisallowedByPolicy: Resource',
    hint: 'An Azure policy forbids it',
  },
];

/** The example with services that Azure refuses, each with its own message. */
export function refusedServicesSuite({
  cloud,
  azure,
  configuration,
  account,
  answer,
}: {
  readonly cloud: LocalCloud;
  readonly azure: () => AzureClients;
  readonly configuration: (change: (all: Application[]) => Application[]) => StackRequest;
  readonly account: (name: string, group?: string) => string;
  readonly answer: (id: string) => Promise<{ readonly status: number }>;
}): void {
  let output: string;
  /** What Azure answered about each account while it still refused: once it does not, the operator makes them. */
  const answers = new Map<string, number>();
  beforeAll(async () => {
    const group = `/subscriptions/${azure().subscriptionId}/resourceGroups/rg-elsewhere`;
    await azure().request('PUT', `${group}?api-version=2024-11-01`, { location: 'westeurope' });
    const taken = account('takenbysomebody', 'rg-elsewhere');
    await azure().request('PUT', `${taken}?api-version=2025-06-01`, {
      location: 'westeurope',
      kind: 'StorageV2',
      sku: { name: 'Standard_LRS' },
      properties: {},
    });
    for (const { fault, account: resource } of refused) {
      if (fault !== undefined) await cloud.command('cloud', 'fault', fault, '--resource', resource);
    }
    output = await cloud.refusedUp(
      configuration(
        withDependencies('legacy', (all) => [
          ...all,
          ...refused.map(({ name, account: wanted }) => ({ name, storageAccount: { name: wanted } })),
        ]),
      ),
    );
    for (const { account: wanted } of refused) {
      answers.set(wanted, (await answer(account(wanted))).status);
    }
    await cloud.command('cloud', 'fault', 'clear');
  });

  it.each(refused)(
    'end the update at the custom resource: $name',
    ({ name, account: wanted, ...reported }) => {
      // The engine wraps lines.
      const text = output.replace(/\s+/g, ' ');

      expect(text).toContain(`StorageAccount legacy/legacy-${name} on one (storage account ${wanted}`);
      expect(text).toContain(`was not provisioned: ${reported.words}`);
      expect(text).toContain(reported.hint);
      expect(text).toContain('(last event: CreateOrUpdateActionError: ');
      expect(answers.get(wanted)).toBe(404);
    },
  );

  it('without a stack trace', () => {
    expect(output).not.toMatch(/\n\s+at .*\(/);
  });
}
