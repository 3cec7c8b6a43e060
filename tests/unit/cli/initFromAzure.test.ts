import path from 'node:path';
import { stackFileText } from '../../../cli/init/fromAzureFile';
import { planFromAzure, type PlannedFile } from '../../../cli/init/fromAzurePlan';
import { nextSteps, renderReport } from '../../../cli/init/fromAzureReport';
import { builtInRoles } from '../../../components/azure/roles';
import { summarizeConfiguration } from '../../../stacks/plan/summary';
import { checkStackFile } from '../../../stacks/stackFile';
import type { FederatedCredential } from '../../../verification/access';
import { reviewed } from '../support/reviewed';
import { refusalOf } from './refusal';
import {
  account,
  cluster,
  grant,
  identity,
  issuerOf,
  kindsOf,
  planOf,
  shop,
  subscription,
  trusts,
  vault,
} from './initFromAzure.fixture';

const shows = reviewed(__filename);

const project = path.resolve('/project');
const fileOf = ({ settings }: PlannedFile) =>
  stackFileText(settings, {
    subscription,
    file: path.join(project, 'Pulumi.prod.yaml'),
    schema: path.join(project, 'schemas', 'stack.schema.json'),
  });

const problemsOf = (planned: PlannedFile) =>
  checkStackFile(
    { environment: 'prod', file: 'Pulumi.prod.yaml', text: fileOf(planned) },
    () => undefined,
  ).problems.map(({ message }) => message);

/** Resources of a subscription that is some years old. */
const grown = {
  clusters: [
    cluster('AKS_1', [
      account('shop', 'orders', 'id-orders'),
      account('shop', 'default', 'id-shop'),
      account('jobs', 'nightly', 'id-shared'),
      account('jobs', 'hourly', 'id-shared'),
      account('web', 'orders', 'id-web'),
      { ...account('old', 'archive', 'id-old'), pods: 0 },
      account('azureserviceoperator-system', 'azureserviceoperator-default', 'id-aso'),
      account('web', 'lost', 'id-elsewhere'),
      account('web', 'hopeful', 'id-web'),
      account('web', 'plain'),
    ]),
    cluster('aks-2', [account('shop', 'orders', 'id-orders-2')]),
    cluster('aks-left-out'),
    { ...cluster('aks-off'), issuer: undefined, disabled: ['the OIDC issuer', 'workload identity'] },
  ],
  identities: [
    identity('id-orders', trusts('AKS_1/shop/orders')),
    identity('id-orders-2', trusts('aks-2/shop/orders')),
    identity('id-shop', trusts('AKS_1/shop/default'), trusts('AKS_1/shop/gone')),
    identity('id-shared', trusts('AKS_1/jobs/nightly'), trusts('AKS_1/jobs/hourly')),
    identity('id-web', trusts('AKS_1/web/orders'), trusts('aks-left-out/web/orders')),
    identity('id-old', trusts('AKS_1/old/archive')),
    identity('id-aso', trusts('AKS_1/azureserviceoperator-system/azureserviceoperator-default')),
    identity(
      'id-pipeline',
      trusts('aks-1/x/y', {
        name: 'github',
        issuer: 'https://token.actions.githubusercontent.com',
        subject: 'repo:example/shop:environment:prod',
      }),
      trusts('AKS_1/web/plain'),
    ),
  ],
  vaults: [vault('kv-shop', 'orders-db', 'mail', 'jobs-key'), vault('kv-web', 'session-key')],
  assignments: [
    grant('id-orders', 'kv-shop/orders-db'),
    grant('id-orders-2', 'kv-shop/orders-db'),
    grant('id-shop', 'kv-shop/mail'),
    grant('id-shop', 'kv-shop/gone'),
    grant('id-shared', 'kv-shop/jobs-key'),
    grant('id-web', 'kv-web/session-key'),
    grant('id-web', 'kv-shop'),
    grant('id-pipeline', 'kv-shop/mail'),
  ],
};

