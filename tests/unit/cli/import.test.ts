import type { AzureReader } from '../../../cli/azureReader';
import type { GraphReader } from '../../../cli/graphReader';
import { candidatesOf } from '../../../cli/import/candidates';
import { withIds } from '../../../cli/import/engine';
import { entraTypes } from '../../../cli/import/entra';
import { findInAzure, refuseDeleted } from '../../../cli/import/find';
import { renderFound, renderNext } from '../../../cli/import/report';
import { importableTypes } from '../../../cli/import/types';
import { parsePreview, unknownValue } from '../../../cli/preview';
import { UserError } from '../../../cli/userError';
import { findResource } from '../../../localcloud/plugins/azure-native/catalogue';
import { declaredTypes } from '../../../localcloud/plugins/azuread/types';

const subscription = '22222222-2222-4222-8222-222222222222';
const group = `/subscriptions/${subscription}/resourceGroups/rg`;
const vault = `${group}/providers/Microsoft.KeyVault/vaults/kv`;
const identity = `${group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/id-test-aks-1`;

const urn = (types: string, name: string) => `urn:pulumi:test::aks-workload-identity::${types}::${name}`;
const stackUrn = urn('pulumi:pulumi:Stack', 'aks-workload-identity-test');
const defaultProvider = urn('pulumi:providers:azure-native', 'default_3_28_0');

const urns = {
  group: urn('azure-native:resources:ResourceGroup', 'rg'),
  cluster: urn('aks-workload-identity:stacks:Cluster', 'aks-1'),
  component: urn(
    'aks-workload-identity:stacks:Cluster$aks-workload-identity:identity:ManagedIdentity',
    'aks-1',
  ),
  identity: urn(
    'aks-workload-identity:stacks:Cluster$aks-workload-identity:identity:ManagedIdentity$azure-native:managedidentity:UserAssignedIdentity',
    'aks-1',
  ),
  credential: urn('c$azure-native:managedidentity:FederatedIdentityCredential', 'aks-1/orders_orders'),
  assignment: urn('c$azure-native:authorization:RoleAssignment', 'kv/aks-1/orders-db'),
  policy: urn('c$azure-native:keyvault:AccessPolicy', 'kv/aks-1'),
  application: urn('c$azuread:index/application:Application', 'hc1/disk'),
  principal: urn('c$azuread:index/servicePrincipal:ServicePrincipal', 'hc1/disk'),
};

interface Step {
  op: string;
  urn: string;
  newState?: Record<string, unknown>;
  oldState?: Record<string, unknown>;
}

const create = (of: string, newState: Record<string, unknown>): Step => ({
  op: 'create',
  urn: of,
  newState: { custom: true, parent: stackUrn, provider: `${defaultProvider}::${unknownValue}`, ...newState },
});

const groupStep = create(urns.group, { inputs: { resourceGroupName: 'rg' } });
const identitySteps = [
  create(urns.cluster, { custom: false, provider: undefined }),
  create(urns.component, { custom: false, provider: undefined, parent: urns.cluster }),
  create(urns.identity, {
    parent: urns.component,
    inputs: { resourceGroupName: unknownValue, resourceName: 'id-test-aks-1' },
    propertyDependencies: { resourceGroupName: [urns.group], resourceName: null },
  }),
];
const credentialStep = (issuer: string) =>
  create(urns.credential, {
    inputs: {
      resourceGroupName: 'rg',
      resourceName: unknownValue,
      federatedIdentityCredentialResourceName: 'orders_orders',
      issuer,
      subject: 'system:serviceaccount:orders:orders',
    },
    propertyDependencies: { resourceName: [urns.identity] },
  });
const assignmentStep = (principalId: string) =>
  create(urns.assignment, {
    inputs: {
      scope: `${vault}/secrets/orders-db`,
      principalId,
      roleDefinitionId: `/subscriptions/${subscription}/providers/Microsoft.Authorization/roleDefinitions/reader`,
      roleAssignmentName: 'made-by-us',
    },
  });

const previewOf = (...steps: Step[]) => parsePreview(`A note.\n${JSON.stringify({ steps })}`).steps;
const idsOf = (...steps: Step[]) => candidatesOf(previewOf(...steps), subscription).map(({ id }) => id);

