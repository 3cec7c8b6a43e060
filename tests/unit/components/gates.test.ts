import type { KubernetesObject, V1MutatingWebhookConfiguration } from '@kubernetes/client-node' with {
  'resolution-mode': 'import',
};
import { certManagerAnswers } from '../../../components/platform/certManagerQuestion';
import { installedPatterns } from '../../../components/platform/installedPatterns';
import { operatorSignedIn, webhooksAnswer } from '../../../components/platform/operatorQuestions';
import { answers, asking, clusterOf, customResourceWith } from './support/cluster';

// What these do not prove: that cert-manager and the operator answer so.

afterEach(() => {
  jest.restoreAllMocks();
});

const webhook = 'failed calling webhook: tls: failed to verify certificate';

describe('cert-manager', () => {
  it('is ready when an Issuer passes its webhook, as a dry run', async () => {
    const asked: KubernetesObject[] = [];
    const dryRun = (object: KubernetesObject) => {
      asked.push(object);
      return Promise.resolve(undefined);
    };

    expect(await asking(certManagerAnswers, clusterOf({ dryRun }))).toMatchObject({
      answer: true,
      slept: [],
    });
    expect(asked).toMatchObject([
      { apiVersion: 'cert-manager.io/v1', kind: 'Issuer', spec: { selfSigned: {} } },
    ]);
  });

  it('is waited for while it is not served, its webhook refuses, or its cluster does not answer', async () => {
    const dryRun = answers<string | undefined>('not served', webhook, new Error('ECONNREFUSED'), undefined);
    const { answer, reported } = await asking(certManagerAnswers, clusterOf({ dryRun }));

    expect(answer).toBe(true);
    expect(reported).toEqual(['not served', webhook, 'ClusterUnreachable: ECONNREFUSED']);
  });

  it('that does not answer for twelve minutes fails the update, with the answers and a hint', async () => {
    const dryRun = answers<string | undefined>(webhook);
    const { error, seconds } = await asking(certManagerAnswers, clusterOf({ dryRun }));

    expect(seconds).toBe(720);
    expect(error).toBe(
      `cert-manager does not answer: ${webhook} (for 12 minutes). Needed: a dry run of an Issuer of cert-manager.io/v1 that succeeds. See \`kubectl get pods,events --namespace cert-manager\`, then run the update again. If others install cert-manager (\`certManager.install: false\`), it must be on the cluster first.`,
    );
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
  ])('%p with %p are each there once', (patterns, further, expected) => {
    expect(installedPatterns(patterns, further).join(';')).toBe(expected);
  });
});