describe('the stack file of what exists', () => {
  shows('has an application for each service account, and the report the rest', () => {
    const planned = planFromAzure(grown, 'prod');
    return {
      file: fileOf(planned),
      report: renderReport(
        {
          ...{ file: 'Pulumi.prod.yaml', written: true, text: '', findings: planned.findings },
          ...{ problems: [], next: nextSteps({ stack: 'prod' }, {}) },
        },
        planned.settings,
      ),
    };
  });

  it('is valid', () => {
    expect(problemsOf(planFromAzure(grown, 'prod'))).toEqual([]);
    expect(problemsOf(planOf({}))).toEqual([]);
  });

  it('reports a subscription in order', () => {
    const { settings, findings } = planOf({});

    expect(findings).toEqual([]);
    expect(settings.applications).toEqual([
      {
        ...{ name: 'orders', deployedBy: 'others', clusters: ['aks-1'] },
        identity: { existing: { 'aks-1': shop.identities[0]?.id } },
        namespace: { name: 'shop', existing: true },
        serviceAccount: { name: 'orders', existing: true },
        secrets: ['orders-db'],
      },
    ]);
  });

  it('adds to Azure only an identity without trust and access', () => {
    const { configuration } = checkStackFile(
      { environment: 'prod', file: 'Pulumi.prod.yaml', text: fileOf(planOf({})) },
      () => undefined,
    );

    expect(configuration && summarizeConfiguration(configuration).identities).toMatchObject([
      { name: 'id-prod-aks-1', trusts: [], reads: [], roles: [] },
      { name: shop.identities[0]?.id, trusts: ['shop/orders'], reads: ['kv-shop/orders-db'], roles: [] },
    ]);
  });

  it('quotes what other parsers would not read as text', () => {
    const names = ['on', '012', 'y'];
    const planned = planOf({
      vaults: [vault('kv-shop', ...names)],
      assignments: names.map((name) => grant('id-orders', `kv-shop/${name}`)),
    });

    expect(planned.settings.applications).toMatchObject([{ secrets: ['012', 'on', 'y'] }]);
    expect(problemsOf(planned)).toEqual([]);
  });

  it('names a new vault if there is none', () => {
    const { settings, findings } = planOf({ vaults: [], assignments: [] });

    expect(settings['vault']).toEqual({ name: 'kv-prod' });
    expect(kindsOf(findings)).toEqual([['noVault', 'The subscription']]);
    expect(problemsOf(planOf({ vaults: [], assignments: [] }))).toEqual([]);
  });

  it('says that it chose one of several vaults that no application reads', () => {
    const { settings, findings } = planOf({ vaults: [vault('kv-1'), vault('kv-2')], assignments: [] });

    expect(settings['vault']).toMatchObject({ existing: vault('kv-1').id });
    expect(kindsOf(findings)).toEqual([
      ['guessedVault', 'kv-1'],
      ['unreadVault', 'kv-2'],
    ]);
    expect(kindsOf(planOf({ vaults: [vault('kv-1')], assignments: [] }).findings)).toEqual([]);
  });

  it('needs a cluster with workload identity', async () => {
    const off = { ...cluster('aks-off'), disabled: ['workload identity'] };

    expect(await refusalOf(() => planOf({ clusters: [off] }))).toMatch(
      /^No cluster has workload identity enabled, so there is nothing to write\..*az aks update --name aks-off /s,
    );
  });
});