/** Azure with these resources and lists, by path; what is asked is recorded. */
function azureWith(
  resources: Record<string, Record<string, unknown>>,
  lists: Record<string, { id: string; name: string; properties: Record<string, unknown> }[]> = {},
) {
  const asked: string[] = [];
  const reader: AzureReader = {
    get(id) {
      asked.push(id);
      const properties = resources[id];
      return Promise.resolve(properties && { id, name: '', type: '', properties });
    },
    list(path) {
      asked.push(path);
      return Promise.resolve((lists[path] ?? []).map((resource) => ({ type: '', ...resource })));
    },
  };
  return { reader, asked };
}

/** Entra with these object ids, by collection and filter. */
function entraWith(lists: Record<string, string[]>) {
  const list = jest.fn((path: string) => {
    const found = lists[decodeURIComponent(path.split('&')[0] ?? '').replace('?$filter=', ' ')] ?? [];
    return Promise.resolve(
      found.map((id) => ({
        id,
        displayName: '',
        tags: [id === 'upper' ? 'PROJECT/test' : 'project/test'],
      })),
    );
  });
  return { get: () => Promise.resolve(undefined), list };
}

async function findOnly(reader: AzureReader, step: Step, graph: GraphReader = entraWith({})) {
  const [candidate] = candidatesOf(previewOf(groupStep, ...identitySteps, step), subscription).filter(
    ({ urn: of }) => of === step.urn,
  );
  if (candidate === undefined) throw new Error('no candidate');
  return findInAzure(reader, graph, candidate);
}

function thrownBy(call: () => unknown): unknown {
  try {
    return call();
  } catch (error) {
    return error;
  }
}

