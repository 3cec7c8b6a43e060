import type { ManifestObject } from '../../../../components/hypershift/operatorManifests';

/** A Deployment like that of HyperShift's operator. */
export function operatorDeployment({
  name = 'operator',
  namespace = 'hypershift',
  component = 'operator',
  env = { MANAGED_SERVICE: 'ARO-HCP' },
  sidecar = false,
}: {
  readonly name?: string;
  readonly namespace?: string;
  /** What the label of its pods says. */
  readonly component?: string;
  /** Variables of the operator. */
  readonly env?: Readonly<Record<string, string>>;
  /** Another container is there before the operator's. */
  readonly sidecar?: boolean;
} = {}): ManifestObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace },
    spec: {
      replicas: 1,
      template: {
        metadata: { labels: { name, 'hypershift.openshift.io/operator-component': component } },
        spec: {
          containers: [
            ...(sidecar ? [{ name: 'sidecar' }] : []),
            { name: 'operator', env: Object.entries(env).map(([key, value]) => ({ name: key, value })) },
          ],
        },
      },
    },
    status: {},
  };
}
