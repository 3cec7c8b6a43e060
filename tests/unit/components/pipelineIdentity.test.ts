import * as pulumi from '@pulumi/pulumi';
import { PipelineAccess, PipelineIdentity } from '../../../components/identity/pipelineIdentity';
import type { PipelineIdentityArgs } from '../../../components/identity/pipelineIdentity';
import type { TrustedPipeline } from '../../../components/identity/trustedPipeline';
import { claimsOf } from '../../../components/identity/trustedPipeline';
import { builtInRoles } from '../../../components/azure/roles';
import { group } from './support/azure';
import { record } from './support/recorder';

// What mocks do not prove: that Entra takes the tokens and that Azure enforces the roles and their condition
// (tests/engine/bootstrap.test.ts does, on the local cloud).

const component = 'aks-workload-identity:identity:PipelineIdentity';
const credential = 'azure-native:managedidentity:FederatedIdentityCredential';
const assignment = 'azure-native:authorization:RoleAssignment';
const gitHub = { repository: 'contoso/identities', environment: 'dev' };
const serviceConnection = {
  issuer: 'https://vstoken.dev.azure.com/1',
  subject: 'sc://contoso/identities/dev',
};
const args: PipelineIdentityArgs = {
  create: { resourceGroupName: 'rg-pipelines' },
  trusts: [
    { name: 'github', gitHub },
    { name: 'azure-devops', serviceConnection },
  ],
  resourceGroups: [{ name: 'rg-dev', id: group }],
  assignableRoles: [builtInRoles.keyVaultSecretsUser],
};
const make = (change: Partial<PipelineIdentityArgs> = {}) =>
  record(() => new PipelineIdentity('id-pipeline', { ...args, ...change }));

describe('the subject of a job of GitHub Actions', () => {
  it.each<[string, TrustedPipeline['gitHub'], string]>([
    ['by name', gitHub, 'repo:contoso/identities:environment:dev'],
    [
      'by name and id',
      { ...gitHub, ids: { owner: 12, repository: 34 } },
      'repo:contoso@12/identities@34:environment:dev',
    ],
    ['of a pull request', { repository: 'contoso/identities' }, 'repo:contoso/identities:pull_request'],
    ['with a colon', { ...gitHub, environment: 'a:b:c' }, 'repo:contoso/identities:environment:a%3Ab%3Ac'],
  ])('%s', (_, job, subject) => {
    expect(claimsOf({ name: 'x', gitHub: job })).toEqual({
      issuer: 'https://token.actions.githubusercontent.com',
      subject,
    });
  });

  it('is of the issuer that is given', () => {
    expect(
      claimsOf({ name: 'x', gitHub: { ...gitHub, issuer: 'https://ghes.example/_services/token' } }),
    ).toMatchObject({
      issuer: 'https://ghes.example/_services/token',
    });
  });
});

describe('PipelineIdentity', () => {
  it('trusts the pipelines, one after the other', async () => {
    const { find, names } = await make();

    expect(names(credential)).toEqual(['id-pipeline/azure-devops', 'id-pipeline/github']);
    expect(find(credential, 'id-pipeline/azure-devops').inputs).toEqual({
      resourceGroupName: 'rg-pipelines',
      resourceName: 'id-pipeline',
      federatedIdentityCredentialResourceName: 'azure-devops',
      ...serviceConnection,
      audiences: ['api://AzureADTokenExchange'],
    });
    expect(find(credential, 'id-pipeline/github').dependencies).toContain(
      `${credential}::id-pipeline/azure-devops`,
    );
  });

  it('has Contributor, and assigns the named roles only', async () => {
    const { find, names } = await make();

    expect(names(assignment)).toEqual([
      'id-pipeline/rg-dev/contributor',
      'id-pipeline/rg-dev/role-assignments',
    ]);
    const { inputs, parent } = find(assignment, 'id-pipeline/rg-dev/role-assignments');
    expect(parent).toBe(`${component}::id-pipeline`);
    expect(inputs).toMatchObject({
      scope: group,
      conditionVersion: '2.0',
      condition: ['Request', 'Resource']
        .map((source, index) => {
          const action = ['write', 'delete'][index] ?? '';
          const attribute = `@${source}[Microsoft.Authorization/roleAssignments:`;
          return `((!(ActionMatches{'Microsoft.Authorization/roleAssignments/${action}'})) OR (${attribute}RoleDefinitionId] ForAnyOfAnyValues:GuidEquals {${builtInRoles.keyVaultSecretsUser}} AND ${attribute}PrincipalType] ForAnyOfAnyValues:StringEqualsIgnoreCase {'ServicePrincipal'}))`;
        })
        .join(' AND '),
    });
    expect(find(assignment, 'id-pipeline/rg-dev/contributor').inputs).not.toHaveProperty('condition');
  });

  it('assigns them to groups too if asked, and none if none is named', async () => {
    const { find } = await make({ assignableToGroups: true });
    expect(find(assignment, 'id-pipeline/rg-dev/role-assignments').inputs.condition).toContain(
      "{'ServicePrincipal', 'Group'}",
    );
    expect((await make({ assignableRoles: [] })).names(assignment)).toEqual([
      'id-pipeline/rg-dev/contributor',
    ]);
  });

  it('only reads for a preview', async () => {
    const { names } = await make({ access: PipelineAccess.Preview, assignableRoles: [] });
    expect(names(assignment)).toEqual(['id-pipeline/rg-dev/reader', 'id-pipeline/rg-dev/clusters']);
  });

  it('gives the ids to sign in with', async () => {
    const { result } = await make();
    const ids = await new Promise<string[]>((resolve) => {
      pulumi.all([result.clientId, result.principalId, result.tenantId]).apply(resolve);
    });
    expect(new Set(ids).size).toBe(3);
  });

  it.each<[string, Partial<PipelineIdentityArgs>, RegExp]>([
    ['no pipelines', { trusts: [] }, /trusts "0 pipelines" cannot be trusted\. Allowed: 1 to 20/],
    [
      'the same one twice',
      { trusts: [...args.trusts, { name: 'again', gitHub }] },
      /trusts\[2\] .* is trusted by trusts\[0\] already/,
    ],
    [
      'both kinds in one',
      { trusts: [{ name: 'x-y', gitHub, serviceConnection }] },
      /cannot have both gitHub and serviceConnection/,
    ],
    [
      'a repository without its owner',
      { trusts: [{ name: 'x-y', gitHub: { repository: 'identities' } }] },
      /Allowed: owner\/name/,
    ],
    [
      'a role that assigns roles',
      { assignableRoles: [builtInRoles.rbacAdministrator] },
      /could give itself more rights/,
    ],
    ['Owner', { assignableRoles: ['8E3AF657-A8FF-443C-A75C-2FE8C4BCB635'] }, /is Owner/],
    [
      'a role that assigns roles in vaults',
      { assignableRoles: ['8b54135c-b56d-4d72-a534-26097cfdc8d8'] },
      /is Key Vault Data Access Administrator/,
    ],
    ['roles that a preview assigns', { access: PipelineAccess.Preview }, /for access deploy only/],
  ])('refuses %s', async (_, change, message) => {
    await expect(make(change)).rejects.toThrow(message);
  });
});
