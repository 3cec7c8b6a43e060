import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { stringify } from 'yaml';
import { BUILT_IN_ROLES } from '../../localcloud/azure/identity/roles';
import { openInstanceToolchain } from '../../localcloud/commands/context';
import { locateInstance } from '../../localcloud/daemon/instance';
import { openEngine } from '../../localcloud/tests/support/plugins/engine';
import { all, groupId, refusal, withCloud } from '../../localcloud/tests/support/azure';
import { projectRoot, runProcess } from '../support/command';
import { TokenIssuer } from '../support/tokenIssuer';

// Proves that the stack `bootstrap` makes identities with which pipelines deploy without a stored credential, and that these
// cannot do what a deployment does not need: the real engine, a local Azure, and an issuer that its Entra fetches. What it
// does not prove: that GitHub and Azure DevOps issue tokens with these claims; their documentation says so.

const subjects = {
  named: 'repo:contoso/identities:environment:dev',
  immutable: 'repo:contoso@12/identities@34:environment:dev',
  connection: 'sc://contoso/identities/dev',
  pullRequest: 'repo:contoso/identities:pull_request',
};
const cloud = withCloud({ groups: [] });
const issuer = new TokenIssuer();
let env: Record<string, string>;
let clients: Record<string, { clientId: string }>;

const guidOf = (roleName: string) => BUILT_IN_ROLES.find((role) => role.roleName === roleName)?.name ?? '';
const definitionOf = (roleName: string) =>
  `/subscriptions/${cloud.subscriptionId}/providers/Microsoft.Authorization/roleDefinitions/${guidOf(roleName)}`;
const clientId = (name: string) => clients[name]?.clientId ?? '';
const signedIn = (name: string, subject: string) =>
  cloud.assertionCredential(clientId(name), () => Promise.resolve(issuer.token(subject)));

const granting = 'repo:contoso/identities:environment:grant-dev';

/** The settings; the repository's own file is like it. */
const identities = () => [
  {
    name: 'id-pipeline-dev',
    resourceGroups: ['rg-dev'],
    trusts: [
      {
        name: 'github',
        gitHub: { repository: 'contoso/identities', environment: 'dev', issuer: issuer.url },
      },
      {
        name: 'github-ids',
        gitHub: {
          ...{ repository: 'contoso/identities', ids: { owner: 12, repository: 34 } },
          ...{ environment: 'dev', issuer: issuer.url },
        },
      },
      { name: 'devops', serviceConnection: { issuer: issuer.url, subject: subjects.connection } },
    ],
  },
  {
    name: 'id-pipeline-preview',
    access: 'preview',
    resourceGroups: ['rg-dev'],
    roles: [{ role: 'reader', scope: `/subscriptions/${cloud.subscriptionId}` }],
    trusts: [{ name: 'github', gitHub: { repository: 'contoso/identities', issuer: issuer.url } }],
  },
  {
    name: 'id-pipeline-grant',
    access: 'grant',
    resourceGroups: ['rg-dev'],
    trusts: [
      {
        name: 'github',
        gitHub: { repository: 'contoso/identities', environment: 'grant-dev', issuer: issuer.url },
      },
    ],
  },
];

const pulumi = (args: string[], further: Record<string, string> = {}) =>
  runProcess('pulumi', [...args, '--non-interactive'], { ...env, ...further });
async function succeed(args: string[], further?: Record<string, string>): Promise<string> {
  const { code, stdout, stderr } = await pulumi(args, further);
  if (code !== 0) throw new Error(`pulumi ${args.join(' ')} ended with ${code}\n${stdout}\n${stderr}`);
  return stdout;
}

const stackFile = () => path.join(cloud.stateDir, 'Pulumi.pipelines.yaml');
const inBootstrap = (...args: string[]) => [
  ...['-C', path.join(projectRoot, 'bootstrap')],
  ...[...args, '--stack', 'pipelines'],
];
const write = (settings: Record<string, unknown>) =>
  writeFile(
    stackFile(),
    stringify({
      config: Object.fromEntries(
        Object.entries(settings).map(([key, value]) => [`aks-workload-identity-bootstrap:${key}`, value]),
      ),
    }),
  );
const withFile = (...args: string[]) => inBootstrap(...args, '--config-file', stackFile());

beforeAll(async () => {
  const { settings } = await openEngine(cloud);
  const host = await openInstanceToolchain(locateInstance(projectRoot)).require('pulumi-language-yaml');
  await issuer.start(cloud.stateDir);
  env = {
    ...settings.envVars,
    PATH: [settings.envVars?.['PATH'], path.dirname(host)].join(path.delimiter),
    PULUMI_HOME: settings.pulumiHome ?? '',
  };
  await writeFile(
    path.join(cloud.stateDir, 'Pulumi.yaml'),
    'name: aks-workload-identity-bootstrap\nruntime: nodejs\n',
  );
  await succeed(['-C', cloud.stateDir, 'stack', 'init', 'pipelines']);
}, 900_000);
afterAll(() => issuer.stop());

