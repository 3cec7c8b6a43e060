/**
 * Mocks answer in place of the engine: the requests that they get are those of the SDK. Only `aliases` are looked at.
 */
import * as keyvault from '@pulumi/azure-native/keyvault';
import * as pulumi from '@pulumi/pulumi';
import { withoutVersionAliases } from '../../../stacks/versionAliases';

/** Registers a secret, and returns the aliases that the SDK sends for it. */
async function aliasesOf(opts: pulumi.CustomResourceOptions): Promise<unknown[]> {
  await pulumi.runtime.setMocks({
    newResource: ({ name, inputs }) => ({ id: `${name}-id`, state: inputs as Record<string, unknown> }),
    call: ({ inputs }) => inputs as Record<string, unknown>,
  });
  const monitor = pulumi.runtime.getMonitor() as { registerResource: (...args: never[]) => unknown };
  const aliases: unknown[] = [];
  const register = monitor.registerResource.bind(monitor);
  monitor.registerResource = (
    request: { getAliasesList: () => { toObject: () => { spec?: { type: string; name: string } } }[] },
    ...rest: never[]
  ) => {
    aliases.push(...request.getAliasesList().map((alias) => alias.toObject().spec));
    return register(...([request, ...rest] as never[]));
  };
  const secret = new keyvault.Secret(
    'one',
    { properties: { value: 'value' }, resourceGroupName: 'group', vaultName: 'vault' },
    opts,
  );
  await new Promise((resolve) => secret.urn.apply(resolve));
  return aliases;
}

it('leaves out the aliases for types with an API version, and keeps all others', async () => {
  const aliases = [{ name: 'before' }, { type: 'azure-native:network:Former' }];
  const before = await aliasesOf({ aliases });
  const after = await aliasesOf({ aliases, transformations: [withoutVersionAliases] });

  expect(before.length).toBeGreaterThan(7);
  expect(after).toEqual([
    expect.objectContaining({ name: 'before' }),
    expect.objectContaining({ type: 'azure-native:network:Former' }),
  ]);
});
