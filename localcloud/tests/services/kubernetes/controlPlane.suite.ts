import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Pkcs10CertificateRequestGenerator } from '@peculiar/x509';
import { createLocalJWKSet, generateKeyPair, jwtVerify } from 'jose';
import { connect, Miss, until } from '../../support/kubernetes/client';
import type { SharedCluster } from '../../support/kubernetes/sharedCluster';

const namespace = 'control-plane';

export function controlPlaneSuite(cluster: SharedCluster): void {
  const { spec } = cluster;
  const pidOf = (name: string) => cluster.status.processes.find((process) => process.name === name)?.pid ?? 0;

  beforeAll(() => cluster.namespace(namespace));
  afterAll(() => cluster.client.core.deleteNamespace({ name: namespace }));

  it('is not changed by a second ensure', async () => {
    const before = cluster.status.processes;
    await cluster.test.runtime.ensure(spec);
    expect(cluster.status.processes).toEqual(before);
    expect(before.map(({ name }) => name).sort()).toEqual([
      'etcd',
      'kube-apiserver',
      'kube-controller-manager',
      'kube-scheduler',
      'kwok',
    ]);
  });

  it('has a ready node, and kubeconfigs whose context is the cluster and whose users may do everything', async () => {
    const { items } = await cluster.client.core.listNode();
    expect(items).toHaveLength(1);
    for (const role of ['admin', 'user'] as const) {
      const { config, authorization } = await connect(cluster.test.runtime, spec, role);
      expect(config.getCurrentContext()).toBe(spec.name);
      const review = await authorization.createSelfSubjectAccessReview({
        body: { spec: { resourceAttributes: { verb: '*', group: '*', resource: '*' } } },
      });
      expect(review.status?.allowed).toBe(true);
    }
  });

  it('refuses clients without a certificate of its authority', async () => {
    const { config } = await connect(cluster.test.runtime, spec);
    config.users = [{ name: 'nobody' }];
    config.contexts = config.contexts.map((context) => ({ ...context, user: 'nobody' }));
    const library = await import('@kubernetes/client-node');
    await expect(config.makeApiClient(library.CoreV1Api).listNode()).rejects.toMatchObject({ code: 401 });
  });

  it('publishes its own issuer documents, which verify the tokens it issues', async () => {
    const discovery = await cluster.test.runtime.issuerDocument(spec.id, 'discovery');
    expect(discovery).toMatchObject({
      issuer: spec.issuer,
      jwks_uri: `${spec.issuer}openid/v1/jwks`,
      id_token_signing_alg_values_supported: ['RS256'],
    });
    const keys = await cluster.test.runtime.issuerDocument(spec.id, 'keys');
    const { status: issued } = await cluster.client.core.createNamespacedServiceAccountToken({
      namespace,
      name: 'default',
      body: { spec: { audiences: ['api://AzureADTokenExchange'], expirationSeconds: 600 } },
    });
    const { payload } = await jwtVerify(
      issued?.token ?? '',
      createLocalJWKSet(keys as Parameters<typeof createLocalJWKSet>[0]),
      { issuer: spec.issuer, audience: 'api://AzureADTokenExchange' },
    );
    expect(payload.sub).toBe('system:serviceaccount:control-plane:default');
  });

  it('signs the client certificate of a user once the request is approved', async () => {
    const { config } = cluster.client;
    const library = await import('@kubernetes/client-node');
    const certificates = config.makeApiClient(library.CertificatesV1Api);
    const keys = await generateKeyPair('ES256');
    const request = await Pkcs10CertificateRequestGenerator.create({
      name: 'CN=ann',
      keys,
      signingAlgorithm: { name: 'ECDSA', hash: 'SHA-256' },
    });
    const name = 'ann';
    const body = await certificates.createCertificateSigningRequest({
      body: {
        metadata: { name },
        spec: {
          request: Buffer.from(request.toString('pem')).toString('base64'),
          signerName: 'kubernetes.io/kube-apiserver-client',
          usages: ['client auth'],
        },
      },
    });
    body.status = { conditions: [{ type: 'Approved', status: 'True', reason: 'Test' }] };
    await certificates.replaceCertificateSigningRequestApproval({ name, body });
    const certificate = await until('certificate issued', async () => {
      const { status } = await certificates.readCertificateSigningRequest({ name });
      return status?.certificate ?? new Miss(JSON.stringify(status));
    });
    expect(new X509Certificate(Buffer.from(certificate, 'base64')).subject).toBe('CN=ann');
    await certificates.deleteCertificateSigningRequest({ name });
  });

  it('listens on loopback only and keeps its keys private', () => {
    const ports = JSON.parse(
      readFileSync(path.join(cluster.test.stateDir, spec.id, 'ports.json'), 'utf8'),
    ) as Record<string, number>;
    const listening = readFileSync('/proc/net/tcp', 'utf8') + readFileSync('/proc/net/tcp6', 'utf8');
    for (const port of Object.values(ports)) {
      const hex = port.toString(16).toUpperCase().padStart(4, '0');
      const addresses = [...listening.matchAll(new RegExp(` ([0-9A-F]+):${hex} [0-9A-F]+:0000 0A`, 'g'))];
      expect(addresses.map((match) => match[1])).toEqual(['0100007F']);
    }
  });

  it('simulates pods without a process, and completes those of jobs', async () => {
    await cluster.client.apps.createNamespacedDeployment({
      namespace,
      body: {
        metadata: { name: 'simulated' },
        spec: {
          selector: { matchLabels: { app: 'simulated' } },
          template: {
            metadata: { labels: { app: 'simulated' } },
            spec: { containers: [{ name: 'main', image: 'registry.test:5000/unknown@sha256:0000' }] },
          },
        },
      },
    });
    await cluster.client.batch.createNamespacedJob({
      namespace,
      body: {
        metadata: { name: 'simulated' },
        spec: {
          template: { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'unknown:1' }] } },
        },
      },
    });
    await until('deployment available', async () => {
      const seen = await cluster.client.apps.readNamespacedDeployment({ namespace, name: 'simulated' });
      return seen.status?.availableReplicas === 1 ? seen : new Miss(JSON.stringify(seen.status));
    });
    const { items: pods } = await cluster.client.core.listNamespacedPod({
      namespace,
      labelSelector: 'app=simulated',
    });
    expect(pods[0]?.status?.conditions).toContainEqual(
      expect.objectContaining({ type: 'local-cloud/Simulated', status: 'True' }),
    );
    const job = await until('job complete', async () => {
      const seen = await cluster.client.batch.readNamespacedJob({ namespace, name: 'simulated' });
      return seen.status?.succeeded === 1 ? seen : new Miss(JSON.stringify(seen.status));
    });
    expect(job.status?.failed ?? 0).toBe(0);
    await cluster.client.apps.deleteNamespacedDeployment({ namespace, name: 'simulated' });
    await until('pods deleted', async () => {
      const { items } = await cluster.client.core.listNamespacedPod({
        namespace,
        labelSelector: 'app=simulated',
      });
      return items.length === 0 ? true : new Miss(`${items.length} pods`);
    });
  });

  it('recovers when the API server and etcd are killed, without losing anything', async () => {
    await cluster.client.core.createNamespacedConfigMap({
      namespace,
      body: { metadata: { name: 'kept' }, data: { answer: '42' } },
    });
    for (const name of ['kube-apiserver', 'etcd']) {
      const before = pidOf(name);
      process.kill(before, 'SIGKILL');
      await until(`${name} restarted`, () => {
        const pid = pidOf(name);
        return pid !== 0 && pid !== before ? pid : new Miss(`pid ${pid}`);
      });
      const kept = await until('the API answers', () =>
        cluster.client.core.readNamespacedConfigMap({ namespace, name: 'kept' }),
      );
      expect(kept.data).toEqual({ answer: '42' });
    }
    expect(cluster.test.messages.join('\n')).toContain('kube-apiserver ended with SIGKILL; restarting it');
  });
}
