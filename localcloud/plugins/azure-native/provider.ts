import type { ProviderImplementation } from '../protocol';
import { checkInputs } from '../resources/check';
import type { Lifecycle } from '../resources/lifecycle';
import { withoutNulls } from '../resources/propertyPath';
import { accessPolicyLifecycle } from './accessPolicy';
import { isNotFound } from './arm/armError';
import { checkConfiguration } from './arm/settings';
import { findResource, packageVersion } from './catalogue';
import { withLocation, withName } from './defaults';
import { diffInputs } from './diff';
import { invoke } from './functions';
import { armLifecycle } from './lifecycle';
import { openSession, type Session } from './session';
import { vaultSecretLifecycle } from './vaultSecret';

/** API version for reading the location of a resource group. */
const groupsVersion = '2024-03-01';

/**
 * Returns the plugin for the types of `@pulumi/azure-native` that the program uses.
 *
 * @param environment source of credentials that the provider's configuration lacks
 * @param connect creates the clients once the configuration is known
 */
export function createProvider(
  environment: NodeJS.ProcessEnv,
  connect: typeof openSession = openSession,
): ProviderImplementation {
  let session: Session | undefined;
  const groupLocations = new Map<string, string>();

  function configured(): Session {
    if (session === undefined) throw new Error('the azure-native plugin was used before it was configured');
    return session;
  }

  async function groupLocation(group: string): Promise<string | undefined> {
    const { arm, settings } = configured();
    const known = groupLocations.get(group);
    if (known !== undefined) return known;
    try {
      const id = `/subscriptions/${settings.subscriptionId}/resourceGroups/${group}`;
      const { location } = await arm.get(id, groupsVersion, AbortSignal.timeout(60_000));
      if (typeof location !== 'string') return undefined;
      groupLocations.set(group, location);
      return location;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  function lifecycle(token: string): Lifecycle {
    const resource = findResource(token);
    switch (resource.special) {
      case 'accessPolicy':
        return accessPolicyLifecycle(resource, configured());
      case 'vaultSecret':
        return vaultSecretLifecycle(resource, configured());
      default:
        return armLifecycle(resource, configured());
    }
  }

  return {
    name: 'azure-native',
    version: packageVersion,

    checkConfig(_olds, news) {
      return Promise.resolve({ inputs: news, failures: checkConfiguration(news) });
    },

    configure(config) {
      session = connect(config, environment);
      return Promise.resolve();
    },

    async check(_urn, type, olds, news, options) {
      const resource = findResource(type);
      const named = withName(resource, olds, withoutNulls(news), options);
      const located = await withLocation(
        resource,
        olds,
        named,
        configured().settings.location,
        groupLocation,
      );
      return {
        inputs: located.inputs,
        failures: [...checkInputs(resource.inputs, located.inputs), ...located.failures],
      };
    },

    diff(_urn, type, _id, oldState, oldInputs, newInputs) {
      return Promise.resolve(diffInputs(findResource(type), oldInputs, newInputs, oldState));
    },

    async create(_urn, type, inputs, options, context) {
      return lifecycle(type).create(inputs, options, context);
    },

    async read(_urn, type, id, state, inputs, context) {
      return lifecycle(type).read(id, state, inputs, context);
    },

    async update(_urn, type, id, oldState, _oldInputs, newInputs, options, context) {
      return lifecycle(type).update(id, oldState, newInputs, options, context);
    },

    async delete(_urn, type, id, state, options, context) {
      await lifecycle(type).delete(id, state, options, context);
    },

    async invoke(token, args, context) {
      return invoke(configured(), token, args, context);
    },
  };
}
