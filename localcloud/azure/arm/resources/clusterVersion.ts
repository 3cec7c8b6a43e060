import { isOlder } from '../../../isOlder';
import type { ResourceDocument } from '../../store/documents';
import { ArmError } from '../errors';

/** The only Kubernetes version that the toolchain builds; a test compares the two. */
export const KUBERNETES_VERSION = '1.36.3';

/**
 * Versions that a cluster can be upgraded to. Only the resource gets the new version; the control plane stays at
 * `KUBERNETES_VERSION`.
 */
const upgrades = ['1.36.4', '1.37.0'];

const minorOf = (version: string): string => version.split('.').slice(0, 2).join('.');
const numberOf = (version: string): number => Number(version.split('.')[1]);

/** AKS resolves a minor version to its newest patch. */
export const KUBERNETES_MINOR = minorOf(KUBERNETES_VERSION);

/**
 * Returns the cluster's version after a write, which may ask for one; throws if it cannot have that version. Asking for its
 * current minor version does not upgrade it (azure-rest-api-specs `…/aks`, ManagedClusterProperties.kubernetesVersion).
 */
export function currentVersion(
  name: string,
  requested: string | undefined,
  existing: ResourceDocument | undefined,
): string {
  if (existing === undefined) {
    if (requested === undefined || requested === KUBERNETES_VERSION || requested === KUBERNETES_MINOR)
      return KUBERNETES_VERSION;
    throw new ArmError(
      400,
      'K8sVersionNotSupported',
      `Managed cluster '${name}' asks for version '${requested}', which is not supported. The local cloud runs ${KUBERNETES_MINOR} (${KUBERNETES_VERSION}): name one of these, or none.`,
      { target: 'properties.kubernetesVersion' },
    );
  }
  const current = String(existing.properties['currentKubernetesVersion']);
  if (requested === undefined || requested === current || requested === minorOf(current)) return current;
  const available = upgrades.filter(
    (version) => isOlder(current, version) && numberOf(version) <= numberOf(current) + 1,
  );
  const next = available.filter((version) => requested === version || requested === minorOf(version)).at(-1);
  if (next !== undefined) return next;
  // Sources of the texts: rancher/rancher #24071, rancher/dashboard #11884.
  throw new ArmError(
    400,
    'OperationNotAllowed',
    `${isOlder(requested, current) ? 'Downgrading' : 'Upgrading'} Kubernetes version ${current} to ${requested} is not allowed. Available upgrades: [${available.join(' ')}]. Please see https://aka.ms/aks-supported-k8s-ver for version details.`,
    { target: 'properties.kubernetesVersion' },
  );
}
