import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isReady, podWhen } from '../../support/kubernetes/client';
import type { WholeCloud } from '../../support/kubernetes/cloud';
import { managedCluster } from '../../support/kubernetes/cloud';
import { program, programPod } from '../../support/kubernetes/pods';

const namespace = 'certificates';

/** cert-manager with its unmodified chart, which must be installed in the cluster. */
export function certManagerSuite(cloudOf: () => WholeCloud, clusterName: string): void {
  it('passed its own readiness and start-up check, after which issuers work', async () => {
    const whole = cloudOf();
    const { client, id } = await managedCluster(whole, clusterName);
    const library = await import('@kubernetes/client-node');
    const objects = library.KubernetesObjectApi.makeApiClient(client.config);
    await client.core.createNamespace({ body: { metadata: { name: namespace } } });
    await objects.create({
      apiVersion: 'cert-manager.io/v1',
      kind: 'Issuer',
      metadata: { name: 'own', namespace },
      spec: { selfSigned: {} },
    } as Parameters<typeof objects.create>[0]);
    await objects.create({
      apiVersion: 'cert-manager.io/v1',
      kind: 'Certificate',
      metadata: { name: 'site', namespace },
      spec: { secretName: 'site-tls', dnsNames: ['site.test'], issuerRef: { name: 'own' } },
    } as Parameters<typeof objects.create>[0]);
    await client.core.createNamespacedServiceAccount({ namespace, body: { metadata: { name: 'site' } } });
    await client.core.createNamespacedPod({
      namespace,
      body: programPod(
        'site',
        {
          env: [{ name: 'FILE', value: '/tls/tls.crt' }],
          volumeMounts: [{ name: 'tls', mountPath: '/tls' }],
        },
        { serviceAccountName: 'site', volumes: [{ name: 'tls', secret: { secretName: 'site-tls' } }] },
      ),
    });
    await podWhen(client, 'site', isReady, namespace);
    const { env } = await program(whole.test, 'site', namespace).about();
    expect(await program(whole.test, 'site', namespace).file(env['FILE'] ?? '')).toContain(
      'BEGIN CERTIFICATE',
    );
    // The chart's check is a hook that helm deletes when it has succeeded; its log stays.
    const logs = path.join(whole.test.stateDir, id, 'logs/pods');
    const check = readdirSync(logs).find((name) =>
      name.startsWith('cert-manager_cert-manager-startupapicheck-'),
    );
    expect(readFileSync(path.join(logs, check ?? ''), 'utf8')).toContain('The cert-manager API is ready');
    await client.core.deleteNamespace({ name: namespace });
  });
}
