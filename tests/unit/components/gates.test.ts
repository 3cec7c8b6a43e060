import type { ClusterObject } from '../../../components/cluster/clusterObjects';
import { ClusterAnswerError } from '../../../components/cluster/clusterObjects';
import { waitUntil } from '../../../components/cluster/waiting';
import { certManagerAnswers } from '../../../components/platform/certManagerGate';
import { installedPatterns } from '../../../components/platform/crdPattern';
import { patternsServed } from '../../../components/platform/operatorPatterns';
import { operatorSignedIn } from '../../../components/platform/operatorSignIn';
import { webhooksAnswer } from '../../../components/platform/operatorWebhooks';
import { VisibleError } from '../../../components/resource/errors';
import { answers, clusterOf, testClock, withReady } from './support/cluster';

// What these do not prove: that cert-manager and the operator answer so.

function waiting() {
  const told: string[] = [];
  const clock = testClock();
  const total = () => clock.slept.reduce((sum, one) => sum + one, 0);
  return { told, clock, total, report: (missing: string) => void told.push(missing) };
}

/** The message of the error that the promise must be rejected with. */
async function refusal(promise: Promise<unknown>): Promise<string> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof VisibleError)) throw new Error(`no visible error, but ${String(error)}`);
  return error.message;
}

describe('waiting', () => {
  it('asks ever more seldom, tells each thing once, and ends when nothing is missing', async () => {
    const wait = waiting();
    const ask = answers<string | undefined>('a', 'a', 'b', 'b', 'a', undefined);

    expect(await waitUntil(ask, { ...wait, limitMs: 60_000 })).toBeUndefined();
    expect(wait.told).toEqual(['a', 'b', 'a']);
    expect(wait.clock.slept.slice(0, 3)).toEqual([250, 375, 562.5]);
  });

  it('ends at the limit with what is missing, after one more look', async () => {
    const wait = waiting();
    let asked = 0;
    const ask = () => {
      asked += 1;
      return Promise.resolve('a');
    };

    expect(await waitUntil(ask, { ...wait, limitMs: 30_000 })).toBe('a');
    expect(wait.total()).toBe(30_000);
    expect(asked).toBe(wait.clock.slept.length + 1);
    expect(Math.max(...wait.clock.slept)).toBe(5_000);
  });

  it('does not sleep where nothing is missing', async () => {
    const wait = waiting();

    expect(await waitUntil(answers(undefined), { ...wait, limitMs: 1 })).toBeUndefined();
    expect(wait.clock.slept).toEqual([]);
    expect(wait.told).toEqual([]);
  });

  it('ends at once with an error', async () => {
    await expect(
      waitUntil(answers<string | undefined>(new Error('no')), { ...waiting(), limitMs: 1 }),
    ).rejects.toThrow('no');
  });
});

describe('cert-manager', () => {
  const made: ClusterObject = { apiVersion: 'cert-manager.io/v1', kind: 'Issuer', metadata: { name: 'x' } };
  const webhook = new ClusterAnswerError(500, 'failed calling webhook "webhook.cert-manager.io"');

  it('is ready when an Issuer passes its webhook, as a dry run', async () => {
    const asked: unknown[] = [];
    const wait = waiting();
    await certManagerAnswers(
      'CertManager c',
      clusterOf({
        create: (object, options) => {
          asked.push([object, options]);
          return Promise.resolve(made);
        },
      }),
      wait,
    );

    expect(asked).toEqual([
      [
        expect.objectContaining({
          apiVersion: 'cert-manager.io/v1',
          kind: 'Issuer',
          spec: { selfSigned: {} },
        }),
        { dryRun: true },
      ],
    ]);
    expect(wait.clock.slept).toEqual([]);
  });

  it.each([
    ['is not served', new ClusterAnswerError(404, 'the cluster has no Issuer of cert-manager.io/v1')],
    ['is refused by its webhook', webhook],
    ['is on a cluster that does not answer', new Error('connect ECONNREFUSED')],
  ])('is waited for while it %s', async (_, error) => {
    const wait = waiting();
    await certManagerAnswers('c', clusterOf({ create: answers<ClusterObject>(error, error, made) }), wait);

    expect(wait.told).toEqual([`cert-manager does not answer yet: ${error.message}`]);
    expect(wait.clock.slept).toHaveLength(2);
  });

  it('that does not answer for five minutes fails the update, with what was answered and what to do', async () => {
    const wait = waiting();
    const message = await refusal(
      certManagerAnswers('CertManager c', clusterOf({ create: answers<ClusterObject>(webhook) }), wait),
    );

    expect(wait.total()).toBe(300_000);
    expect(message).toBe(
      'CertManager c: cert-manager does not answer: failed calling webhook "webhook.cert-manager.io" (for 5 minutes). Needed: a dry run of an Issuer of cert-manager.io/v1 that succeeds. See `kubectl get pods,events --namespace cert-manager`, then run the update again; where others install cert-manager (`certManager.install: false`), it has to be on the cluster first.',
    );
  });

  it.each([401, 403])('is not waited for by who may not ask it (%p)', async (status) => {
    const wait = waiting();
    const create = answers<ClusterObject>(new ClusterAnswerError(status, 'issuers is forbidden'));

    expect(await refusal(certManagerAnswers('CertManager c', clusterOf({ create }), wait))).toMatch(
      /^CertManager c: the cluster does not let .*issuers is forbidden\. Needed: a kubeconfig of an administrator\./,
    );
    expect(wait.clock.slept).toEqual([]);
  });
});