describe('the webhooks of the operator', () => {
  const configuration = (
    name: string,
    namespace: string,
    caBundle?: string,
  ): V1MutatingWebhookConfiguration => {
    const common = { name: 'x', admissionReviewVersions: [], sideEffects: 'None' };
    const service = { name: 'x', namespace };
    return {
      metadata: { name },
      webhooks: [
        { ...common, clientConfig: { caBundle: 'of the test', service } },
        { ...common, clientConfig: { ...(caBundle !== undefined && { caBundle }), service } },
      ],
    };
  };
  const ours = 'azureserviceoperator-system';
  const trusted = [configuration('one', ours, 'pem'), configuration('of others', 'elsewhere')];

  it('answer when each is trusted and a dry run passes', async () => {
    const asked: (string | undefined)[] = [];
    const cluster = clusterOf({
      list: ({ kind }) => {
        asked.push(kind);
        return Promise.resolve(trusted);
      },
      dryRun: ({ kind }) => {
        asked.push(kind);
        return Promise.resolve(undefined);
      },
    });

    expect(await asking(webhooksAnswer, cluster)).toMatchObject({ answer: true, reported: [] });
    expect(asked).toEqual([
      'MutatingWebhookConfiguration',
      'ValidatingWebhookConfiguration',
      'CustomResourceDefinition',
      'UserAssignedIdentity',
    ]);
  });

  it('are waited for until each definition trusts the one that converts its versions', async () => {
    const definition = (clientConfig: object) => ({
      metadata: { name: 'storageaccounts.storage.azure.com' },
      spec: { conversion: { strategy: 'Webhook', webhook: { clientConfig } } },
    });
    const service = { name: 'x', namespace: ours };
    const list = answers<readonly KubernetesObject[]>(
      trusted,
      trusted,
      [definition({ service })],
      [definition({ service, caBundle: 'pem' })],
    );
    const dryRun = answers<string | undefined>(undefined);
    const { answer, reported } = await asking(webhooksAnswer, clusterOf({ list, dryRun }));

    expect(reported).toEqual(['without a certificate authority: storageaccounts.storage.azure.com']);
    expect(answer).toBe(true);
  });

  it('are waited for, and fail the update after twelve minutes', async () => {
    const untrusted = [...trusted, configuration('two', ours), configuration('three', ours, '')];
    const list = answers<readonly KubernetesObject[]>(untrusted, trusted, trusted);
    const dryRun = answers<string | undefined>(webhook);
    const { reported, error, seconds } = await asking(webhooksAnswer, clusterOf({ list, dryRun }));

    expect(reported).toEqual(['without a certificate authority: two, three', webhook]);
    expect(seconds).toBe(720);
    expect(error).toMatch(
      /^the operator's webhooks do not answer: .*certificate \(for 12 minutes\)\. Needed: a dry run of a UserAssignedIdentity/,
    );
  });
});

describe('the operator', () => {
  const noToken = customResourceWith({
    severity: 'Warning',
    reason: 'Failed',
    message: 'getting resource: WorkloadIdentityCredential authentication failed.\n---\nAADSTS70021',
  });
  const signIn = (...all: (KubernetesObject | undefined)[]) =>
    asking(operatorSignedIn('client'), clusterOf({ get: answers<KubernetesObject | undefined>(...all) }));

  it.each([
    ['read its identity', { status: 'True', reason: 'Succeeded' } as const],
    [
      'was refused by Azure: that needs a token',
      {
        severity: 'Warning',
        reason: 'Failed',
        message: 'getting resource: RESPONSE 403: 403 Forbidden\nERROR CODE: AuthorizationFailed',
      } as const,
    ],
    ['did not find it', { severity: 'Warning', reason: 'AzureResourceNotFound', message: 'none' } as const],
  ])('has signed in when it %s', async (_, condition) => {
    expect(await signIn(customResourceWith(condition))).toMatchObject({ answer: true, slept: [] });
  });

  it('is waited for until it got a token', async () => {
    const { answer, reported } = await signIn(
      undefined,
      customResourceWith(),
      customResourceWith({ severity: 'Info', reason: 'Reconciling', message: 'at it' }),
      noToken,
      customResourceWith({ status: 'True' }),
    );

    expect(answer).toBe(true);
    expect(reported).toHaveLength(4);
    expect(reported.at(-1)).toMatch(/^Failed: .*AADSTS70021/);
  });

  it('that gets no token for twenty minutes fails the update, with its message and what is needed', async () => {
    const { error, seconds } = await signIn(noToken);

    expect(seconds).toBe(1200);
    expect(error).toMatch(
      /^the operator has not signed in to Azure: Failed: .*AADSTS70021 \(for 20 minutes\)\. Needed: a federated credential of the identity client that trusts system:serviceaccount:azureserviceoperator-system:azureserviceoperator-default/,
    );
  });

  it('that does not try again fails the update at once', async () => {
    const fatal = { severity: 'Error', reason: 'SubscriptionMismatch', message: 'other' } as const;
    const { error, seconds } = await signIn(customResourceWith(fatal));

    expect(error).toContain('the operator has not signed in to Azure: SubscriptionMismatch: other. Needed:');
    expect(seconds).toBe(0);
  });
});
