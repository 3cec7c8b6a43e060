import * as pulumi from '@pulumi/pulumi';
import type { Registered, RegisteredStack } from '../access/registered';
import { currentCloud } from '../../components/azure/clouds';
import { fieldsOf, isRecord, textOf } from '../../components/resource/fields';
import { deployEnvironment } from '../deploy/environment';
import { environmentOutputs } from '../outputs/environmentOutputs';
import type { Configuration } from '../plan';
import { Subscriptions } from '../preflight/subscriptions';
import { project } from '../settings/problem';
import { azure, guidOf, ids } from './azure';

/** What the SDK's mocks keep of a resource. */
interface Kept {
  readonly urn: string;
  readonly id: string | null;
  readonly state: unknown;
}

/**
 * What the program would register for a configuration, found by running it against the SDK's mocks: without an engine, a cloud, or
 * a cluster. What Azure would make up is made up here.
 *
 * The mocks are global to the process: one run at a time.
 * @param config Pulumi's configuration of other namespaces, such as `azure-native:environment`
 */
export async function registrationOf(
  configuration: Configuration,
  config: Readonly<Record<string, string>> = {},
): Promise<RegisteredStack> {
  const inputs = new Map<string, { readonly given: Registered['inputs']; readonly provider: string }>();
  pulumi.runtime.setAllConfig({ ...config });
  await pulumi.runtime.setMocks(
    {
      newResource({ type, name, inputs: given, provider = '' }) {
        const values = given as Record<string, unknown>;
        const key = `${type}::${name}`;
        if (inputs.has(key)) throw new Error(`${key} is registered twice`);
        inputs.set(key, { given: values, provider });
        const made = azure.resource(type, name, values);
        // What is made through the provider of another subscription is there.
        const [, subscription = ids.subscription] = /::subscription-([0-9a-f-]{36})::/.exec(provider) ?? [];
        const id = made.id.replace(`/subscriptions/${ids.subscription}/`, `/subscriptions/${subscription}/`);
        return { id, state: byId(id, made.state) };
      },
      call({ token, inputs: given, provider = '' }) {
        const asked = given as Record<string, unknown>;
        const answered = azure.call(token, asked, provider);
        const answer: Record<string, unknown> = {
          ...byId(textOf(answered.id), answered),
          ...('nodeResourceGroup' in answered && { nodeResourceGroup: nodesGroup(asked, configuration) }),
        };
        if (token !== 'azure-native:keyvault:getVault') return answer;
        // A vault that exists has the mode that the settings say: an update refuses another one.
        const vault = configuration.plan.vaults.find(({ name }) => name === asked.vaultName);
        const enableRbacAuthorization = vault?.access !== 'accessPolicy';
        return { ...answer, properties: { ...fieldsOf(answer.properties), enableRbacAuthorization } };
      },
    },
    project,
    configuration.environment,
    true,
  );
  // The mocks keep it, and the type of the monitor does not say so.
  const monitor = pulumi.runtime.getMonitor() as unknown as {
    getRegisteredResources(): ReadonlyMap<string, Kept>;
  };
  // Each on its own: what a run without an engine cannot know is left out.
  const outputs: Record<string, unknown> = {};
  await pulumi.runtime.runInPulumiStack(async () => {
    pulumi.runtime.registerStackTransformation(({ props, opts }) => ({
      props,
      // The SDKs add a type of each version of an API, up to fifty: they are half of what a run costs, and nothing reads them.
      opts: { ...opts, aliases: [] },
    }));
    const cloud = currentCloud(new pulumi.Config('azure-native').get('environment'), {});
    const subscriptions = new Subscriptions(cloud.name);
    const pending = environmentOutputs(configuration, deployEnvironment(configuration, subscriptions, cloud));
    for (const [key, output] of Object.entries(pending))
      if (key !== 'kubeconfigs') (output as pulumi.Output<unknown>).apply((value) => (outputs[key] = value));
    return Promise.resolve({});
  });
  await pulumi.runtime.disconnect();
  return {
    outputs,
    resources: [...monitor.getRegisteredResources().values()].map(({ urn, id, state }): Registered => {
      const key = urn.split('::').slice(2).join('::');
      const { given = {}, provider = '' } = inputs.get(key.slice(key.lastIndexOf('$') + 1)) ?? {};
      return {
        ...{ urn, inputs: given, outputs: plain(state), provider },
        ...(id !== null && id !== '' && { id }),
      };
    }),
  };
}

/** What a component registered is in the form of requests. */
function plain(state: unknown): Registered['outputs'] {
  const asRequested = state as { toJavaScript?: () => unknown } | undefined;
  const value = asRequested?.toJavaScript === undefined ? state : asRequested.toJavaScript();
  return isRecord(value) ? value : {};
}

/** What Azure makes up, by the whole id of what it is of: the same name elsewhere is another. */
function byId(id: string, state: Record<string, unknown>): Record<string, unknown> {
  const key = id.toLowerCase();
  const made = Object.fromEntries(
    ['principalId', 'clientId'].filter((one) => one in state).map((one) => [one, guidOf(`${one} of ${key}`)]),
  );
  const issuerURL = `https://issuer.example/${guidOf(key)}/`;
  return {
    ...state,
    ...(id.startsWith('/') && made),
    ...('oidcIssuerProfile' in state && { oidcIssuerProfile: { enabled: true, issuerURL } }),
  };
}

/** As Azure names it, where nobody says another name. */
const nodesGroup = (asked: Record<string, unknown>, { settings }: Configuration): string =>
  `MC_${textOf(asked.resourceGroupName)}_${textOf(asked.resourceName)}_${settings.location}`;
