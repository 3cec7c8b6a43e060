import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { stringify } from 'yaml';
import { openInstanceToolchain } from '../../localcloud/commands/context';
import { locateInstance } from '../../localcloud/daemon/instance';
import { openEngine } from '../../localcloud/tests/support/plugins/engine';
import { all, groupId, withCloud } from '../../localcloud/tests/support/azure';
import { projectRoot, runProcess } from '../support/command';
import { loggedSteps, type Steps } from '../support/updateSteps';

// Proves that a program in YAML deploys the components: the real engine, Pulumi's own YAML language host, the provider of
// `components/` and a local Azure. What it does not prove: that Azure takes what the local Azure takes.

const example = path.join(projectRoot, 'examples', 'yaml');
const vaultName = 'kv-reports-test';
const secretId = `${groupId('rg-reports')}/providers/Microsoft.KeyVault/vaults/${vaultName}/secrets/database-password`;
const issuer = 'https://issuer.example/reports/';
const password = 'value-of-the-test';
const secretsUser = '4633458b-17de-408a-b874-0445c86b69e6';

const cloud = withCloud({ groups: ['rg-reports'] });
let env: Record<string, string>;
let stackFile: string;

beforeAll(async () => {
  const { settings } = await openEngine(cloud);
  const host = await openInstanceToolchain(locateInstance(projectRoot)).require('pulumi-language-yaml');
  env = {
    ...settings.envVars,
    PATH: [settings.envVars?.['PATH'], path.dirname(host)].join(path.delimiter),
    PULUMI_HOME: settings.pulumiHome ?? '',
    // For --event-log.
    PULUMI_DEBUG_COMMANDS: 'true',
  };
  // The engine writes a stack file beside the project file: into this folder, and not into the example's.
  const folder = path.join(cloud.stateDir, 'project');
  await mkdir(folder);
  await writeFile(path.join(folder, 'Pulumi.yaml'), stringify({ name: 'reports', runtime: 'yaml' }));
  stackFile = path.join(folder, 'Pulumi.test.yaml');
  await succeed('stack', 'init', '--cwd', folder);
  const values = { resourceGroup: 'rg-reports', vaultName, issuer };
  for (const [key, value] of Object.entries(values))
    await succeed('config', 'set', '--cwd', folder, key, value);
  await succeed('config', 'set', '--cwd', folder, '--secret', 'databasePassword', password);
}, 900_000);

/** What a pulumi command on the stack prints, which must succeed. */
async function succeed(...args: string[]): Promise<string> {
  const stack = ['--stack', 'test', '--non-interactive'];
  const { code, stdout, stderr } = await runProcess('pulumi', [...args, ...stack], env);
  if (code !== 0) throw new Error(`pulumi ${args.join(' ')} ended with ${code}\n${stdout}\n${stderr}`);
  return stdout;
}

/** A pulumi command in the folder of the example. */
const inExample = (...args: string[]) => succeed(...args, '--cwd', example);
/** What an operation on the example did. */
async function operate(operation: 'up' | 'destroy', ...args: string[]): Promise<Steps> {
  const log = path.join(cloud.stateDir, 'events.json');
  await rm(log, { force: true });
  await inExample(operation, '--yes', '--config-file', stackFile, '--event-log', log, ...args);
  return loggedSteps(log);
}

const identity = () => cloud.identities().userAssignedIdentities.get('rg-reports', 'id-reports');
const vault = () => cloud.vaults().vaults.get('rg-reports', vaultName);
const credentials = () =>
  all(cloud.identities().federatedIdentityCredentials.list('rg-reports', 'id-reports'));
/** Who may do what on the secret itself. */
const grants = async () =>
  (await all(cloud.authorization().roleAssignments.listForScope(secretId))).filter(
    ({ scope }) => scope === secretId,
  );

describe('the example in YAML', () => {
  it('is previewed while nothing of it exists, and deployed', async () => {
    const { summary } = await operate('up');

    const created = summary.filter((step) => !step.startsWith('create pulumi:providers:'));
    expect([...new Set(created)]).toEqual([
      'create aks-workload-identity:identity:FederatedCredentials id-reports',
      'create aks-workload-identity:identity:ManagedIdentity id-reports',
      'create aks-workload-identity:vault:KeyVault kv-reports',
      'create azure-native:authorization:RoleAssignment kv-reports/reports/database-password',
      'create azure-native:keyvault:Secret kv-reports/database-password',
      'create azure-native:keyvault:Vault kv-reports',
      'create azure-native:managedidentity:FederatedIdentityCredential id-reports/reports_nightly',
      'create azure-native:managedidentity:FederatedIdentityCredential id-reports/reports_reports',
      'create azure-native:managedidentity:UserAssignedIdentity id-reports',
      'create pulumi:pulumi:Stack reports-test',
    ]);
  }, 900_000);

  it('creates an identity that trusts two service accounts', async () => {
    const found = await credentials();

    expect(found.map(({ name }) => name)).toEqual(['reports_nightly', 'reports_reports']);
    expect(found.map(({ subject }) => subject)).toEqual([
      'system:serviceaccount:reports:nightly',
      'system:serviceaccount:reports:reports',
    ]);
    for (const credential of found)
      expect(credential).toMatchObject({ issuer, audiences: ['api://AzureADTokenExchange'] });
  });

  it('creates a vault of which the identity may read one secret', async () => {
    const { properties } = await vault();
    expect(properties).toMatchObject({ enableRbacAuthorization: true, publicNetworkAccess: 'Disabled' });
    const { principalId } = await identity();
    expect(await grants()).toEqual([
      expect.objectContaining({
        principalId,
        scope: secretId,
        roleDefinitionId: expect.stringMatching(new RegExp(`/${secretsUser}$`)) as unknown,
      }),
    ]);
  });

  it('has its outputs, and keeps the value of the secret out of the state', async () => {
    const { clientId } = await identity();
    expect(JSON.parse(await inExample('stack', 'output', '--json'))).toEqual({
      clientId,
      vaultUri: `https://${vaultName}.vault.azure.net/`,
    });
    // Compared as a truth value: a failure must not print the state.
    expect((await inExample('stack', 'export')).includes(password)).toBe(false);
  }, 60_000);

  it('changes nothing the second time', async () => {
    const { changed } = await operate('up', '--skip-preview', '--refresh', '--expect-no-changes');
    expect(changed).toEqual([]);
  }, 900_000);

  it('is destroyed but for what holds data or trust: identity, vault and secret stay in Azure', async () => {
    const { summary } = await operate('destroy', '--skip-preview');

    expect(summary.filter((step) => step.startsWith('retain '))).toEqual([
      'retain azure-native:keyvault:Secret kv-reports/database-password',
      'retain azure-native:keyvault:Vault kv-reports',
      'retain azure-native:managedidentity:UserAssignedIdentity id-reports',
    ]);
    expect(await identity()).toMatchObject({ name: 'id-reports' });
    expect(await vault()).toMatchObject({ name: vaultName });
    expect(await credentials()).toEqual([]);
    expect(await grants()).toEqual([]);
  }, 900_000);
});
