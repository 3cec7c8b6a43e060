import { revealAll, type Properties } from '../protocol';
import { textAt } from '../resources/propertyPath';
import type { InvokedFunction } from '../resources/provider';
import { applicationOutputs } from './application';
import { quoted } from './graph/client';
import { entityId, type EntitySet } from './ids';
import { completeOutputs } from './outputs';
import { ownersOf } from './owners';
import { servicePrincipalOutputs } from './servicePrincipal';
import type { Session } from './session';

/** Graph's filter for one entity, by the argument that identifies it. */
export type Filters = Readonly<Record<string, (value: string) => string>>;

const applicationFilters: Filters = {
  clientId: (value) => `appId eq ${quoted(value)}`,
  displayName: (value) => `displayName eq ${quoted(value)}`,
  identifierUri: (value) => `identifierUris/any(uri:uri eq ${quoted(value)})`,
};
const servicePrincipalFilters: Filters = {
  clientId: (value) => `appId eq ${quoted(value)}`,
  displayName: (value) => `displayName eq ${quoted(value)}`,
};

/** Rules: internal/services/serviceprincipals/client_config_data_source.go of hashicorp/terraform-provider-azuread. */
export function getClientConfig(session: () => Session): InvokedFunction {
  return async (_args, _fields, context) => {
    const { clientId, tenantId } = session().settings;
    const objectId = await session().callerId(context.signal);
    return { clientId, objectId, tenantId, id: `${tenantId}-${clientId}-${objectId}` };
  };
}

/** Rules: internal/services/applications/application_data_source.go of hashicorp/terraform-provider-azuread. */
export function getApplication(session: () => Session): InvokedFunction {
  return async (args, fields, { signal }) => {
    const application = await findOne(session(), 'applications', applicationFilters, args, signal);
    const outputs = applicationOutputs(application);
    const id = entityId('applications', textAt(outputs, 'objectId'));
    const owners = await ownersOf(session(), id, signal);
    return completeOutputs(fields.outputs, { ...revealAll(args), ...outputs, id, owners });
  };
}

/** Rules: internal/services/serviceprincipals/service_principal_data_source.go of hashicorp/terraform-provider-azuread. */
export function getServicePrincipal(session: () => Session): InvokedFunction {
  return async (args, fields, { signal }) => {
    const principal = await findOne(session(), 'servicePrincipals', servicePrincipalFilters, args, signal);
    const outputs = servicePrincipalOutputs(principal);
    const id = entityId('servicePrincipals', textAt(outputs, 'objectId'));
    return completeOutputs(fields.outputs, { ...outputs, id });
  };
}

/**
 * Returns the one entity that an argument identifies.
 *
 * @throws unless exactly one argument is set, and exactly one entity is found
 */
export async function findOne(
  session: Session,
  set: EntitySet,
  filters: Filters,
  args: Properties,
  signal: AbortSignal,
): Promise<Properties> {
  const setArguments = Object.keys(args).filter((name) => textAt(args, name) !== '');
  const [argument, ...others] = setArguments;
  if (argument === undefined || others.length > 0) {
    const names = ['objectId', ...Object.keys(filters)].join(', ');
    throw new Error(`set exactly one of ${names}: ${setArguments.length} are set`);
  }
  const value = textAt(args, argument);
  const none = `no object in ${set} has the ${argument} '${value}'`;
  const filter = filters[argument];
  if (filter === undefined) {
    const entity = await session.graph.find(entityId(set, value), signal);
    if (entity === undefined) throw new Error(none);
    return entity;
  }
  const objects = await session.graph.list(`/${set}`, signal, filter(value));
  const [first, ...more] = objects;
  if (first === undefined) throw new Error(none);
  if (more.length > 0)
    throw new Error(`${objects.length} objects in ${set} have the ${argument} '${value}': use objectId`);
  return first;
}