describe('the patterns of the operator', () => {
  it.each([
    [undefined, [], 'resources.azure.com/*;managedidentity.azure.com/*'],
    [
      'cache.azure.com/*;resources.azure.com/*',
      ['storage.azure.com/*', 'cache.azure.com/*'],
      'resources.azure.com/*;managedidentity.azure.com/*;cache.azure.com/*;storage.azure.com/*',
    ],
  ])('%p with %p are each there once', (given, further, expected) => {
    expect(installedPatterns(given, further).join(';')).toBe(expected);
  });

  const kinds: Readonly<Record<string, readonly string[]>> = {
    'resources.azure.com': ['ResourceGroup'],
    'dbforpostgresql.azure.com': ['FlexibleServer', 'FlexibleServersDatabase'],
    'resourcesXazure.com': ['Other'],
  };
  const cluster = clusterOf({
    groups: () => Promise.resolve(Object.keys(kinds)),
    kinds: (group) => Promise.resolve(kinds[group] ?? []),
  });

  it.each([
    'resources.azure.com/*',
    '*.azure.com/ResourceGroup',
    'dbforpostgresql.azure.com/flexibleservers?atabase',
    'DBFORPOSTGRESQL.azure.com/FlexibleServer',
  ])('%p is served', async (pattern) => {
    const wait = waiting();
    await patternsServed('ServiceOperator o', cluster, [pattern], wait);

    expect(wait.told).toEqual([]);
  });

  it.each(['cache.azure.com/*', 'resources.azure.com/Group', 'resources.azure.co?x/*', 'azure.com/*'])(
    '%p that is not served is told, and fails after five minutes',
    async (pattern) => {
      const wait = waiting();
      const message = await refusal(
        patternsServed('ServiceOperator o', cluster, ['resources.azure.com/*', pattern], wait),
      );

      expect(wait.told).toEqual([`the operator's custom resources are not served yet: ${pattern}`]);
      expect(wait.total()).toBe(300_000);
      expect(message).toContain(
        `ServiceOperator o: the operator's custom resources are not served: ${pattern} (for 5 minutes). Allowed in \`crdPattern\`:`,
      );
    },
  );

  it('are waited for while the cluster does not answer', async () => {
    const wait = waiting();
    const groups = answers<readonly string[]>(new Error('socket hang up'), Object.keys(kinds));
    await patternsServed('o', { ...cluster, groups }, ['resources.azure.com/*'], wait);

    expect(wait.told).toEqual(["the operator's custom resources are not served yet: none (socket hang up)"]);
  });
});

