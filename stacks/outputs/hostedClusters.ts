import * as pulumi from '@pulumi/pulumi';
import type { HostedClusterComponent } from '../../components/hypershift/components';
import { hostedClusterAudience, hostedClusterComponents } from '../../components/hypershift/components';
import type { DeployedCluster } from '../deploy/cluster';

/**
 * Returns one entry for each hosted cluster whose control plane runs on the cluster.
 * @param vault name of the central vault
 */
export function hostedClusterOutputs(
  { hostedClusters, plan: { settings: cluster, hyperShift } }: DeployedCluster,
  vault: string,
) {
  return hostedClusters.all.map(({ plan, identities, reader, place }) => {
    const { settings, version, digest, certificates, components, controlPlaneNamespace } = plan;
    const mountOf = (wanted: HostedClusterComponent) => {
      const secret = components.find(({ component }) => component === wanted)?.secret;
      const { secretProviderClass } = hostedClusterComponents[wanted];
      return secret === undefined ? {} : { secret, secretProviderClass };
    };
    return {
      name: settings.name,
      ...(version !== undefined && { version, digest }),
      managementCluster: cluster.name,
      namespace: settings.namespace.name,
      controlPlaneNamespace,
      authentication: settings.authentication,
      makesHostedCluster: settings.spec !== undefined,
      ...(hyperShift && { installsHyperShift: true }),
      ...(reader && {
        reader: { clientId: reader.clientId, principalId: reader.principalId },
        vault,
      }),
      ...(settings.authentication === 'ManagedIdentities' && {
        objectEncoding: settings.objectEncoding,
        secretProviderClasses: settings.secretProviderClasses,
      }),
      ...(certificates && { renewAfter: certificates.renewAfter }),
      components: identities.controlPlane.apply((all) =>
        all.map(({ id: _, subjects: __, ...component }) => ({
          ...component,
          ...mountOf(component.component),
        })),
      ),
      nodes: identities.nodes.apply((all) => all.map(({ id: _, subjects: __, ...node }) => node)),
      patch: identities.spec.apply((fields) => ({ spec: fields })),
      place,
    };
  });
}

/** Returns the managed identities of hosted clusters, and what each is to trust. */
export function hostedTrustOutputs({ hostedClusters, plan: { settings: cluster } }: DeployedCluster) {
  return hostedClusters.all.map(({ plan: { settings }, identities }) =>
    pulumi.all([identities.controlPlane, identities.nodes]).apply(([controlPlane, nodes]) =>
      [...controlPlane, ...nodes].flatMap(({ name, id, subjects = [] }) =>
        id === undefined
          ? []
          : [
              {
                cluster: cluster.name,
                name,
                id,
                trusts: subjects.map((subject) => ({
                  issuer: settings.issuer,
                  subject,
                  audience: hostedClusterAudience,
                })),
              },
            ],
      ),
    ),
  );
}
