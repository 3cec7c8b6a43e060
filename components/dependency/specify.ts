import { digestOf } from '../resource/digest';
import { identity } from './identity';
import { postgresql } from './postgresql';
import { redis } from './redis';
import type { DependencyService } from './service';
import { serviceBus } from './serviceBus';
import { keySuffix } from './specification';
import type {
  CustomResourceBody,
  DependencyContext,
  ServiceDescription,
  Specification,
} from './specification';
import { storageAccount } from './storageAccount';
import { vault } from './vault';

/** Returns the custom resources of a service, and the values that the application gets. */
export function specify(service: DependencyService, context: DependencyContext): Specification {
  const { objectName, groupId, location, tags } = context;
  // The group's resource id is enough: no custom resource of the group is needed.
  const owner = { armId: groupId };
  if (service.kind === 'resource') {
    const { apiVersion, resourceKind: kind, spec } = service;
    // It can be of any kind, so its deletion may take long.
    return { resources: [{ apiVersion, kind, spec: { owner, ...spec }, deletionTakes: '60m' }] };
  }
  const { within = [], keys, dataRoles, configMapData, ...described } = describeService(service, context);
  const own = { ...described, spec: { azureName: service.name, owner, location, tags, ...described.spec } };
  return {
    resources: [
      own,
      ...within.map((body) => ({ ...body, spec: { owner: { name: objectName }, ...body.spec } })),
      ...(keys === undefined ? [] : [keysOf(own, service.name, context, keys)]),
    ],
    dataRoles,
    configMapData: withPlace(configMapData, context),
  };
}

/** Adds the place of the connection string, if the pods need to know it. */
function withPlace(
  data: Specification['configMapData'],
  { connectionVault, objectName }: DependencyContext,
): Specification['configMapData'] {
  return connectionVault === undefined ? data : { ...data, connectionVault, connectionSecret: objectName };
}

function describeService(
  service: Exclude<DependencyService, { readonly kind: 'resource' }>,
  context: DependencyContext,
): ServiceDescription {
  switch (service.kind) {
    case 'storageAccount':
      return storageAccount(service, context);
    case 'postgresql':
      return postgresql(service, context);
    case 'redis':
      return redis(service, context);
    case 'serviceBus':
      return serviceBus(service, context);
    case 'identity':
      return identity(context);
    case 'vault':
      return vault(service, context);
  }
}

/**
 * Returns a second custom resource of the service that only exports its keys. If an export is removed from a custom
 * resource, the operator leaves the secret; if the custom resource is deleted, Kubernetes deletes the secret. With this
 * second one, the keys leave the cluster together with the connection that needs them.
 */
function keysOf(
  own: CustomResourceBody,
  azureName: string,
  { objectName, key }: DependencyContext,
  keys: NonNullable<ServiceDescription['keys']>,
): CustomResourceBody {
  // Another service gets another secret: pods must not start with the old keys.
  const suffix = `keys-${digestOf(azureName)}${keySuffix(key)}`;
  return {
    ...own,
    suffix,
    keys: true,
    spec: { ...own.spec, operatorSpec: keys(`${objectName}-${suffix}`) },
  };
}
