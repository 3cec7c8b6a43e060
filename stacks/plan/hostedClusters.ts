import type { HostedClusterComponent } from '../../components/hypershift/components';
import {
  credentialsSecretName,
  hostedClusterComponents,
  managedIdentityNames,
} from '../../components/hypershift/components';
import type { Versions } from '../settings/releases/apply';
import { releaseDigest } from '../settings/releases/digest';
import type { Path } from '../settings/problem';
import type { ClusterSettings, HostedClusterSettings, StackSettings } from '../settings/schema';
import type { CertificatesPlan } from './certificates';
import { planCertificates } from './certificates';
import type { ClusterPart } from './parts';

/** A component of a hosted cluster's control plane that gets an identity. */
export interface HostedComponentPlan {
  readonly component: HostedClusterComponent;
  /** GUID of its role, if it is not the built-in one of the component. */
  readonly role?: string;
  /** Name of the secret in the central vault with its credentials, if it signs in with a certificate. */
  readonly secret?: string;
}

/** The certificates of a control plane, and how its pods get them. */
export type HostedCertificatesPlan = CertificatesPlan & Pick<ByCertificate, 'objectEncoding' | 'reader'>;

type ByCertificate = Extract<HostedClusterSettings, { authentication: 'ManagedIdentities' }>;

/** A hosted cluster on its management cluster. */
export interface HostedClusterPlan extends ClusterPart {
  readonly settings: HostedClusterSettings;
  /** Version of its release, if it has a release file. */
  readonly version: string | undefined;
  /** Digest of its `spec`. */
  readonly digest: string;
  /** Prefix of the names of its identities, in Azure and in Entra. */
  readonly identityPrefix: string;
  readonly components: readonly HostedComponentPlan[];
  /** The certificates of its control plane, if it signs in with them. */
  readonly certificates?: HostedCertificatesPlan;
  /** True if the stack creates its SecretProviderClasses, instead of HyperShift's operators. */
  readonly createsClasses: boolean;
  /** Namespace of its control plane, as HyperShift names it. */
  readonly controlPlaneNamespace: string;
}

/** Returns the hosted clusters whose control planes run on the cluster. */
export function planHostedClusters(
  environment: string,
  settings: StackSettings,
  cluster: ClusterSettings,
  versions: Versions,
  now: Date,
): HostedClusterPlan[] {
  return settings.hostedClusters
    .map((hosted, index) => ({ hosted, path: ['hostedClusters', index] }))
    .filter(({ hosted }) => hosted.managementCluster === cluster.name)
    .map(({ hosted, path }) => {
      const identityPrefix = `id-${environment}-${hosted.name}`;
      const components = hostedComponents(hosted);
      const certificates = hostedCertificates(hosted, now);
      return {
        ...namespacesOf(hosted, path),
        path,
        settings: hosted,
        version: versions.get(`hostedClusters/${hosted.name}`),
        digest: releaseDigest(hosted),
        identityPrefix,
        managedIdentities: managedIdentityNames(identityPrefix, components, certificates),
        components,
        secrets: components.flatMap(({ secret = [] }) => secret),
        mountsSecrets: certificates !== undefined,
        ...(certificates && { certificates }),
        grantee: `hosted_${hosted.name}`,
        retainOnDelete: hosted.retainOnDelete ?? settings.retainOnDelete,
      };
    });
}

function hostedCertificates(hosted: HostedClusterSettings, now: Date): HostedCertificatesPlan | undefined {
  if (hosted.authentication !== 'ManagedIdentities') return undefined;
  const { certificates, objectEncoding, reader } = hosted;
  return { ...planCertificates(certificates, now), objectEncoding, reader };
}

function namespacesOf({ name, namespace, spec, ...hosted }: HostedClusterSettings, path: Path) {
  const controlPlaneNamespace = `${namespace.name}-${name}`;
  const createsClasses =
    hosted.authentication === 'ManagedIdentities' && hosted.secretProviderClasses === 'stack';
  return {
    createsClasses,
    controlPlaneNamespace,
    namespaces: [
      ...(spec === undefined ? [] : [{ ...namespace, path: [...path, 'namespace'] }]),
      // If HyperShift's operators run, they create it.
      ...(createsClasses
        ? [
            {
              ...{ name: controlPlaneNamespace, existing: namespace.existing },
              path: [...path, 'secretProviderClasses'],
              hint: 'Remove `secretProviderClasses`: HyperShift creates this namespace and the classes in it. Or rename the hosted cluster.',
            },
          ]
        : []),
    ],
  };
}

/** Returns the components that a setting of the same name turns off. */
export function componentsOff(hosted: HostedClusterSettings): HostedClusterComponent[] {
  if (hosted.authentication === 'ManagedIdentities') return hosted.imageRegistry ? [] : ['imageRegistry'];
  return hosted.controlPlaneOperator ? [] : ['controlPlaneOperator'];
}

/** Returns the components of the control plane that get an identity. */
export function hostedComponents(hosted: HostedClusterSettings): HostedComponentPlan[] {
  const all = Object.keys(hostedClusterComponents) as HostedClusterComponent[];
  const left = all.filter(
    (component) =>
      (component !== 'kms' || hosted.kms !== undefined) && !componentsOff(hosted).includes(component),
  );
  if (hosted.authentication === 'WorkloadIdentities')
    return left.map((component) => ({ component, role: hosted.components[component]?.role }));
  return left.map((component) => {
    const { role, secretName = credentialsSecretName(hosted.name, component) } =
      hosted.components[component] ?? {};
    return { component, role, secret: secretName };
  });
}
