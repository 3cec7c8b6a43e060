import * as z from 'zod';
import { serverBusy } from './arm/resources/flexibleServerOperations';
import type { Fault, Faults, ProvisioningFault } from './faults';
import type { CloudRequest } from './server/exchange';

/** Options of a named fault. */
export interface FaultRequest {
  /** Part of the resource id, compared case-insensitively. @default every resource of the type */
  resource?: string;
  /** Number of requests or operations. @default all, until the fault is removed */
  times?: number;
}

const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Matches ids of resources of the type, but not of their children. */
function idsOf(type: string, { resource = '' }: FaultRequest): RegExp {
  return new RegExp(`^(?=.*${literal(resource)}).*/providers/${literal(type)}/[^/?]+$`, 'i');
}

const ACCOUNTS = 'Microsoft.Storage/storageAccounts';
const SERVERS = 'Microsoft.DBforPostgreSQL/flexibleServers';

/** Values of the request that the fault's message contains. */
interface RequestValues {
  subscription: string;
  name: string;
  location: string;
}

function valuesOf({ segments, body }: CloudRequest): RequestValues {
  const [subscription = '', name = ''] = [segments[1], segments.at(-1)];
  try {
    const { location } = z.object({ location: z.string() }).parse(JSON.parse(body));
    return { subscription, name, location };
  } catch {
    // An invalid body still gets the fault, because the service would check the body later.
    return { subscription, name, location: '' };
  }
}

const refusal =
  (type: string, status: number, code: string, message: (about: RequestValues) => string) =>
  (options: FaultRequest): Fault => ({
    method: 'PUT',
    url: idsOf(type, options),
    reply: (request) => ({ status, code, message: message(valuesOf(request)) }),
    ...(options.times === undefined ? {} : { times: options.times }),
  });

/** Faults that refuse the request. */
const REFUSALS: Readonly<Record<string, (request: FaultRequest) => Fault>> = {
  // Status: the storage resource provider's table of error codes. Text: Azure/azure-sdk-for-cpp #3959.
  storageQuota: refusal(
    ACCOUNTS,
    409,
    'MaxStorageAccountsCountPerSubscriptionExceeded',
    ({ subscription, location }) =>
      `Subscription ${subscription} already contains 250 storage accounts in location ${location} and the maximum allowed is 250.`,
  ),
  // Text as users quote it, e.g. in adamdost-0/linux-update-cds #14.
  postgresqlRegion: refusal(
    SERVERS,
    400,
    'LocationIsOfferRestricted',
    ({ location }) =>
      `Subscriptions are restricted from provisioning in location '${location}'. Try again in a different location.`,
  ),
  // MicrosoftDocs/azure-docs `azure-resource-manager/troubleshooting/error-policy-requestdisallowedbypolicy.md`.
  storagePolicy: refusal(
    ACCOUNTS,
    403,
    'RequestDisallowedByPolicy',
    ({ name }) => `Resource '${name}' was disallowed by policy. See error details for policy resource IDs.`,
  ),
};

/** Faults of accepted operations. Texts: recordings of azure-service-operator 2.20. */
const FAILURES: Readonly<Record<string, Omit<ProvisioningFault, 'resource'> & { type: string }>> = {
  postgresqlBusy: {
    type: SERVERS,
    code: 'ServerIsBusy',
    message: (id) => serverBusy(id.split('/').at(-1) ?? '').message,
  },
  postgresqlInternal: {
    type: SERVERS,
    code: 'InternalServerError',
    message: 'An unexpected error occured while processing the request.',
  },
  storageInternal: {
    type: ACCOUNTS,
    code: 'InternalServerError',
    message: 'An unexpected error occured while processing the request.',
  },
};

/** Names of all faults. */
const FAULT_NAMES: readonly string[] = [...Object.keys(REFUSALS), ...Object.keys(FAILURES)];

/**
 * Adds a fault by its name and returns a function that removes it.
 *
 * @throws Error with the names of all faults, if the name is unknown
 */
export function addNamedFault(faults: Faults, name: string, request: FaultRequest): () => void {
  const refused = REFUSALS[name];
  if (refused !== undefined) return faults.add(refused(request));
  const failure = FAILURES[name];
  if (failure === undefined) {
    throw new Error(`There is no fault '${name}'. There are ${FAULT_NAMES.join(', ')}.`);
  }
  const { type, code, message } = failure;
  const times = request.times === undefined ? {} : { times: request.times };
  return faults.failProvisioning({ resource: idsOf(type, request), code, message, ...times });
}