describe('a vault', () => {
  const two = [account('a', 'a', 'id-a'), account('b', 'b', 'id-b'), account('c', 'c', 'id-c')];
  const identities = ['a', 'b', 'c'].map((name) => identity(`id-${name}`, trusts(`aks-1/${name}/${name}`)));
  const found = { clusters: [cluster('aks-1', two)], identities };

  it('that one application reads is its own, and the one that most applications read is central', () => {
    const { settings, findings } = planOf({
      ...found,
      vaults: [vault('kv-1', 'x'), vault('kv-2', 'y')],
      assignments: [grant('id-a', 'kv-1/x'), grant('id-b', 'kv-2/y'), grant('id-c', 'kv-2/y')],
    });

    expect(settings['vault']).toEqual({ existing: vault('kv-2').id, access: 'rbac' });
    expect(settings.applications.map(({ name, vault: own, secrets }) => [name, own, secrets])).toEqual([
      ['a', { placement: 'perApplication', existing: vault('kv-1').id, access: 'rbac' }, ['x']],
      ['b', undefined, ['y']],
      ['c', undefined, ['y']],
    ]);
    expect(findings).toEqual([]);
  });

  it('that two applications read beside the central one is that of the first; the other is reported', () => {
    const planned = planOf({
      clusters: [cluster('aks-1', [...two, account('d', 'd', 'id-d'), account('e', 'e', 'id-e')])],
      identities: [
        ...identities,
        ...['d', 'e'].map((name) => identity(`id-${name}`, trusts(`aks-1/${name}/${name}`))),
      ],
      vaults: [vault('kv-1', 'x'), vault('kv-2', 'y')],
      assignments: [
        ...['a', 'b', 'c'].map((name) => grant(`id-${name}`, 'kv-2/y')),
        ...['d', 'e'].map((name) => grant(`id-${name}`, 'kv-1/x')),
      ],
    });

    expect(planned.settings.applications.map(({ name, secrets }) => [name, secrets])).toEqual(
      ['a', 'b', 'c', 'd', 'e'].map((name) => [name, name === 'e' ? [] : name === 'd' ? ['x'] : ['y']]),
    );
    expect(kindsOf(planned.findings)).toEqual([['otherVault', 'id-e']]);
    expect(problemsOf(planned)).toEqual([]);
  });

  it('with access policies opens every secret, which is reported', () => {
    const { settings, findings } = planOf({
      vaults: [
        {
          ...vault('kv-shop', 'orders-db'),
          access: 'accessPolicy',
          policies: [{ objectId: 'principal-of-id-orders', permissions: ['secrets get'] }],
        },
      ],
      assignments: [],
    });

    expect(settings['vault']).toMatchObject({ access: 'accessPolicy' });
    expect(settings.applications).toMatchObject([{ secrets: [] }]);
    expect(kindsOf(findings)).toEqual([['broadGrant', 'id-orders']]);
  });
});

describe('an identity', () => {
  it('that several service accounts share is that of their cluster; a second one is reported', () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    const { settings, findings } = planOf({
      clusters: [
        cluster(
          'aks-1',
          names.map((name) => account(name, name, 'abc'.includes(name) ? 'id-abc' : 'id-de')),
        ),
      ],
      identities: [
        identity('id-de', ...['d', 'e'].map((name) => trusts(`aks-1/${name}/${name}`))),
        identity('id-abc', ...['a', 'b', 'c'].map((name) => trusts(`aks-1/${name}/${name}`))),
      ],
      assignments: [grant('id-abc', 'kv-shop/orders-db')],
    });

    expect(settings.clusters).toMatchObject([{ identity: { existing: identity('id-abc').id } }]);
    expect(settings.applications.map(({ name, identity: its, secrets }) => [name, its, secrets])).toEqual(
      ['a', 'b', 'c'].map((name) => [name, 'cluster', ['orders-db']]),
    );
    expect(kindsOf(findings)).toEqual(
      ['d', 'e'].map((name) => ['sharedIdentity', `system:serviceaccount:${name}:${name} of aks-1`]),
    );
  });

  it('of two clusters is in the file once, and the other cluster is reported', () => {
    const found = {
      clusters: ['aks-1', 'aks-2'].map((name) => cluster(name, [account('shop', 'orders', 'id-orders')])),
      identities: [identity('id-orders', trusts('aks-1/shop/orders'), trusts('aks-2/shop/orders'))],
    };

    expect(planOf(found).settings.applications).toMatchObject([{ clusters: ['aks-1'] }]);
    expect(kindsOf(planOf(found).findings)).toEqual([
      ['sharedIdentity', 'system:serviceaccount:shop:orders of aks-2'],
    ]);
    expect(problemsOf(planOf(found))).toEqual([]);
  });

  it('of each cluster belongs to one application, if all else is equal', () => {
    const found = (secret: string) => ({
      clusters: ['aks-1', 'aks-2'].map((name) => cluster(name, [account('shop', 'orders', `id-${name}`)])),
      identities: ['aks-1', 'aks-2'].map((name) => identity(`id-${name}`, trusts(`${name}/shop/orders`))),
      vaults: [vault('kv-shop', 'x', 'y')],
      assignments: [grant('id-aks-1', 'kv-shop/x'), grant('id-aks-2', `kv-shop/${secret}`)],
    });

    const names = (secret: string) =>
      planOf(found(secret)).settings.applications.map(({ name, clusters }) => [name, clusters]);
    expect(names('x')).toEqual([['orders', ['aks-1', 'aks-2']]]);
    expect(names('y')).toEqual([
      ['orders', ['aks-1']],
      ['shop-orders', ['aks-2']],
    ]);
    expect(problemsOf(planOf(found('y')))).toEqual([]);
  });
});

