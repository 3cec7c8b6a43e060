import * as pulumi from '@pulumi/pulumi';
import type { Registered, RegisteredStack } from '../access/registered';
import { currentCloud } from '../../components/azure/clouds';
import { fieldsOf, isRecord, textOf } from '../../components/resource/fields';
import type { Central } from '../deploy/central';
import { deployEnvironment } from '../deploy/environment';
import { environmentOutputs } from '../outputs/environmentOutputs';
import type { Configuration } from '../plan';
import { Subscriptions } from '../subscriptions';
import { project } from '../settings/problem';
import { azure, guidOf, ids } from './azure';

/** A resource as recorded by the SDK's mocks. */
interface MockedResource {
  readonly urn: string;
  readonly id: string | null;
  readonly state: unknown;
}

/**
 * Returns the resources that the program would register for a configuration, by running it against the SDK's mocks: without an
 * engine, a cloud or a cluster. Ids that Azure would generate are derived from names.
 *
 * The mocks are global to the process: one run at a time.
 * @param config Pulumi's configuration of other namespaces, such as `azure-native:environment`
 * @param central for a cell: the resources of its environment. Default: registered like all others
 */
export async function registrationOf(
  configuration: Configuration,
  config: Readonly<Record<string, string>> = {},
  central?: Central,
): Promise<RegisteredStack> {
  const registered = new Map<string, { readonly inputs: Registered['inputs']; readonly provider: string }>();
  pulumi.runtime.setAllConfig({ ...config });
  await pulumi.runtime.setMocks(
    {
      newResource({ type, name, inputs: untyped, provider = '' }) {
        const inputs = untyped as Record<string, unknown>;
        const key = `${type}::${name}`;
        if (registered.has(key)) throw new Error(`${key} is registered twice`);
        registered.set(key, { inputs, provider });
        const resource = azure.resource(type, name, inputs);
        // The provider of another subscription creates it there.
        const [, subscription = ids.subscription] = /::subscription-([0-9a-f-]{36})::/.exec(provider) ?? [];
        const id = resource.id.replace(
          `/subscriptions/${ids.subscription}/`,
          `/subscriptions/${subscription}/`,
        );
        return { id, state: byId(id, resource.state) };
      },
      call({ token, inputs: untyped, provider = '' }) {
        const inputs = untyped as Record<string, unknown>;
        const result = azure.call(token, inputs, provider);
        const answer: Record<string, unknown> = {
          ...byId(textOf(result.id), result),
          ...('nodeResourceGroup' in result && { nodeResourceGroup: nodesGroup(inputs, configuration) }),
        };
        if (token !== 'azure-native:keyvault:getVault') return answer;
        // An existing vault has the access mode of the settings: an update refuses any other.
        const vault = configuration.plan.vaults.find(({ name }) => name === inputs.vaultName);
        const enableRbacAuthorization = vault?.access !== 'accessPolicy';
        return { ...answer, properties: { ...fieldsOf(answer.properties), enableRbacAuthorization } };
      },
    },
    project,
    configuration.environment,
    true,
  );
  // The mocks' monitor records the resources, but its type lacks the method.
  const monitor = pulumi.runtime.getMonitor() as unknown as {
    getRegisteredResources(): ReadonlyMap<string, MockedResource>;
  };
  // Each output separately: those that are unknown without an engine are left out.
  const outputs: Record<string, unknown> = {};
  await pulumi.runtime.runInPulumiStack(async () => {
    pulumi.runtime.registerStackTransformation(({ props, opts }) => ({
      props,
      // The SDKs add up to a hundred aliases, one per API version, and nothing reads them (stacks/versionAliases.ts).
      opts: { ...opts, aliases: [] },
    }));
    const cloud = currentCloud(new pulumi.Config('azure-native').get('environment'), {});
    const subscriptions = new Subscriptions(cloud.name);
    const pending = environmentOutputs(
      configuration,
      deployEnvironment(configuration, subscriptions, cloud, central),
    );
    for (const [key, output] of Object.entries(pending))
      if (key !== 'kubeconfigs') (output as pulumi.Output<unknown>).apply((value) => (outputs[key] = value));
    return Promise.resolve({});
  });
  await pulumi.runtime.disconnect();
  return {
    outputs,
    resources: [...monitor.getRegisteredResources().values()].map(({ urn, id, state }): Registered => {
      const key = urn.split('::').slice(2).join('::');
      const { inputs = {}, provider = '' } = registered.get(key.slice(key.lastIndexOf('$') + 1)) ?? {};
      return {
        ...{ urn, inputs, outputs: plain(state), provider },
        ...(id !== null && id !== '' && { id }),
      };
    }),
  };
}

/** Returns the outputs as plain objects. Those of components are in the SDK's wire format. */
function plain(state: unknown): Registered['outputs'] {
  const message = state as { toJavaScript?: () => unknown } | undefined;
  const value = message?.toJavaScript === undefined ? state : message.toJavaScript();
  return isRecord(value) ? value : {};
}

/** Derives generated values from the resource's whole id, since its name may exist in several places. */
function byId(id: string, state: Record<string, unknown>): Record<string, unknown> {
  const key = id.toLowerCase();
  const generated = Object.fromEntries(
    ['principalId', 'clientId']
      .filter((name) => name in state)
      .map((name) => [name, guidOf(`${name} of ${key}`)]),
  );
  const issuerURL = `https://issuer.example/${guidOf(key)}/`;
  return {
    ...state,
    ...(id.startsWith('/') && generated),
    ...('oidcIssuerProfile' in state && { oidcIssuerProfile: { enabled: true, issuerURL } }),
  };
}

/** Azure's default name of the nodes' resource group. */
const nodesGroup = (inputs: Record<string, unknown>, { settings }: Configuration): string =>
  `MC_${textOf(inputs.resourceGroupName)}_${textOf(inputs.resourceName)}_${settings.location}`;
