import type { Kind } from '../client/kinds';
import { customCheck } from './custom';
import type { ReadinessCheck } from './readiness';
import { untilCondition } from './readiness';
import { ingress, namespace, persistentVolume, persistentVolumeClaim, service } from './services';
import { daemonSet, deployment, job, pod, statefulSet } from './workloads';

const byKind: Record<string, ReadinessCheck> = {
  '/Namespace': namespace,
  '/PersistentVolume': persistentVolume,
  '/PersistentVolumeClaim': persistentVolumeClaim,
  '/Pod': pod,
  '/Service': service,
  'apiextensions.k8s.io/CustomResourceDefinition': untilCondition('Established'),
  'apiregistration.k8s.io/APIService': untilCondition('Available'),
  'apps/DaemonSet': daemonSet,
  'apps/Deployment': deployment,
  'apps/StatefulSet': statefulSet,
  'batch/Job': job,
  'networking.k8s.io/Ingress': ingress,
};

/** Returns the readiness check for a kind; undefined if its objects are ready as soon as they exist. */
export function readinessCheck(kind: Kind, waitFor: string | undefined): ReadinessCheck | undefined {
  return waitFor === undefined ? byKind[`${kind.group}/${kind.kind}`] : customCheck(waitFor);
}

export { awaitReady, NotReady } from './wait';
export type { ReadinessCheck } from './readiness';
