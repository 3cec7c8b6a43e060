import type { ListInAzure } from '../../../stacks/preflight/azureList';
import type { ManagedClusters } from '../../../stacks/preflight/managedClusters';
import type { PreflightOptions } from '../../../stacks/preflight/preflight';
import { trustProblems } from '../../../stacks/preflight/trust';
import type { Subscriptions } from '../../../stacks/subscriptions';
import type { Recording } from '../components/support/recorder';
import { clusterId, identityId, otherSubscription } from './ids';
import { notFound, preflighted } from './preflighted';
import type { Input } from './settings';
import { application, configurationOf, input } from './settings';

// What mocks do not prove: that the resource manager lists the credentials, and that `aks-wi import` takes them in; the
// end-to-end test of what exists already does.

const issuer = 'https://issuer.example/edge/';
const edge = { name: 'edge', mode: 'external', issuer, identity: { existing: identityId('id-edge') } };
const existing = { name: 'aks-1', mode: 'existing', id: clusterId('aks-there') };
const orders = 'system:serviceaccount:orders:orders';
const path = 'aks-workload-identity:clusters[0].identity.existing';

interface FoundCredential {
  readonly name: string;
  readonly issuer: string;
  readonly subject: string;
}

/** The preflight, with the credentials that each identity has, by its name. */
async function check(
  changes: Input,
  there: Readonly<Record<string, readonly FoundCredential[] | undefined>>,
  { answers = {}, ...options }: PreflightOptions & { answers?: Readonly<Record<string, unknown>> } = {},
): Promise<{ problems: string[]; asked: string[]; recording: Recording<unknown> }> {
  const asked: string[] = [];
  const list: ListInAzure = ({ path }) => {
    const [, id] = /^(.*)\/federatedIdentityCredentials$/.exec(path) ?? [];
    if (id === undefined) return Promise.resolve([]);
    asked.push(id);
    const found = there[id.slice(id.lastIndexOf('/') + 1)];
    const unreadable = id.slice(id.lastIndexOf('/') + 1) in there && found === undefined;
    return Promise.resolve(
      unreadable ? undefined : (found ?? []).map(({ name, ...properties }) => ({ name, properties })),
    );
  };
  const settings = input([application('orders')], {
    ...{ clusters: [edge], kubeconfigs: { edge: 'apiVersion: v1' } },
    ...changes,
  });
  return { ...(await preflighted(settings, answers, { list, ...options })), asked };
}

const credential = (name: string, more: Partial<FoundCredential> = {}): FoundCredential => ({
  name,
  issuer: 'https://token.actions.githubusercontent.com',
  subject: `repo:example/${name}`,
  ...more,
});
const others = (count: number) =>
  Array.from({ length: count }, (_, index) => credential(`other-${index + 1}`));

describe('the credentials of existing identities', () => {
  it('are listed for each one to which the stack adds trust, and for no other', async () => {
    const { asked, problems } = await check(
      {
        clusters: [
          { ...edge, operatorIdentity: { existing: identityId('id-operator') } },
          { name: 'aks-2', identity: { existing: identityId('id-idle') } },
        ],
        applications: [
          application('orders', { clusters: ['edge'] }),
          application('billing', {
            clusters: ['edge'],
            identity: { existing: { edge: identityId('id-billing') } },
          }),
        ],
      },
      {},
    );

    expect(problems).toEqual([]);
    expect(asked.sort()).toEqual(['id-billing', 'id-edge', 'id-operator'].map((name) => identityId(name)));
  });

  it('of others do not matter below the limit', async () => {
    expect((await check({}, { 'id-edge': others(19) })).problems).toEqual([]);
  });

  it('are no problem where they cannot be listed', async () => {
    expect((await check({}, { 'id-edge': undefined })).problems).toEqual([]);
  });
});

