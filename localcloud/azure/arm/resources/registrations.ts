import type { ArmContext } from '../context';
import { ArmError } from '../errors';
import { subscriptionScope } from '../resourceId';

/**
 * Registered in every subscription, and not to be taken off.
 * Source: MicrosoftDocs/azure-docs `articles/azure-resource-manager/management/azure-services-resource-providers.md`.
 */
const ALWAYS = new Set(['microsoft.authorization', 'microsoft.resources']);

/** Milliseconds from the request until a provider is registered. On Azure it takes minutes. */
const DURATION = 500;

export type RegistrationState = 'Registered' | 'Registering' | 'Unregistered';

const idOf = (subscriptionId: string, namespace: string): string =>
  `${subscriptionScope(subscriptionId)}/providers/${namespace}`;

/**
 * The state of a provider in a subscription. A new subscription of Azure has the few of `ALWAYS` and some that the
 * local cloud does not have; each other is registered by who first uses it: portal, command line and the
 * azure-native provider do so by themselves. The local cloud's subscriptions are such as have been used.
 */
export function registrationState(
  context: Pick<ArmContext, 'store' | 'clock'>,
  subscriptionId: string,
  namespace: string,
): RegistrationState {
  const held = context.store.registrations.get(idOf(subscriptionId, namespace));
  if (held === undefined) return 'Registered';
  if (held.registeredAt === undefined) return 'Unregistered';
  return held.registeredAt <= context.clock.now() ? 'Registered' : 'Registering';
}

/** Begins the registration, unless the provider is registered or on its way. */
export function register(context: ArmContext, subscriptionId: string, namespace: string): void {
  if (registrationState(context, subscriptionId, namespace) !== 'Unregistered') return;
  const id = idOf(subscriptionId, namespace);
  context.store.registrations.set(id, { id, registeredAt: context.clock.now() + DURATION });
}

/** Takes a provider off, which must have no resources left. */
export function unregister(context: ArmContext, subscriptionId: string, namespace: string): void {
  const inUse = context.store
    .below(subscriptionScope(subscriptionId))
    .find((resource) => resource.type.toLowerCase().startsWith(`${namespace.toLowerCase()}/`));
  if (ALWAYS.has(namespace.toLowerCase()) || inUse !== undefined) {
    throw new ArmError(
      409,
      'Conflict',
      inUse === undefined
        ? `The resource provider '${namespace}' is registered in every subscription and cannot be unregistered.`
        : `The resource provider '${namespace}' cannot be unregistered while the subscription has resources of it, e.g. '${inUse.id}'. Delete them first.`,
    );
  }
  const id = idOf(subscriptionId, namespace);
  context.store.registrations.set(id, { id });
}

/**
 * Refuses a change of what is of a provider that is not registered. The target of the detail is where azcore's and
 * Azure Service Operator's policies find the provider to register.
 */
export function requireRegistration(context: ArmContext, subscriptionId: string, type: string): void {
  const namespace = type.split('/')[0] ?? '';
  if (ALWAYS.has(namespace.toLowerCase())) return;
  if (registrationState(context, subscriptionId, namespace) === 'Registered') return;
  const code = 'MissingSubscriptionRegistration';
  const message = `The subscription is not registered to use namespace '${namespace}'. See https://aka.ms/rps-not-found for how to register subscriptions.`;
  throw new ArmError(409, code, message, { details: [{ code, target: namespace, message }] });
}
