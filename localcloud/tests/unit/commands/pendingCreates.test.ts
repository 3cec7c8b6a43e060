import { importCandidates, settlePendingOperations } from '../../../commands/pendingCreates';

const pending = (operation: string, type: string, inputs: Record<string, unknown>) => ({
  operation,
  urn: `urn:${type}`,
  type,
  inputs,
});
const cluster = pending('creating', 'azure-native:containerservice:ManagedCluster', {
  resourceGroupName: 'rg',
  resourceName: 'aks-1',
});

describe('what a killed run may have created', () => {
  it('has the id of its inputs', () => {
    expect(importCandidates([cluster], 'sub')).toEqual([
      {
        urn: cluster.urn,
        id: '/subscriptions/sub/resourceGroups/rg/providers/Microsoft.ContainerService/managedClusters/aks-1',
      },
    ]);
  });

  it.each([
    ['what was only updated', { ...cluster, operation: 'updating' }],
    ['what has no name yet', { ...cluster, inputs: { resourceGroupName: 'rg' } }],
    ['what is not in Azure', pending('creating', 'kubernetes:core/v1:Namespace', { metadata: {} })],
  ])('is not %s', (_what, operation) => {
    expect(importCandidates([operation], 'sub')).toEqual([]);
  });
});

describe('a state with pending operations', () => {
  const state = {
    version: 3,
    deployment: {
      secrets_providers: { type: 'passphrase' },
      resources: [{ urn: 'urn:stack' }, { urn: 'urn:known', id: '/known' }],
      pending_operations: [
        {
          type: 'creating',
          resource: { urn: 'urn:a', custom: true, inputs: { name: 'a' }, parent: 'urn:stack' },
        },
        { type: 'creating', resource: { urn: 'urn:b', custom: true, inputs: { name: 'b' } } },
        { type: 'updating', resource: { urn: 'urn:known', id: '/known', inputs: {} } },
      ],
    },
  };

  it('contains what may have been created, without the operations', () => {
    const settled: unknown = JSON.parse(
      settlePendingOperations(JSON.stringify(state), [{ urn: 'urn:a', id: '/a' }]),
    );
    expect(settled).toEqual({
      version: 3,
      deployment: {
        secrets_providers: { type: 'passphrase' },
        resources: [
          { urn: 'urn:stack' },
          { urn: 'urn:known', id: '/known' },
          {
            urn: 'urn:a',
            custom: true,
            inputs: { name: 'a' },
            parent: 'urn:stack',
            id: '/a',
            outputs: {},
          },
        ],
      },
    });
  });

  it('does not get a resource twice', () => {
    const text = settlePendingOperations(JSON.stringify(state), [{ urn: 'urn:known', id: '/known' }]);
    expect((JSON.parse(text) as typeof state).deployment.resources).toHaveLength(2);
  });
});
