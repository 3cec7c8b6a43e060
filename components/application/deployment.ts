import type { types } from '@pulumi/kubernetes';
import type * as pulumi from '@pulumi/pulumi';
import type { PodAdditions } from './secretProviderClass';

/** One image that serves `/healthz` (alive) and `/readyz` (has what it needs) over HTTP. */
export interface WorkloadImage {
  /** Image reference with a tag or a digest. */
  readonly reference: pulumi.Input<string>;
  /** Number of pods. Default: 2. */
  readonly replicas?: number;
  /** Port that the image serves. Default: 8080. */
  readonly port?: number;
  /** Further environment variables. Default: only KEY_VAULT_URI and SECRET_NAMES, and what the webhook injects. */
  readonly env?: Record<string, pulumi.Input<string>>;
}

/**
 * What the workload identity webhook selects pods by: a label of the *pod*. Without it nothing is injected and
 * nothing complains (Azure/azure-workload-identity PR #691).
 */
export const useLabel = { 'azure.workload.identity/use': 'true' } as const;

interface DeploymentParts {
  readonly application: string;
  readonly image: WorkloadImage;
  readonly serviceAccount: pulumi.Input<string>;
  /** Client id of the identity. */
  readonly clientId: pulumi.Input<string>;
  readonly environment: Readonly<Record<string, pulumi.Input<string>>>;
  /** Further annotations of the pods. */
  readonly annotations?: Readonly<Record<string, string>>;
  /** Secrets and tokens that are mounted. */
  readonly additions: readonly PodAdditions[];
}

/** The specification of the Deployment; its pods pass the `restricted` pod security standard. */
export function deploymentSpec(parts: DeploymentParts): types.input.apps.v1.DeploymentSpec {
  const { application, image, serviceAccount, clientId, additions } = parts;
  const volumes = additions.flatMap((one) => one.volumes);
  const selector = { 'app.kubernetes.io/name': application };
  return {
    replicas: image.replicas ?? 2,
    selector: { matchLabels: selector },
    template: {
      metadata: {
        labels: { ...selector, ...useLabel },
        // The webhook injects the id when a pod is made: without a new template, pods that run would keep the
        // identity that the service account had before.
        annotations: { 'aks-workload-identity/client-id': clientId, ...parts.annotations },
      },
      spec: {
        serviceAccountName: serviceAccount,
        // The token for Entra is a volume of its own, from the webhook; the API server's is not needed.
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
        containers: [container(parts)],
        ...(volumes.length > 0 && { volumes }),
      },
    },
  };
}

function container(parts: DeploymentParts): types.input.core.v1.Container {
  const { application, image, additions } = parts;
  const volumeMounts = additions.flatMap((one) => one.volumeMounts);
  return {
    name: application,
    image: image.reference,
    ports: [{ name: 'http', containerPort: image.port ?? 8080 }],
    env: variables(parts),
    livenessProbe: { httpGet: { path: '/healthz', port: 'http' }, periodSeconds: 10 },
    readinessProbe: { httpGet: { path: '/readyz', port: 'http' }, periodSeconds: 5 },
    resources: { requests: { cpu: '50m', memory: '64Mi' }, limits: { memory: '256Mi' } },
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    },
    ...(volumeMounts.length > 0 && { volumeMounts }),
  };
}

/** Sorted: the order in which a file lists them must not make a difference. */
function variables({ environment, additions }: DeploymentParts): types.input.core.v1.EnvVar[] {
  const plain = Object.entries(environment).map(([name, value]) => ({ name, value }));
  return [...plain, ...additions.flatMap(({ env }) => env)].sort((a, b) => (a.name < b.name ? -1 : 1));
}