describe('the stack bootstrap', () => {
  it('reports everything wrong with its settings at once, and creates nothing', async () => {
    await write({
      location: 'westeurope',
      resourceGroup: 'rg.',
      identities: [{ name: 'id-a', resourceGroups: [], trusts: [{ name: 'x' }], asignable: 1 }],
    });

    const { code, stdout } = await pulumi(withFile('preview'));

    expect(code).not.toBe(0);
    expect(stdout).toContain('Pulumi.pipelines.yaml has 5 errors; nothing was changed.');
    for (const place of [
      'resourceGroup',
      'identities[0].resourceGroups',
      'identities[0].trusts[0]',
      'asignable',
    ])
      expect(stdout).toContain(place);
  }, 300_000);

  it('is held to its own policies: no pipeline is trusted by the issuer of this test', async () => {
    await write({ location: 'westeurope', resourceGroup: 'rg-pipelines', identities: identities() });
    const { code, stdout } = await pulumi(withFile('preview', '--policy-pack', '../policy'));
    expect(code).not.toBe(0);
    expect(stdout).toMatch(/\[mandatory\]\s+pipeline-trust/);
    expect(stdout).toContain(
      `It trusts ${issuer.url}, which is not an issuer of GitHub Actions or Azure DevOps.`,
    );
    expect(stdout).not.toMatch(/\[(mandatory|advisory)\]\s+(?!\s|pipeline-trust)/);
  }, 300_000);

  it('creates the groups, the identities, their trust and their roles, and changes nothing the second time', async () => {
    await write({ location: 'westeurope', resourceGroup: 'rg-pipelines', identities: identities() });
    await succeed(withFile('up', '--yes', '--skip-preview'));
    clients = (
      JSON.parse(await succeed(inBootstrap('stack', 'output', '--json'))) as { clients: typeof clients }
    ).clients;

    const trusted = await all(
      cloud.identities().federatedIdentityCredentials.list('rg-pipelines', 'id-pipeline-dev'),
    );
    expect(trusted.map((credential) => credential.subject).sort()).toEqual(
      [subjects.named, subjects.immutable, subjects.connection].sort(),
    );
    const assigned = async (name: string) => {
      const { principalId = '' } = await cloud.identities().userAssignedIdentities.get('rg-pipelines', name);
      const filter = `principalId eq '${principalId}'`;
      const found = await all(cloud.authorization().roleAssignments.listForSubscription({ filter }));
      return found.map(({ scope, roleDefinitionId }) => [scope, roleDefinitionId]).sort();
    };
    expect(await assigned('id-pipeline-dev')).toEqual(
      ['Contributor', 'Role Based Access Control Administrator']
        .map((role) => [groupId('rg-dev'), definitionOf(role)])
        .sort(),
    );
    expect(await assigned('id-pipeline-preview')).toEqual(
      [
        [`/subscriptions/${cloud.subscriptionId}`, definitionOf('Reader')],
        [groupId('rg-dev'), definitionOf('Reader')],
        [groupId('rg-dev'), definitionOf('Azure Kubernetes Service Cluster Admin Role')],
        [groupId('rg-dev'), definitionOf('Azure Kubernetes Service Cluster User Role')],
      ].sort(),
    );
    expect(await assigned('id-pipeline-grant')).toEqual([
      [groupId('rg-dev'), definitionOf('Role Based Access Control Administrator')],
    ]);
    await succeed(withFile('up', '--yes', '--skip-preview', '--refresh', '--expect-no-changes'));
  }, 300_000);
});