describe('the credential of identity bindings, which AKS creates', () => {
  const bound = {
    clusters: [{ name: 'aks-1' }, { name: 'aks-2' }],
    ...{ kubeconfigs: {}, applications: [] },
  };
  const withBinding = (more: Input = {}) => ({
    ...bound,
    applications: [
      application('orders', {
        trust: 'identityBinding',
        identity: { existing: identityId('id-shared') },
        ...more,
      }),
    ],
  });

  it('is counted once for an identity on all clusters, and listed once', async () => {
    const { asked, problems } = await check(withBinding(), { 'id-shared': others(19) });
    expect([asked, problems]).toEqual([[identityId('id-shared')], []]);
    expect((await check(withBinding(), { 'id-shared': others(20) })).problems).toEqual([
      expect.stringMatching(
        /^aks-workload-identity:applications\[0\]\.identity\.existing: .* has 20 federated credentials .* would get 1 more.* leave one service account out until the next update\.$/,
      ),
    ]);
  });

  const there = credential('aks-identity-binding', {
    issuer: 'https://ib.oic.prod-aks.azure.com/tenant/client',
  });

  it('counts its credential beside the others on the way back', async () => {
    const { problems } = await check({}, { 'id-edge': [...others(19), there] });
    expect(problems).toEqual([
      expect.stringMatching(/ leave one service account out until the next update\.$/),
    ]);
  });

  it('is not counted again if it exists', async () => {
    expect((await check(withBinding(), { 'id-shared': [...others(19), there] })).problems).toEqual([]);
  });
});

describe('more credentials than an identity can have', () => {
  const free = (name: string) =>
    `Delete unused ones (\`az identity federated-credential delete --identity-name ${name} --resource-group rg-there --subscription ${otherSubscription} --name <name>\`)`;
  const tooMany = (place: string, name: string, hint: string) =>
    `${place}: "${identityId(name)}" has 20 federated credentials (other-1, other-2, other-3 and 17 more) and would get 1 more, but an identity can have at most 20. ${free(name)}, ${hint}`;

  it('reports the count and a hint', async () => {
    expect((await check({}, { 'id-edge': others(20) })).problems).toEqual([
      tooMany(
        path,
        'id-edge',
        'or set `shard: true`, or `identity: application` on some applications: these run as identities that the stack creates.',
      ),
    ]);
  });

  it('is accepted with that hint applied', async () => {
    const there = { 'id-edge': others(20) };

    expect((await check({ shard: true }, there)).problems).toEqual([]);
    expect((await check({ identity: 'application' }, there)).problems).toEqual([]);
  });

  it('is reported for the identities of an application and of the operator', async () => {
    const { problems } = await check(
      {
        clusters: [
          { ...edge, identity: undefined, operatorIdentity: { existing: identityId('id-operator') } },
        ],
        applications: [application('orders', { identity: { existing: { edge: identityId('id-orders') } } })],
      },
      { 'id-operator': others(20), 'id-orders': others(20) },
    );

    expect(problems).toEqual([
      tooMany(
        'aks-workload-identity:applications[0].identity.existing.edge',
        'id-orders',
        'or use another existing identity, or split it into two applications that share secrets.',
      ),
      tooMany(
        'aks-workload-identity:clusters[0].operatorIdentity.existing',
        'id-operator',
        'or use another existing identity.',
      ),
    ]);
  });

  it('does not count the stack’s own credentials twice', async () => {
    const there = { 'id-edge': [...others(19), credential('orders_orders', { issuer, subject: orders })] };

    expect((await check({}, there)).problems).toEqual([]);
  });

  it('counts credentials that go away: the engine creates before it deletes', async () => {
    const gone = credential('billing_billing', { issuer, subject: 'system:serviceaccount:billing:billing' });
    const { problems } = await check({}, { 'id-edge': [...others(19), gone] });

    expect(problems).toEqual([expect.stringContaining('has 20 federated credentials')]);
  });
});

