import type { Question } from '../waiting/wait';

/** Goes through cert-manager's webhook, and as a dry run leaves nothing behind. */
const probe = {
  apiVersion: 'cert-manager.io/v1',
  kind: 'Issuer',
  metadata: { name: 'aks-workload-identity-probe', namespace: 'default' },
  spec: { selfSigned: {} },
};

/**
 * Asks whether cert-manager's API answers. Ready pods say too little: for a while after them, the API server does not
 * trust the webhook's certificate, or does not find the webhook (cert-manager.io/docs/troubleshooting/webhook).
 */
export const certManagerAnswers: Question<true> = {
  problem: 'cert-manager does not answer',
  // Its certificates for its own webhook come within seconds; a slow node pulls images for minutes.
  limitMs: 5 * 60_000,
  remedy: `Needed: a dry run of an Issuer of ${probe.apiVersion} that succeeds. See \`kubectl get pods,events --namespace cert-manager\`, then run the update again; where others install cert-manager (\`certManager.install: false\`), it has to be on the cluster first.`,
  async look(cluster) {
    const missing = await cluster.dryRun(probe);
    return missing === undefined ? { answer: true } : { missing };
  },
};
