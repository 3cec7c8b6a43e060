import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { chooseCluster, cloudStatus, renderStatus } from '../../../commands/status';
import { locateInstance } from '../../../daemon/instance';
import { commandLine } from '../../../project';

describe('the status of a local cloud that does not run', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(path.join(os.tmpdir(), 'status-'));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it('says where its state is kept', async () => {
    const instance = locateInstance(root, {});
    mkdirSync(instance.folder, { recursive: true });
    writeFileSync(instance.credentialsFile, '{}');
    const status = await cloudStatus(instance);
    expect(status).toMatchObject({ running: false, stateExists: true, clusters: [] });
    expect(renderStatus(status)).toContain(`its state is kept in ${instance.folder}`);
  });

  it.each([
    ['without a folder', false],
    // `clean` leaves such a folder.
    ['with an empty folder', true],
  ])('says that there is no state, and how to create it, %s', async (_what, folder) => {
    const instance = locateInstance(root, {});
    if (folder) mkdirSync(instance.folder, { recursive: true });
    const text = renderStatus(await cloudStatus(instance));
    expect(text).toContain('it has no state yet');
    expect(text).toContain(commandLine('up'));
    expect(text).not.toContain('kept');
  });
});

describe('the status of a local cloud that runs', () => {
  it('names the stack of each cluster', () => {
    const cluster = { id: '/x', provisioningState: 'Succeeded' };
    const text = renderStatus({
      ...{ running: true, state: '/state', stateExists: true, log: '/log' },
      clusters: [
        { ...cluster, name: 'aks-1', stack: 'dev' },
        { ...cluster, name: 'aks-2' },
      ],
    });
    expect(text).toContain('  aks-1 (stack dev): Succeeded\n  aks-2 (no stack): Succeeded\n');
  });
});

describe('the cluster of a name', () => {
  const cluster = (resourceGroup: string, name: string) => ({
    id: `/subscriptions/s/resourceGroups/${resourceGroup}/providers/Microsoft.ContainerService/managedClusters/${name}`,
    name,
    provisioningState: 'Succeeded',
  });
  const clusters = [cluster('rg-a', 'aks-1'), cluster('rg-b', 'aks-1'), cluster('rg-b', 'aks-2')];

  it('is found without its resource group if the name is unique', () => {
    expect(chooseCluster(clusters, 'AKS-2')).toMatchObject({ name: 'aks-2', resourceGroup: 'rg-b' });
    expect(chooseCluster(clusters, 'aks-1', 'RG-B')).toMatchObject({ name: 'aks-1', resourceGroup: 'rg-b' });
  });

  it.each([
    ['aks-1', undefined, "There are 2 clusters 'aks-1'."],
    ['aks-9', undefined, "There is no cluster 'aks-9'."],
    ['aks-2', 'rg-a', "There is no cluster 'aks-2' in resource group 'rg-a'."],
  ])('is refused if it is missing or ambiguous: %s in %s', (name, group, message) => {
    expect(() => chooseCluster(clusters, name, group)).toThrow(message);
  });
});
