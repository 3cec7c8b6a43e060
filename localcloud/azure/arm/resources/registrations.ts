import type { ArmContext } from '../context';
import { ArmError } from '../errors';
import { subscriptionScope } from '../resourceId';

/**
 * Providers that are registered in every subscription and cannot be unregistered. Source:
 * MicrosoftDocs/azure-docs `articles/azure-resource-manager/management/azure-services-resource-providers.md`.
 */
const ALWAYS = new Set(['microsoft.authorization', 'microsoft.resources']);

/** Milliseconds that a registration takes. On Azure it takes minutes. */
const DURATION = 500;

export type RegistrationState = 'Registered' | 'Registering' | 'Unregistered';

const idOf = (subscriptionId: string, namespace: string): string =>
  `${subscriptionScope(subscriptionId)}/providers/${namespace}`;

/**
 * The registration state of a provider in a subscription. A new subscription of Azure has few registered
 * providers; the portal, the Azure CLI and azure-native register others on first use. The local subscriptions
 * count as used: everything is registered unless it was unregistered.
 */
export function registrationState(
  context: Pick<ArmContext, 'store' | 'clock'>,
  subscriptionId: string,
  namespace: string,
): RegistrationState {
  const current = context.store.registrations.get(idOf(subscriptionId, namespace));
  if (current === undefined) return 'Registered';
  if (current.registeredAt === undefined) return 'Unregistered';
  return current.registeredAt <= context.clock.now() ? 'Registered' : 'Registering';
}

/** Starts the registration, unless the provider is registered or being registered. */
export function register(context: ArmContext, subscriptionId: string, namespace: string): void {
  if (registrationState(context, subscriptionId, namespace) !== 'Unregistered') return;
  const id = idOf(subscriptionId, namespace);
  context.store.registrations.set(id, { id, registeredAt: context.clock.now() + DURATION });
}

/** Unregisters a provider; refused while the subscription has resources of it. */
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
 * Refuses a change of a resource whose provider is not registered. azcore's policies and Azure Service Operator read the
 * provider to register from the detail's target.
 */
export function requireRegistration(context: ArmContext, subscriptionId: string, type: string): void {
  const namespace = type.split('/')[0] ?? '';
  if (ALWAYS.has(namespace.toLowerCase())) return;
  if (registrationState(context, subscriptionId, namespace) === 'Registered') return;
  const code = 'MissingSubscriptionRegistration';
  const message = `The subscription is not registered to use namespace '${namespace}'. See https://aka.ms/rps-not-found for how to register subscriptions.`;
  throw new ArmError(409, code, message, { details: [{ code, target: namespace, message }] });
}
