import type { ClusterObjects } from '../cluster/clusterObjects';
import { ClusterAnswerError } from '../cluster/clusterObjects';
import type { Patience } from '../cluster/waiting';
import { waitUntil } from '../cluster/waiting';
import { messageOf, VisibleError } from '../resource/errors';

/** cert-manager's certificates for its own webhook are there within seconds; a slow node pulls images for minutes. */
const limitMs = 5 * 60_000;

/** Passes through cert-manager's webhook, and as a dry run leaves nothing behind. */
const probe = {
  apiVersion: 'cert-manager.io/v1',
  kind: 'Issuer',
  metadata: { name: 'aks-workload-identity-probe', namespace: 'default' },
  spec: { selfSigned: {} },
};

/**
 * Waits until cert-manager's API really answers. Ready pods say too little: for a while after them, the API server
 * does not trust the webhook's certificate, or does not find the webhook (cert-manager.io/docs/troubleshooting/webhook).
 * @param component who waits, for the message
 */
export async function certManagerAnswers(
  component: string,
  objects: Pick<ClusterObjects, 'create'>,
  patience: Omit<Patience, 'limitMs'>,
): Promise<void> {
  const missing = await waitUntil(
    async () => {
      try {
        await objects.create(probe, { dryRun: true });
        return undefined;
      } catch (error) {
        if (error instanceof ClusterAnswerError && [401, 403].includes(error.status))
          throw refused(component, error);
        return `cert-manager does not answer yet: ${messageOf(error)}`;
      }
    },
    { ...patience, limitMs },
  );
  if (missing === undefined) return;
  throw new VisibleError(
    `${component}: ${missing.replace(' yet', '')} (for ${limitMs / 60_000} minutes). Needed: a dry run of an Issuer of ${probe.apiVersion} that succeeds. See \`kubectl get pods,events --namespace cert-manager\`, then run the update again; where others install cert-manager (\`certManager.install: false\`), it has to be on the cluster first.`,
  );
}

function refused(component: string, error: ClusterAnswerError): VisibleError {
  return new VisibleError(
    `${component}: the cluster does not let the kubeconfig's user make an Issuer of ${probe.apiVersion} in the namespace ${probe.metadata.namespace}, not even as a dry run: ${error.message}. Needed: a kubeconfig of an administrator. Use one, and run the update again.`,
  );
}