describe('an existing credential', () => {
  const byHand = credential('made-by-hand', { issuer, subject: orders });
  const takeIn = 'Import it with `npx aks-wi import --stack test`, and run the command again.';
  const repeated = (cluster: string) =>
    `already trusts ${orders} of ${cluster} through the federated credential made-by-hand, and Azure allows only one for the same issuer and subject. ${takeIn}`;

  it('for the same issuer and subject is refused, with how to import it', async () => {
    expect((await check({}, { 'id-edge': [byHand] })).problems).toEqual([
      `${path}: "${identityId('id-edge')}" ${repeated('edge')}`,
    ]);
  });

  it('is imported into the stack of the cell that is deployed', async () => {
    const settings = input([application('orders')], {
      clusters: [edge],
      kubeconfigs: { edge: 'apiVersion: v1' },
    });
    const cell = { name: 'rest', stack: 'test-rest', wave: 1, clusters: ['edge'] };
    const clusters = { issuer: () => Promise.resolve(issuer) } as unknown as ManagedClusters;
    const list = () => Promise.resolve([{ name: byHand.name, properties: byHand }]);
    const subscriptions = { provider: () => undefined } as unknown as Subscriptions;
    const [found] = await trustProblems(
      { ...configurationOf(settings), cell },
      subscriptions,
      clusters,
      list,
      false,
    );
    expect(found?.hint).toContain('`npx aks-wi import --stack test-rest`');
  });

  it('under the same name is left to the engine, which knows whether it is the stack’s own', async () => {
    expect((await check({}, { 'id-edge': [credential('Orders_orders')] })).problems).toEqual([]);
  });

  it('that was imported is the stack’s own', async () => {
    const imported = { federatedCredentials: { 'edge/orders_orders': 'made-by-hand' } };

    expect((await check({ imported }, { 'id-edge': [byHand] })).problems).toEqual([]);
    // Also while it still trusts somebody else: the update changes it, and makes none.
    const there = { 'id-edge': [...others(19), credential('made-by-hand')] };
    expect((await check({ imported }, there)).problems).toEqual([]);
  });

  it('is no problem for the import, and does not count twice', async () => {
    const there = { 'id-edge': [...others(19), byHand] };

    expect((await check({}, there, { importing: true })).problems).toEqual([]);
    expect((await check({}, { 'id-edge': others(20) }, { importing: true })).problems).toHaveLength(1);
  });

  it.each([
    ['another issuer', credential('made-by-hand', { subject: orders })],
    ['another subject', credential('made-by-hand', { issuer })],
    ['a subject in another case', credential('made-by-hand', { issuer, subject: orders.toUpperCase() })],
  ])('for %s does not conflict', async (_what, found) => {
    expect((await check({}, { 'id-edge': [found] })).problems).toEqual([]);
  });

  it('is compared with the issuer that an existing cluster has', async () => {
    const clusters = [{ ...existing, identity: { existing: identityId('id-edge') } }];
    const ours = { ...byHand, issuer: 'https://issuer.example/aks-there/' };
    const changes = { clusters, kubeconfigs: {} };
    const asks = ({ calls }: Recording<unknown>) =>
      calls.filter(({ token }) => token === 'azure-native:containerservice:getManagedCluster').length;

    const clash = await check(changes, { 'id-edge': [ours] });
    expect(clash.problems).toEqual([`${path}: "${identityId('id-edge')}" ${repeated('aks-1')}`]);
    expect((await check(changes, { 'id-edge': [byHand] })).problems).toEqual([]);
    // Also with what else is asked of the cluster.
    expect(asks(clash.recording)).toBe(1);
  });

  it('is compared with the issuer of the stack’s own cluster, once that exists', async () => {
    const clusters = [{ name: 'edge', identity: { existing: identityId('id-edge') } }];
    const changes = { clusters, kubeconfigs: {} };
    const answers = {
      'azure-native:containerservice:getManagedCluster': { oidcIssuerProfile: { issuerURL: issuer } },
    };
    const missing = { 'azure-native:containerservice:getManagedCluster': notFound };

    expect((await check(changes, { 'id-edge': [byHand] }, { answers })).problems).toHaveLength(1);
    expect((await check(changes, { 'id-edge': [byHand] }, { answers: missing })).problems).toEqual([]);
  });
});
