import type { ServedKind } from '../client/kinds';
import { at, objectsAt, stringsAt, textAt } from '../json';
import type { ReadinessCheck } from './readiness';
import { isReady, notReady } from './readiness';

const sliceKind: ServedKind = {
  group: 'discovery.k8s.io',
  version: 'v1',
  kind: 'EndpointSlice',
  plural: 'endpointslices',
  namespaced: true,
};
const storageClassKind: ServedKind = {
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'StorageClass',
  plural: 'storageclasses',
  namespaced: false,
};

/**
 * Checks a service, which is ready when it has its address and all its endpoints are ready. As in the official plugin, a
 * service without matching pods is ready too, because its pods may come later.
 */
export const service: ReadinessCheck = async ({ cluster, object, signal }) => {
  if (textAt(object, 'spec', 'type') === 'LoadBalancer') {
    if (objectsAt(object, 'status', 'loadBalancer', 'ingress').length === 0) {
      return notReady(
        'waiting for the load balancer',
        'the service has no address: clusters of the local cloud have no load balancers, so use type ClusterIP',
      );
    }
  }
  const isHeadless = textAt(object, 'spec', 'clusterIP') === 'None';
  const selects = Object.keys(stringsAt(object, 'spec', 'selector')).length > 0;
  if (isHeadless || !selects || textAt(object, 'spec', 'type') === 'ExternalName') return isReady;
  const name = textAt(object, 'metadata', 'name') ?? '';
  const label = `kubernetes.io/service-name=${name}`;
  const slices = await cluster.list(sliceKind, textAt(object, 'metadata', 'namespace'), { label }, signal);
  if (slices.length === 0) return notReady('waiting for the endpoints controller');
  const waiting = slices
    .flatMap((slice) => objectsAt(slice, 'endpoints'))
    .filter((endpoint) => at(endpoint, 'conditions', 'ready') === false)
    .filter((endpoint) => at(endpoint, 'conditions', 'terminating') !== true)
    .map((endpoint) => textAt(endpoint, 'targetRef', 'name') ?? '');
  if (waiting.length === 0) return isReady;
  return notReady(`${waiting.length} endpoints not ready`, `pods that are not ready: ${waiting.join(', ')}`);
};

export const ingress: ReadinessCheck = ({ object }) =>
  objectsAt(object, 'status', 'loadBalancer', 'ingress').length > 0
    ? isReady
    : notReady(
        'waiting for an address',
        'no ingress controller gave it an address; if none will, annotate it with pulumi.com/skipAwait: "true"',
      );

export const persistentVolumeClaim: ReadinessCheck = async ({ cluster, object, signal }) => {
  const phase = textAt(object, 'status', 'phase') ?? 'Pending';
  if (phase === 'Bound') return isReady;
  const className = textAt(object, 'spec', 'storageClassName');
  const storageClass =
    className === undefined
      ? undefined
      : await cluster.get({ kind: storageClassKind, namespace: undefined, name: className }, signal);
  // Such a claim is bound only when a pod uses it, and the pod's resource may wait for the claim's.
  if (textAt(storageClass, 'volumeBindingMode') === 'WaitForFirstConsumer') return isReady;
  return notReady(`phase ${phase}`, `the claim is ${phase}, not Bound`);
};

export const persistentVolume: ReadinessCheck = ({ object }) => {
  const phase = textAt(object, 'status', 'phase') ?? 'Pending';
  return ['Available', 'Bound'].includes(phase) ? isReady : notReady(`phase ${phase}`);
};

export const namespace: ReadinessCheck = ({ object }) => {
  const phase = textAt(object, 'status', 'phase') ?? '';
  return phase === 'Active' ? isReady : notReady(`phase ${phase}`);
};
