import { digestOf } from '../resource/digest';
import { serviceBusRule } from './keys';
import type { ServiceBusService } from './service';
import type { CustomResourceBody, DependencyContext, ServiceDescription } from './specification';
import { exportTo, keySuffix } from './specification';

const apiVersion = 'servicebus.azure.com/v1api20240101';

/**
 * Returns the suffix of the name of a queue's custom resource. Names of objects allow fewer characters than names of
 * queues.
 */
function queueSuffix(queue: string): string {
  const word = queue.toLowerCase().replace(/[^a-z0-9-]/g, '-');
  if (word === queue && word.length <= 63) return `queue-${queue}`;
  return `queue-${word.slice(0, 40)}-${digestOf(queue.toLowerCase())}`;
}

/**
 * Describes a namespace with queues that the application sends to and receives from. If it has keys, they belong to a rule
 * that allows only that: with the namespace's own rule (RootManageSharedAccessKey), the application could manage the
 * namespace.
 */
export function serviceBus(
  { sku, queues }: ServiceBusService,
  { connection, key = 'primary', objectName }: DependencyContext,
): ServiceDescription {
  const isByKey = connection !== 'identity';
  const secretName = `${objectName}${keySuffix(key)}`;
  const rule: CustomResourceBody = {
    suffix: 'rule',
    apiVersion,
    kind: 'NamespacesAuthorizationRule',
    spec: {
      azureName: serviceBusRule,
      rights: ['Listen', 'Send'],
      ...(connection === 'secret' && {
        operatorSpec: {
          secrets: {
            [`${key}Key`]: exportTo(secretName, 'key'),
            [`${key}ConnectionString`]: exportTo(secretName, 'connectionString'),
          },
        },
      }),
    },
  };
  return {
    apiVersion,
    kind: 'Namespace',
    spec: {
      sku: { name: sku, tier: sku, ...(sku === 'Premium' && { capacity: 1 }) },
      disableLocalAuth: !isByKey,
      minimumTlsVersion: '1.2',
      operatorSpec: {
        configMapExpressions: [
          { ...exportTo(objectName, 'endpoint'), value: 'self.status.serviceBusEndpoint' },
        ],
      },
    },
    within: [
      ...queues.map((queue) => ({
        suffix: queueSuffix(queue),
        apiVersion,
        kind: 'NamespacesQueue',
        spec: { azureName: queue },
      })),
      ...(isByKey ? [rule] : []),
    ],
    dataRoles: isByKey ? [] : ['serviceBusDataSender', 'serviceBusDataReceiver'],
    configMapData: { queues: queues.join(',') },
  };
}