describe('a resource that is looked for in Azure', () => {
  it.each(Object.entries(importableTypes))(
    'has the id that the provider has, and no older version: %s',
    (token, { id, apiVersion }) => {
      const row = findResource(token);

      expect(id).toBe(row.path.replace(/^\/\{/, '{'));
      expect([row.apiVersion, apiVersion].sort()).toEqual([row.apiVersion, apiVersion]);
    },
  );

  it('has an id from its inputs, and from the inputs of what it comes from', () => {
    expect(idsOf(groupStep, ...identitySteps, credentialStep(unknownValue))).toEqual([
      group,
      identity,
      `${identity}/federatedIdentityCredentials/orders_orders`,
    ]);
  });

  it('has no id yet if the id depends on an output of Azure', () => {
    const policy = create(urns.policy, {
      inputs: { resourceGroupName: 'rg', vaultName: 'kv', policy: { objectId: unknownValue } },
    });
    expect(idsOf(policy)).toEqual([undefined]);
  });

  describe('is in the subscription', () => {
    const provider = urn('pulumi:providers:azure-native', 'subscription-other');
    const through = (subscriptionId: unknown) => [
      create(provider, { provider: undefined, inputs: { subscriptionId } }),
      { ...groupStep, newState: { ...groupStep.newState, provider: `${provider}::${unknownValue}` } },
    ];

    it('of its provider, before that of the rest', () => {
      const [candidate] = candidatesOf(previewOf(...through('other')), undefined);

      expect(candidate?.id).toBe('/subscriptions/other/resourceGroups/rg');
      expect(idsOf(...through('other'))).toEqual(['/subscriptions/other/resourceGroups/rg']);
    });

    it('that is not known yet, if its provider says so', () => {
      expect(idsOf(...through(unknownValue))).toEqual([undefined]);
    });

    it('of the rest, which has to be known', () => {
      const refused = () => candidatesOf(previewOf(groupStep), undefined);

      expect(refused).toThrow(UserError);
      const hint: unknown = expect.stringContaining('ARM_SUBSCRIPTION_ID');
      expect(thrownBy(refused)).toMatchObject({ hint });
    });

    it('that nothing needs, if nothing is created through it', () => {
      expect(candidatesOf(previewOf(assignmentStep('principal')), undefined)[0]?.id).toBe(
        `${vault}/secrets/orders-db/providers/Microsoft.Authorization/roleAssignments/made-by-us`,
      );
    });
  });

  it('is not what the stack has already', () => {
    expect(idsOf({ ...groupStep, op: 'same' })).toEqual([]);
    expect(idsOf({ ...groupStep, op: 'replace' })).toEqual([]);
  });
});

describe('the resource that is found', () => {
  it('is what has the id, or nothing', async () => {
    expect(await findOnly(azureWith({ [group]: {} }).reader, groupStep)).toEqual({
      urn: urns.group,
      inputs: { resourceGroupName: 'rg' },
      id: group,
    });
    expect(await findOnly(azureWith({}).reader, groupStep)).toBeUndefined();
  });

  it('is an entry of a vault, if it is an access policy', async () => {
    const policy = create(urns.policy, {
      inputs: { resourceGroupName: 'rg', vaultName: 'kv', policy: { objectId: 'ABC' } },
    });
    const { reader } = azureWith({ [vault]: { accessPolicies: [{ objectId: 'abc' }] } });

    expect(await findOnly(reader, policy)).toMatchObject({ id: `${vault}/accessPolicy/ABC` });
    expect(await findOnly(azureWith({ [vault]: {} }).reader, policy)).toBeUndefined();
  });

  it('is a federated credential of another name with the same issuer and subject', async () => {
    const list = `${identity}/federatedIdentityCredentials`;
    const properties = { issuer: 'https://issuer/', subject: 'system:serviceaccount:orders:orders' };
    const other = {
      id: `${list}/other`,
      name: 'other',
      properties: { ...properties, issuer: 'https://issuer' },
    };
    const same = { id: `${list}/by-hand`, name: 'by-hand', properties };

    expect(
      await findOnly(azureWith({}, { [list]: [other, same] }).reader, credentialStep('https://issuer/')),
    ).toMatchObject({
      id: `${list}/by-hand`,
      alias: { kind: 'federatedCredentials', name: 'by-hand' },
    });
    expect(
      await findOnly(azureWith({}, { [list]: [other] }).reader, credentialStep('https://issuer/')),
    ).toBeUndefined();
    expect(
      await findOnly(azureWith({}, { [list]: [other, same] }).reader, credentialStep(unknownValue)),
    ).toBeUndefined();
  });

  it('is a role assignment of another name with the same scope, role and principal', async () => {
    const list = `${vault}/secrets/orders-db/providers/Microsoft.Authorization/roleAssignments`;
    const properties = {
      scope: `${vault}/secrets/orders-db`.toUpperCase(),
      principalId: 'principal',
      roleDefinitionId: '/providers/Microsoft.Authorization/roleDefinitions/READER',
    };
    const inherited = { id: 'a', name: 'a', properties: { ...properties, scope: vault } };
    const otherRole = { id: 'b', name: 'b', properties: { ...properties, roleDefinitionId: '/x/owner' } };
    const same = { id: `${list}/guid`, name: 'guid', properties };

    expect(
      await findOnly(
        azureWith({}, { [list]: [inherited, otherRole, same] }).reader,
        assignmentStep('principal'),
      ),
    ).toMatchObject({ id: `${list}/guid`, alias: { kind: 'roleAssignments', name: 'guid' } });
    expect(
      await findOnly(azureWith({}, { [list]: [inherited, otherRole] }).reader, assignmentStep('principal')),
    ).toBeUndefined();
  });
});

describe('what is looked for in Entra', () => {
  const named = "applications displayName eq 'id-test-hc1-disk' and tags/any(tag:tag eq 'project/test')";
  const application = create(urns.application, {
    inputs: { displayName: 'id-test-hc1-disk', preventDuplicateNames: false, tags: ['project/test'] },
  });
  const principal = (clientId: string) => create(urns.principal, { inputs: { clientId, tags: [] } });
  const find = (step: Step, graph: GraphReader) => findOnly(azureWith({}).reader, step, graph);

  it('has the types of the provider', () => {
    const tokens = declaredTypes().map(({ token }) => token);
    expect(tokens).toEqual(expect.arrayContaining(Object.keys(entraTypes)));
  });

  it('is an application, by its name and the tag of the stack', async () => {
    expect(await find(application, entraWith({ [named]: ['o'] }))).toMatchObject({
      urn: urns.application,
      id: '/applications/o',
    });
    expect(await find(application, entraWith({}))).toBeUndefined();
    // Graph compares tags without regard to case.
    expect(await find(application, entraWith({ [named]: ['upper'] }))).toBeUndefined();
  });

  it('is not one of several applications', async () => {
    expect(await find(application, entraWith({ [named]: ['o', 'p'] }))).toBeUndefined();
  });

  it('is a service principal, by the client id, once that is known', async () => {
    const graph = entraWith({ "servicePrincipals appId eq 'c'": ['s'] });

    expect(await find(principal(unknownValue), graph)).toBeUndefined();
    expect(graph.list).not.toHaveBeenCalled();
    expect(await find(principal('c'), graph)).toMatchObject({ id: '/servicePrincipals/s' });
  });
});

describe('the file that is imported', () => {
  const provider = urn('pulumi:providers:azure-native', 'subscription-x');
  const steps = previewOf(
    create(defaultProvider, { provider: undefined, inputs: {} }),
    create(provider, { provider: undefined, inputs: { subscriptionId: 'x' } }),
    groupStep,
    ...identitySteps,
  );
  // As the engine writes it.
  const resource = (name: string, type: string, more: object = {}) => ({ name, type, ...more });
  const written = {
    providerX: resource('subscription-x', 'pulumi:providers:azure-native', {
      inputs: { subscriptionId: 'x' },
    }),
    group: resource('rg', 'azure-native:resources:ResourceGroup', {
      id: '<PLACEHOLDER>',
      provider: 'subscription-x',
    }),
    cluster: resource('aks-1', 'aks-workload-identity:stacks:Cluster', { component: true }),
    component: resource('aks-1ManagedIdentity', 'aks-workload-identity:identity:ManagedIdentity', {
      logicalName: 'aks-1',
      component: true,
      parent: 'aks-1',
    }),
    identity: resource('aks-1Identity', 'azure-native:managedidentity:UserAssignedIdentity', {
      logicalName: 'aks-1',
      id: '<PLACEHOLDER>',
      parent: 'aks-1ManagedIdentity',
      version: '3.28.0',
    }),
  };
  const importFile = { nameTable: { other: urns.component }, resources: Object.values(written) };

  it('has the resource with its id, and the components around it', () => {
    expect(withIds({ steps, importFile }, [{ urn: urns.identity, id: identity, inputs: {} }])).toEqual({
      ...importFile,
      resources: [written.cluster, written.component, { ...written.identity, id: identity }],
    });
  });

  it('has the provider that the resource is reached through', () => {
    expect(withIds({ steps, importFile }, [{ urn: urns.group, id: group, inputs: {} }]).resources).toEqual([
      written.providerX,
      { ...written.group, id: group },
    ]);
  });

  it('is not used if it does not have what the preview has', () => {
    expect(() => withIds({ steps: steps.slice(2), importFile }, [])).toThrow('where its preview has');
  });
});

describe('the report', () => {
  it('lists what exists, with its id', () => {
    expect(renderFound([{ urn: urns.group, id: group, inputs: {} }])).toMatch(
      /Already in Azure:\n {2}ResourceGroup {2}.*rg.* {2}\/subscriptions\//,
    );
  });

  it('counts what the next update does', () => {
    const steps = previewOf(groupStep, ...identitySteps, { op: 'replace', urn: urns.policy });

    expect(renderNext('prod', steps)).toBe(
      'The next update: 4 create, 1 replace. `pulumi preview --diff --stack prod` shows it.\n',
    );
    expect(renderNext('prod', previewOf({ ...groupStep, op: 'same' }))).toContain('no change');
  });
});

describe('a resource that the stack has under another name', () => {
  const id = `${vault}/secrets/orders-db/providers/Microsoft.Authorization/roleAssignments/made-by-us`;
  const found = () => [{ urn: urns.assignment, id, inputs: {} }];
  const old = urn('c$azure-native:authorization:RoleAssignment', 'kv/aks-1/before');
  const without = (oldState: Record<string, unknown>, op = 'delete') =>
    previewOf({ op, urn: old, oldState: { id: id.toUpperCase(), ...oldState } });

  // A preview has the deletions after replacements only with --show-replacement-steps.
  it.each(['delete', 'delete-replaced'])(
    'is not imported: it would be deleted under that name (%s)',
    (op) => {
      expect(() => refuseDeleted(found(), without({}, op))).toThrow(
        'The stack already has these resources under other names, and the next update would delete them under those names: kv/aks-1/orders-db (in the stack: kv/aks-1/before).',
      );
    },
  );

  it('is imported, if it is retained on deletion', () => {
    expect(() => {
      refuseDeleted(found(), without({ retainOnDelete: true }));
      refuseDeleted(found(), previewOf());
    }).not.toThrow();
  });
});