describe('what is found beside applications', () => {
  const withCredential = (changed: Partial<FederatedCredential>) =>
    kindsOf(
      planOf({ identities: [identity('id-orders', trusts('aks-1/shop/orders', changed))] }).findings,
    ).map(([kind]) => kind);

  it.each<[string, Partial<FederatedCredential>, string]>([
    ['an expression', { subject: undefined }, 'broadSubject'],
    ['a foreign issuer', { issuer: 'https://elsewhere.example/' }, 'foreignIssuer'],
    ['an issuer without its slash', { issuer: issuerOf('aks-1').slice(0, -1) }, 'foreignIssuer'],
    ['no account', { subject: 'system:serviceaccount:shop:gone' }, 'missingAccount'],
    ['another case of the account', { subject: 'system:serviceaccount:shop:Orders' }, 'missingAccount'],
    ['another audience', { audiences: ['api://other'] }, 'otherAudience'],
    ['an account without annotation', { subject: 'system:serviceaccount:shop:default' }, 'otherAnnotation'],
  ])('a credential with %s', (_what, changed, kind) => {
    expect(withCredential(changed)).toContain(kind);
  });

  it('an account of another identity or tenant, or without pods, or in a reserved namespace', () => {
    const kinds = (changed: object) =>
      kindsOf(
        planOf({
          clusters: [cluster('aks-1', [{ ...account('shop', 'orders', 'id-orders'), ...changed }])],
        }).findings,
      ).map(([kind]) => kind);

    expect(kinds({ clientId: 'another' })).toEqual([
      'otherAnnotation',
      'untrustedAccount',
      'unexplainedGrant',
    ]);
    expect(kinds({ tenantId: 'another' })).toEqual(['otherAnnotation', 'unexplainedGrant']);
    expect(kinds({ pods: 0 })).toEqual(['noPods']);
    expect(
      kindsOf(
        planOf({
          clusters: [cluster('aks-1', [account('kube-system', 'orders', 'id-orders')])],
          identities: [identity('id-orders', trusts('aks-1/kube-system/orders'))],
        }).findings,
      ).map(([kind]) => kind),
    ).toEqual(['reservedNamespace', 'unexplainedGrant']);
  });

  it.each([
    ['on the vault', grant('id-orders', 'kv-shop'), 'broadGrant'],
    ['above the vault', grant('id-orders', '', { scope: `/subscriptions/${subscription}` }), 'broadGrant'],
    [
      'on a management group',
      grant('id-orders', '', { scope: '/providers/Microsoft.Management/managementGroups/all' }),
      'broadGrant',
    ],
    ['under a condition', grant('id-orders', 'kv-shop/orders-db', { condition: 'x' }), 'otherRole'],
    [
      'of another role on a secret',
      grant('id-orders', 'kv-shop/orders-db', { role: builtInRoles.keyVaultSecretsOfficer }),
      'otherRole',
    ],
    ['on a missing secret', grant('id-orders', 'kv-shop/gone'), 'missingSecret'],
    ['on an unread vault', grant('id-orders', 'kv-other/orders-db'), 'otherRole'],
  ])('a grant %s', (_where, assignment, kind) => {
    const { findings, settings } = planOf({ assignments: [assignment] });

    expect(kindsOf(findings)).toEqual([[kind, 'id-orders']]);
    expect(settings.applications).toMatchObject([{ secrets: [] }]);
  });
});

describe('the next steps', () => {
  it('name another file, and on the local cloud create no stack', () => {
    const steps = nextSteps({ stack: 'prod', file: 'x/Pulumi.prod.yaml' }, {}).join('\n');
    expect(steps).toContain('aks-wi import --stack prod --file x/Pulumi.prod.yaml`');
    expect(steps).toContain('--config-file x/Pulumi.prod.yaml`');

    const local = nextSteps({ stack: 'prod' }, { AKS_WI_PULUMI: 'npx aks-wi pulumi' }).join('\n');
    expect(local).not.toContain('stack init');
    expect(local).toContain('import --stack prod --local`');
  });
});
