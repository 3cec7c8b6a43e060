import { digestOf } from '../resource/digest';
import { identity } from './identity';
import { postgresql } from './postgresql';
import { redis } from './redis';
import type { DependencyService } from './service';
import { serviceBus } from './serviceBus';
import type {
  CustomResourceBody,
  DependencyContext,
  ServiceDescription,
  Specification,
} from './specification';
import { storageAccount } from './storageAccount';
import { vault } from './vault';

/** What a service is as custom resources of the operator. */
export function specify(service: DependencyService, context: DependencyContext): Specification {
  const { objectName, groupId, location, tags } = context;
  // The group's resource id: the owner needs no custom resource.
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
      ...(keys === undefined ? [] : [keysOf(own, service.name, objectName, keys)]),
    ],
    dataRoles,
    configMapData,
  };
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
 * A custom resource of its own for the keys of a service. The operator leaves a secret that it is no longer told to export;
 * the secret of a custom resource is deleted with the custom resource, and so this one is deleted with the connection.
 */
function keysOf(
  own: CustomResourceBody,
  azureName: string,
  objectName: string,
  keys: NonNullable<ServiceDescription['keys']>,
): CustomResourceBody {
  // The pods of another service wait for another secret.
  const suffix = `keys-${digestOf(azureName)}`;
  return {
    ...own,
    suffix,
    keys: true,
    spec: { ...own.spec, operatorSpec: keys(`${objectName}-${suffix}`) },
  };
}
