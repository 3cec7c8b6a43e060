import * as pulumi from '@pulumi/pulumi';
import { ManagedIdentity } from '../../../components/index';
import schema from '../../../components/schema.json';
import { SchemaProvider, type Component } from '../../../components/schemaProvider';

// The provider of the packed components. The engine's part in it is proved by tests/engine/packages.

const type = 'aks-workload-identity:index:ManagedIdentity';
const provider = new SchemaProvider([ManagedIdentity as unknown as Component]);

beforeAll(() =>
  pulumi.runtime.setMocks({
    newResource: ({ name, inputs }) => ({ id: name, state: inputs as Record<string, unknown> }),
    call: () => ({}),
  }),
);

describe('the provider of the packed components', () => {
  it('serves the checked-in schema', async () => {
    expect(JSON.parse(await provider.getSchema())).toEqual(schema);
  });

  it('constructs a component with exactly the outputs of the schema', async () => {
    const inputs = { create: { resourceGroupName: 'rg' } };
    const { state } = await provider.construct('reports', type, inputs, {});

    expect(Object.keys(state)).toEqual(Object.keys(schema.resources[type].properties));
    expect(Object.values(state).filter((output) => output === undefined)).toEqual([]);
  });

  it('names a component that it does not have', async () => {
    await expect(provider.construct('reports', 'aks-workload-identity:index:Other', {}, {})).rejects.toThrow(
      'aks-workload-identity has no component aks-workload-identity:index:Other.',
    );
  });
});
