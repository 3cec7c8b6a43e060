import type { Ask } from '../../../cli/ask';
import type { AzureResource } from '../../../cli/azureReader';
import { initCommand } from '../../../cli/init/command';
import { askClusters, askFor } from '../../../cli/init/fromAzureQuestions';
import { chooseClusters } from '../../../cli/init/fromAzureRead';
import { showNotes } from '../../../cli/print';
import { refusalOf } from './refusal';

const typing =
  (answer: string | undefined): Ask =>
  () =>
    Promise.resolve(answer);

const inGroup = (group: string, name: string): AzureResource => ({
  id: `/subscriptions/s/resourceGroups/${group}/providers/Microsoft.ContainerService/managedClusters/${name}`,
  ...{ name, type: '', properties: {} },
});
const clusters = [inGroup('rg-a', 'aks-a'), inGroup('rg-b', 'aks-b'), inGroup('rg-b', 'AKS-C')];
const names = (some: readonly AzureResource[]) => some.map(({ name }) => name);

describe('a question', () => {
  it.each([
    ['typed', 'suggested', 'typed'],
    ['', 'suggested', 'suggested'],
    ['typed', undefined, 'typed'],
  ])('answered with %j, where %j is suggested, gives %j', async (answer, suggested, chosen) => {
    expect(await askFor(typing(answer), 'Stack', '--stack', suggested)).toBe(chosen);
  });

  it('is not asked without a terminal: the option is needed, or there is a default', async () => {
    expect(await askFor(undefined, 'Stack', '--stack', 'default')).toBe('default');
    expect(await refusalOf(() => askFor(undefined, 'Stack', '--stack', undefined))).toBe(
      'Stack is missing.\n→ Add --stack.',
    );
  });

  it('that is interrupted ends the command, even if there is a default', async () => {
    expect(await refusalOf(() => askFor(typing(undefined), 'Stack', '--stack', 'default'))).toBe(
      'Nothing was written.',
    );
  });
});

describe('the clusters', () => {
  const write = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  afterAll(() => {
    write.mockRestore();
  });

  it.each([
    ['', ['aks-a', 'aks-b', 'AKS-C']],
    ['3, 1', ['AKS-C', 'aks-a']],
    ['2', ['aks-b']],
  ])('are chosen by number: %j', async (answer, chosen) => {
    expect(names(await askClusters(typing(answer), clusters))).toEqual(chosen);
  });

  it('are listed with their numbers, even with --quiet', async () => {
    write.mockClear();
    showNotes(false);
    await askClusters(typing('2'), clusters).finally(() => {
      showNotes(true);
    });
    expect(write.mock.calls.map(([text]) => String(text).slice(0, 10))).toEqual([
      ...['  1  aks-a', '  2  aks-b', '  3  AKS-C'],
    ]);
  });

  it('are not chosen by a wrong number', async () => {
    expect(await refusalOf(() => askClusters(typing('1 4'), clusters))).toBe(
      '"4" is not the number of a cluster.\n→ Name numbers of the list, or all.',
    );
  });

  it('are chosen by name and resource group, in any case', async () => {
    const choose = (some: string[], ...resourceGroups: string[]) =>
      chooseClusters(clusters, some, { subscription: 's', resourceGroups });

    expect(names(choose(['aks-c', 'aks-a']))).toEqual(['aks-a', 'AKS-C']);
    expect(names(choose([], 'RG-B'))).toEqual(['aks-b', 'AKS-C']);
    expect(await refusalOf(() => choose(['aks-a', 'x'], 'rg-b'))).toBe(
      'There is no cluster aks-a, x. The clusters there: AKS-C, aks-b.\n→ Name one of these with --cluster.',
    );
  });
});

it('aks-wi init needs to know what to write', async () => {
  for (const words of [[], ['folder', '--from-azure']])
    expect(await refusalOf(() => initCommand().parseAsync(words, { from: 'user' }))).toContain(
      'init takes either a folder or --from-azure.',
    );
});