describe('the webhooks of the operator', () => {
  const made: ClusterObject = { apiVersion: 'x/v1', kind: 'X', metadata: { name: 'x' } };
  const configuration = (name: string, namespace: string, caBundle?: string): ClusterObject => ({
    ...made,
    metadata: { name },
    webhooks: [
      { clientConfig: { caBundle: 'of the test', service: { namespace } } },
      { clientConfig: { caBundle, service: { namespace } } },
    ],
  });
  const ours = 'azureserviceoperator-system';
  const trusted = [configuration('one', ours, 'pem'), configuration('of others', 'elsewhere')];

  it('answer when each is trusted and a dry run passes', async () => {
    const wait = waiting();
    const asked: unknown[] = [];
    await webhooksAnswer(
      'o',
      clusterOf({
        list: ({ kind }) => {
          asked.push(kind);
          return Promise.resolve(trusted);
        },
        create: ({ kind }, options) => {
          asked.push(kind, options);
          return Promise.resolve(made);
        },
      }),
      wait,
    );

    expect(asked).toEqual([
      'MutatingWebhookConfiguration',
      'ValidatingWebhookConfiguration',
      'UserAssignedIdentity',
      { dryRun: true },
    ]);
    expect(wait.told).toEqual([]);
  });

  it('are waited for, and fail the update after five minutes', async () => {
    const wait = waiting();
    const tls = new ClusterAnswerError(500, 'failed calling webhook: tls: failed to verify certificate');
    const untrusted = [...trusted, configuration('two', ours), configuration('three', ours, '')];
    const list = answers<readonly ClusterObject[]>(new Error('socket hang up'), [], untrusted, trusted);
    const message = await refusal(
      webhooksAnswer('ServiceOperator o', clusterOf({ list, create: answers<ClusterObject>(tls) }), wait),
    );

    expect(wait.told).toEqual([
      "the operator's webhooks do not answer yet: socket hang up",
      "the operator's webhooks do not answer yet: without an authority: two, three",
      `the operator's webhooks do not answer yet: ${tls.message}`,
    ]);
    expect(wait.total()).toBe(300_000);
    expect(message).toMatch(
      /^ServiceOperator o: the operator's webhooks do not answer: .*certificate \(for 5 minutes\)\. Needed: a dry run of a UserAssignedIdentity/,
    );
  });
});

describe('the operator', () => {
  const reference = {
    apiVersion: 'managedidentity.azure.com/v1api20230131',
    kind: 'UserAssignedIdentity',
    namespace: 'azureserviceoperator-system',
    name: 'aks-workload-identity-operator',
  };
  const asked = { reference, clientId: 'client' };
  const noToken = withReady({
    status: 'False',
    severity: 'Warning',
    reason: 'Failed',
    message: 'getting resource: WorkloadIdentityCredential authentication failed.\n---\nAADSTS70021',
  });
  const signIn = (get: () => Promise<ClusterObject | undefined>, wait = waiting()) =>
    operatorSignedIn('ServiceOperator o', clusterOf({ get }), asked, wait);

  it.each([
    ['read its identity', withReady({ status: 'True', reason: 'Succeeded' })],
    [
      'was refused by Azure: that needs a token',
      withReady({
        status: 'False',
        severity: 'Warning',
        reason: 'Failed',
        message: 'getting resource: RESPONSE 403: 403 Forbidden\nERROR CODE: AuthorizationFailed',
      }),
    ],
    [
      'did not find it',
      withReady({ status: 'False', severity: 'Warning', reason: 'AzureResourceNotFound', message: 'none' }),
    ],
  ])('has signed in when it %s', async (_, object) => {
    const wait = waiting();
    await signIn(answers<ClusterObject | undefined>(object), wait);

    expect(wait.clock.slept).toEqual([]);
  });

  it('is waited for until it got a token', async () => {
    const wait = waiting();
    const { metadata } = withReady(undefined);
    const older = { ...withReady({ status: 'True' }), metadata: { ...metadata, generation: 3 } };
    await signIn(
      answers<ClusterObject | undefined>(
        new Error('socket hang up'),
        undefined,
        withReady(undefined),
        older,
        withReady({ status: 'False', severity: 'Info', reason: 'Reconciling', message: 'at it' }),
        noToken,
        withReady({ status: 'True' }),
      ),
      wait,
    );

    expect(wait.clock.slept).toHaveLength(6);
    expect(wait.told.at(0)).toBe('the operator has not signed in to Azure yet: socket hang up');
    expect(wait.told.at(-1)).toMatch(/^the operator has not signed in to Azure yet: Failed: .*AADSTS70021/);
  });

  it('that gets no token for ten minutes fails the update, with what it says and what is needed', async () => {
    const wait = waiting();
    const message = await refusal(signIn(answers<ClusterObject | undefined>(noToken), wait));

    expect(wait.total()).toBe(600_000);
    expect(message).toMatch(
      /^ServiceOperator o: the operator has not signed in to Azure: Failed: .*AADSTS70021 \(for 10 minutes\)\. Needed: a federated credential of the identity client that trusts system:serviceaccount:azureserviceoperator-system:azureserviceoperator-default/,
    );
  });

  it('that does not try again fails the update at once', async () => {
    const wait = waiting();
    const fatal = withReady({
      status: 'False',
      severity: 'Error',
      reason: 'SubscriptionMismatch',
      message: 'other',
    });

    expect(await refusal(signIn(answers<ClusterObject | undefined>(fatal), wait))).toContain(
      'ServiceOperator o: the operator cannot read its own identity: SubscriptionMismatch: other. Needed:',
    );
    expect(wait.clock.slept).toEqual([]);
  });
});