describe('the identity of a pipeline', () => {
  it.each(Object.entries(subjects).filter(([name]) => name !== 'pullRequest'))(
    'signs in with a token with the subject of the form: %s',
    async (_, subject) => {
      await expect(
        signedIn('id-pipeline-dev', subject).getToken('https://management.azure.com/.default'),
      ).resolves.toBeDefined();
    },
  );

  it.each([
    ['of another environment', 'repo:contoso/identities:environment:prod', '700213'],
    ['of a pull request', subjects.pullRequest, '700213'],
    ['of another case', 'repo:Contoso/identities:environment:dev', '7002138'],
  ])('is refused for a token with the subject %s', async (_, subject, code) => {
    const { message } = await refusal(
      signedIn('id-pipeline-dev', subject).getToken('https://management.azure.com/.default'),
    );
    expect(message).toContain(`AADSTS${code}`);
  });

  it('deploys a stack by federation alone, through the engine', async () => {
    issuer.subject = subjects.named;
    const folder = path.join(cloud.stateDir, 'small');
    await mkdir(folder);
    const example = path.join(projectRoot, 'examples', 'yaml');
    await writeFile(path.join(folder, 'Pulumi.yaml'), stringify({ name: 'reports', runtime: 'yaml' }));
    await succeed(['-C', folder, 'stack', 'init', 'small']);
    const values = {
      resourceGroup: 'rg-dev',
      vaultName: 'kv-pipeline-test',
      issuer: 'https://issuer.example/',
    };
    const own = path.join(folder, 'Pulumi.small.yaml');
    for (const [key, value] of Object.entries(values))
      await succeed(['-C', folder, 'config', 'set', '--stack', 'small', key, value]);
    await succeed([
      '-C',
      folder,
      'config',
      'set',
      '--stack',
      'small',
      '--secret',
      'databasePassword',
      'of-the-test',
    ]);

    const up = ['-C', example, 'up', '--yes', '--skip-preview', '--stack', 'small', '--config-file', own];
    const asPipeline = {
      ...{ ARM_CLIENT_ID: clientId('id-pipeline-dev'), ARM_CLIENT_SECRET: '', ARM_USE_OIDC: 'true' },
      ...issuer.gitHubVariables,
    };
    await succeed(up, asPipeline);

    const grants = await all(cloud.authorization().roleAssignments.listForResourceGroup('rg-dev'));
    const { principalId } = await cloud
      .identities()
      .userAssignedIdentities.get('rg-pipelines', 'id-pipeline-dev');
    expect(grants.filter(({ createdBy }) => createdBy === principalId)).toEqual([
      expect.objectContaining({ roleDefinitionId: definitionOf('Key Vault Secrets User') }),
    ]);

    issuer.subject = subjects.pullRequest;
    const refused = await pulumi([...up, '--refresh'], asPipeline);
    expect(refused.code).not.toBe(0);
    expect(refused.stdout + refused.stderr).toContain('AADSTS700213');
  }, 300_000);

  it.each([
    ['Owner', 'ServicePrincipal'],
    ['Role Based Access Control Administrator', 'ServicePrincipal'],
    ['Key Vault Secrets Officer', 'ServicePrincipal'],
    ['Key Vault Secrets User', 'User'],
  ])('cannot assign %s to a %s', async (role, principalType) => {
    const { principalId = '' } = await cloud
      .identities()
      .userAssignedIdentities.get('rg-pipelines', 'id-pipeline-dev');
    const authorization = cloud.authorization(signedIn('id-pipeline-dev', subjects.named));
    const { status, code } = await refusal(
      authorization.roleAssignments.create(groupId('rg-dev'), randomUUID(), {
        ...{ principalId, principalType, roleDefinitionId: definitionOf(role) },
      }),
    );
    expect([status, code]).toEqual([403, 'AuthorizationFailed']);
  });

  it('cannot read the value of a secret that it wrote', async () => {
    const pipeline = signedIn('id-pipeline-dev', subjects.named);
    const vaults = cloud.vaults(pipeline);
    await vaults.vaults.createOrUpdate('rg-dev', 'kv-pipeline-open', {
      location: 'westeurope',
      properties: {
        ...{ tenantId: cloud.tenantId, enableRbacAuthorization: true },
        sku: { family: 'A', name: 'standard' },
      },
    });
    const secret = { properties: { value: 'of-the-test' } };
    await vaults.secrets.createOrUpdate('rg-dev', 'kv-pipeline-open', 'written', secret);

    const { status } = await refusal(cloud.secrets('kv-pipeline-open', pipeline).getSecret('written'));

    expect([status, cloud.innerError]).toEqual([403, 'ForbiddenByRbac']);
  });

  it('that grants can assign the role of an access window, and no other', async () => {
    const { principalId = '' } = await cloud
      .identities()
      .userAssignedIdentities.get('rg-pipelines', 'id-pipeline-dev');
    const authorization = cloud.authorization(signedIn('id-pipeline-grant', granting));
    const assign = (role: string) =>
      authorization.roleAssignments.create(groupId('rg-dev'), randomUUID(), {
        ...{ principalId, principalType: 'ServicePrincipal', roleDefinitionId: definitionOf(role) },
      });

    await expect(assign('Key Vault Secrets User')).resolves.toMatchObject({ principalId });
    const { status, code } = await refusal(assign('Reader'));
    expect([status, code]).toEqual([403, 'AuthorizationFailed']);
  });

  it.each([
    ['id-pipeline-dev', subjects.named, 'rg-pipelines'],
    ['id-pipeline-grant', granting, 'rg-dev'],
    ['id-pipeline-preview', subjects.pullRequest, 'rg-dev'],
  ])('%s, with the subject %s, cannot write into %s', async (name, subject, group) => {
    const { status } = await refusal(
      cloud
        .identities(signedIn(name, subject))
        .userAssignedIdentities.createOrUpdate(group, 'id-other', { location: 'westeurope' }),
    );
    expect(status).toBe(403);
  });

  it('of a preview reads what it compares with', async () => {
    const identitiesOf = cloud.identities(signedIn('id-pipeline-preview', subjects.pullRequest));
    await expect(identitiesOf.userAssignedIdentities.get('rg-dev', 'id-reports')).resolves.toMatchObject({
      name: 'id-reports',
    });
  });
});
