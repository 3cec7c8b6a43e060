/**
 * Mocks answer in place of the engine: the requests that they get are those of the SDK. `aliases` are the only thing looked at.
 */
import * as keyvault from '@pulumi/azure-native/keyvault';
import * as pulumi from '@pulumi/pulumi';
import { passOverAliasesInConstructor } from '../../../stacks/laterAliases';

/** Registers a secret, and returns it with the aliases that the SDK sends for it. */
async function registered(opts: pulumi.CustomResourceOptions) {
  await pulumi.runtime.setMocks({
    newResource: ({ name, inputs }) => ({ id: `${name}-id`, state: inputs as Record<string, unknown> }),
    call: ({ inputs }) => inputs as Record<string, unknown>,
  });
  const monitor = pulumi.runtime.getMonitor() as { registerResource: (...args: never[]) => unknown };
  const aliases: unknown[][] = [];
  const register = monitor.registerResource.bind(monitor);
  monitor.registerResource = (
    request: { getAliasesList: () => { toObject: () => unknown }[] },
    ...rest: never[]
  ) => {
    aliases.push(request.getAliasesList().map((alias) => alias.toObject()));
    return register(...([request, ...rest] as never[]));
  };
  const secret = new keyvault.Secret(
    'one',
    { properties: { value: 'value' }, resourceGroupName: 'group', vaultName: 'vault' },
    opts,
  );
  await new Promise((resolve) => secret.urn.apply(resolve));
  return { secret, aliases };
}

it('sends the aliases that the SDK does, and computes none for children', async () => {
  const before = await registered({});
  const after = await registered({ transformations: [passOverAliasesInConstructor] });

  expect(before.aliases[0]?.length).toBeGreaterThan(5);
  expect(after.aliases).toEqual(before.aliases);
  expect(Reflect.get(before.secret, '__aliases')).toHaveLength(before.aliases[0]?.length ?? 0);
  expect(Reflect.get(after.secret, '__aliases')).toEqual([]);
});
