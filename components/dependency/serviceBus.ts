import { digestOf } from '../resource/digest';
import type { ServiceBusService } from './service';
import type { CustomResourceBody, DependencyContext, Specification } from './specification';
import { exportTo, ownedByGroup } from './specification';

const apiVersion = 'servicebus.azure.com/v1api20240101';

/** What the name of a queue's custom resource ends with: names of queues may have what names of objects may not. */
function queueSuffix(queue: string): string {
  const word = queue.toLowerCase().replace(/[^a-z0-9-]/g, '-');
  if (word === queue && word.length <= 63) return `queue-${queue}`;
  return `queue-${word.slice(0, 40)}-${digestOf(queue.toLowerCase())}`;
}

/**
 * A namespace with queues, to which the application sends and from which it receives. Its keys, if it has any, are those
 * of a rule that may not more than that: the namespace's own (RootManageSharedAccessKey) manage it.
 */
export function serviceBus(
  { name, sku, queues }: ServiceBusService,
  context: DependencyContext,
): Specification {
  const { connection, location, tags, objectName } = context;
  const owner = { name: objectName };
  const secret = connection === 'secret';
  const rule: CustomResourceBody = {
    suffix: 'rule',
    apiVersion,
    kind: 'NamespacesAuthorizationRule',
    spec: {
      azureName: 'application',
      owner,
      rights: ['Listen', 'Send'],
      operatorSpec: {
        secrets: {
          primaryKey: exportTo(context, 'key'),
          primaryConnectionString: exportTo(context, 'connectionString'),
        },
      },
    },
  };
  return {
    azureName: name,
    resources: [
      {
        apiVersion,
        kind: 'Namespace',
        spec: {
          azureName: name,
          owner: ownedByGroup(context),
          location,
          sku: { name: sku, tier: sku, ...(sku === 'Premium' && { capacity: 1 }) },
          tags,
          disableLocalAuth: !secret,
          minimumTlsVersion: '1.2',
          operatorSpec: {
            configMapExpressions: [
              { ...exportTo(context, 'endpoint'), value: 'self.status.serviceBusEndpoint' },
            ],
          },
        },
      },
      ...queues.map((queue) => ({
        suffix: queueSuffix(queue),
        apiVersion,
        kind: 'NamespacesQueue',
        spec: { azureName: queue, owner },
      })),
      ...(secret ? [rule] : []),
    ],
    dataRoles: secret ? [] : ['serviceBusDataSender', 'serviceBusDataReceiver'],
    configMapData: { queues: queues.join(',') },
  };
}
