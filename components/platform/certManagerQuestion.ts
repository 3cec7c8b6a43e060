import type { Question } from '../waiting/wait';
import { webhookWithinMs } from './webhookDelay';

/** Object whose creation goes through cert-manager's webhook. A dry run stores nothing. */
const probeIssuer = {
  apiVersion: 'cert-manager.io/v1',
  kind: 'Issuer',
  metadata: { name: 'aks-workload-identity-probe', namespace: 'default' },
  spec: { selfSigned: {} },
};

/**
 * The question whether cert-manager's API answers. Ready pods are not enough: for a while, the API server may not trust the
 * webhook's certificate yet, or may not reach the webhook (cert-manager.io/docs/troubleshooting/webhook).
 */
export const certManagerAnswers: Question<true> = {
  problem: 'cert-manager does not answer',
  limitMs: webhookWithinMs,
  hint: `Needed: a dry run of an Issuer of ${probeIssuer.apiVersion} that succeeds. See \`kubectl get pods,events --namespace cert-manager\`, then run the update again. If others install cert-manager (\`certManager.install: false\`), it must be on the cluster first.`,
  async look(cluster) {
    const missing = await cluster.dryRun(probeIssuer);
    return missing === undefined ? { answer: true } : { missing };
  },
};
