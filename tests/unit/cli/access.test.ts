import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { accessCommand } from '../../../cli/access/command';
import { differenceInMarkdown } from '../../../cli/access/markdown';
import { accessPicture } from '../../../cli/access/picture';
import { accessBySettings } from '../../../cli/access/sources';
import { runInProcess } from '../../../cli/access/dryRunProcess';
import { unknownValue } from '../../../cli/preview';
import { runPulumi } from '../../../cli/pulumi';
import type { AccessChange } from '../../../stacks/access/difference';
import { answer } from '../../../stacks/dryRun/answer';
import type { DryRunRequest } from '../../../stacks/dryRun/request';
import { projectRoot } from '../../support/command';
import { reviewed } from '../support/reviewed';
import { refusalOf } from './refusal';
import { stackText, withProject } from './projectFolder';

jest.mock('../../../cli/access/dryRunProcess');
jest.mock('../../../cli/pulumi', () => ({
  ...jest.requireActual<object>('../../../cli/pulumi'),
  runPulumi: jest.fn(),
}));

/** In this process. */
async function answered(requests: string) {
  // jest's own gives lists that the SDK does not take for lists.
  jest
    .spyOn(globalThis, 'structuredClone')
    .mockImplementation((value: unknown) => JSON.parse(JSON.stringify(value)));
  const answers = [];
  for (const request of JSON.parse(requests) as DryRunRequest[]) answers.push(await answer(request));
  return { code: 0, stderr: '', stdout: JSON.stringify(answers) };
}

const orders = (secrets: string) => `{ name: orders, image: 'ghcr.io/x/orders:1', secrets: [${secrets}] }`;
const files: Record<string, string> = {
  'Pulumi.dev.yaml': stackText('dev', orders('orders-db')),
  'Pulumi.prod.yaml': stackText('prod', orders('orders-db, pay-ment')),
};

/** What the command prints in a project with two stacks. */
async function run(...args: string[]): Promise<string> {
  return withProject(files, async (folder) => {
    jest.spyOn(process, 'cwd').mockReturnValue(folder);
    writeFileSync(path.join(folder, 'broken.json'), '{"environment":"dev"}');
    writeFileSync(path.join(folder, 'page.html'), '');
    writeFileSync(path.join(folder, 'Pulumi.wrong.yaml'), stackText('wrong', orders('UPPER CASE')));
    jest.mocked(runInProcess).mockImplementation(answered);
    let printed = '';
    jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
      printed += String(text);
      return true;
    });
    const inFolder = args.map((arg) => arg.replace('@', `${folder}/`));
    await accessCommand().exitOverride().parseAsync(inFolder, { from: 'user' });
    return stripVTControlCharacters(printed);
  });
}

afterEach(() => jest.restoreAllMocks());

const shows = reviewed(__filename);

describe('aks-wi access', () => {
  shows('shows who could read what by the settings', () => run('--stack', 'dev'));
  shows('shows it to scripts', () => run('--stack', 'dev', '--json'));

  it('draws the picture of the documentation', async () => {
    jest.spyOn(process, 'cwd').mockReturnValue(projectRoot);
    jest.mocked(runInProcess).mockImplementation(answered);
    const origin = { from: 'planned' as const, at: new Date('2026-12-01T00:00:00Z') };
    const drawn = accessPicture(await accessBySettings('local'), origin);

    const picture = path.join(projectRoot, 'docs', 'access.svg');
    if (process.env.npm_lifecycle_event === 'picture') writeFileSync(picture, drawn);
    expect(readFileSync(picture, 'utf8')).toBe(drawn);
  });

  it('shows who can use what by the state of what is deployed', async () => {
    const urn = (type: string, name: string) => `urn:pulumi:dev::aks-workload-identity::${type}::${name}`;
    const group = '/subscriptions/s/resourceGroups/rg/providers';
    const id = `${group}/Microsoft.ManagedIdentity/userAssignedIdentities/id-orders`;
    const resources = [
      {
        ...{ urn: urn('azure-native:managedidentity:UserAssignedIdentity', 'orders'), id },
        ...{ inputs: { resourceName: 'id-orders' }, outputs: { principalId: 'p' } },
      },
      {
        urn: urn('azure-native:managedidentity:FederatedIdentityCredential', 'orders/orders'),
        ...{ id: `${id}/federatedIdentityCredentials/orders` },
        inputs: {
          issuer: 'https://issuer',
          subject: 'system:serviceaccount:orders:orders',
          audiences: ['a'],
        },
      },
      {
        urn: urn('azure-native:authorization:RoleAssignment', 'kv/orders/orders-db'),
        inputs: {
          ...{ principalId: 'p', scope: `${group}/Microsoft.KeyVault/vaults/kv/secrets/orders-db` },
          roleDefinitionId: '/roleDefinitions/4633458b-17de-408a-b874-0445c86b69e6',
        },
      },
    ];
    jest.mocked(runPulumi).mockResolvedValue(JSON.stringify({ deployment: { resources } }));
    const shown = await run('--stack', 'dev', '--deployed');
    expect(shown).toMatch(/orders\/.*id-orders.*kv\/orders/);
    expect(runPulumi).toHaveBeenCalledWith(expect.objectContaining({ name: 'dev' }), ['stack', 'export']);
  });

  it('shows who can use what after an update by its preview, in which ids are not known', async () => {
    const urn = (type: string, name: string) => `urn:pulumi:dev::aks-workload-identity::${type}::${name}`;
    const identity = urn('azure-native:managedidentity:UserAssignedIdentity', 'orders');
    const secret =
      '/subscriptions/s/resourceGroups/rg/providers/Microsoft.KeyVault/vaults/kv/secrets/orders-db';
    const steps = [
      {
        urn: identity,
        newState: { inputs: { resourceName: 'id-orders' }, outputs: { principalId: unknownValue } },
      },
      {
        urn: urn('azure-native:managedidentity:FederatedIdentityCredential', 'orders/orders'),
        newState: {
          inputs: {
            ...{ issuer: 'https://issuer', subject: 'system:serviceaccount:orders:orders', audiences: ['a'] },
            resourceName: unknownValue,
          },
          propertyDependencies: { resourceName: [identity] },
        },
      },
      {
        urn: urn('azure-native:authorization:RoleAssignment', 'kv/orders/orders-db'),
        newState: {
          inputs: {
            ...{ principalId: unknownValue, scope: secret },
            roleDefinitionId: '/roleDefinitions/4633458b-17de-408a-b874-0445c86b69e6',
          },
          propertyDependencies: { principalId: [identity] },
        },
      },
    ].map((step) => ({ op: 'create', ...step }));
    const preview = (changeSummary: object) =>
      `A note.\n${JSON.stringify({ steps, changeSummary }, null, 4)}`;
    const compare = () => run('--diff', '@empty.json', '@preview.json', '--json');
    const nothing = {
      identities: [],
      readers: [],
      unread: [],
      counts: { trusts: 0, grants: 0, groups: 0, readers: 0 },
    };
    files['empty.json'] = JSON.stringify({ environment: 'dev', ...nothing });
    files['preview.json'] = preview({ create: 3 });
    expect(JSON.parse(await compare())).toMatchObject({
      changes: [
        {
          kind: 'gained',
          who: ['https://issuer/orders/orders'],
          identities: ['id-orders'],
          what: ['kv/orders-db'],
        },
      ],
    });
    files['preview.json'] = preview({ create: 3, same: 1 });
    expect(await refusalOf(compare)).toMatch(/without the resources that stay unchanged.*--show-sames/s);
  });

  it('compares nothing with an environment of which a cell cannot be read', async () => {
    const type = 'pulumi:pulumi:Stack';
    const outputs = { environment: 'dev', cells: [{ stack: 'dev-a' }] };
    const resources = [{ urn: `urn:pulumi:dev::p::${type}::p-dev`, type, outputs }];
    jest
      .mocked(runPulumi)
      .mockImplementation(({ name }) =>
        name === 'dev-a'
          ? Promise.reject(new Error('no answer'))
          : Promise.resolve(JSON.stringify({ deployment: { resources } })),
      );
    const exitCode = process.exitCode;
    await expect(run('--stack', 'dev', '--diff')).rejects.toThrow(
      'Some cells cannot be read, so their access would look changed.',
    );
    process.exitCode = exitCode;
  });

  it('says which encrypted value has come under another key', async () => {
    const secrets = (of: Record<string, string>) =>
      Object.entries(of).map(([name, text]) => `    ${name}: { secure: v1:${text} }\n`);
    const stackFileWith = (of: Record<string, string>) =>
      `${stackText('dev', `${orders('orders-db')}, ${orders('billing-db').replace('orders,', 'billing,')}`)}  aks-workload-identity:secretValues:\n${secrets(of).join('')}`;
    files['values/Pulumi.dev.yaml'] = stackFileWith({ 'orders-db': 'abc', 'billing-db': 'def' });
    const changesTo = async (of: Record<string, string>) => {
      files['later/Pulumi.dev.yaml'] = stackFileWith(of);
      const reported = await run('--diff', '@values/Pulumi.dev.yaml', '@later/Pulumi.dev.yaml', '--json');
      return (JSON.parse(reported) as { changes: AccessChange[] }).changes;
    };
    expect(await changesTo({ 'orders-db': 'new', 'billing-db': 'def' })).toEqual([]);
    expect(await changesTo({ 'orders-db': 'def', 'billing-db': 'new' })).toMatchObject([
      {
        kind: 'not judged',
        who: [expect.stringMatching(/^encrypted value [0-9a-f]{12}$/)],
        why: 'aks-workload-identity:secretValues.billing-db → aks-workload-identity:secretValues.orders-db',
      },
    ]);
  });

  it('names what differs between the files of the projects', async () => {
    files['other/Pulumi.yaml'] =
      'name: test\nconfig: { aks-workload-identity:identity: { default: application } }\n';
    files['other/Pulumi.dev.yaml'] = stackText('dev', orders('orders-db'));
    const { changes } = JSON.parse(
      await run('--diff', '@Pulumi.dev.yaml', '@other/Pulumi.dev.yaml', '--json'),
    ) as { changes: AccessChange[] };
    expect(changes).toMatchObject([
      { kind: 'not judged', who: ['Pulumi.yaml'], what: ['config.aks-workload-identity:identity'] },
    ]);
  });

  it('reads the stack file that --file names', async () => {
    const { environment, identities } = JSON.parse(
      await run('--stack', 'dev', '--file', '@Pulumi.prod.yaml', '--json'),
    ) as { environment: string; identities: unknown };
    expect(environment).toBe('dev');
    expect(JSON.stringify(identities)).toContain('pay-ment');
  });

  it('compares what is deployed with the stack file that --file names', async () => {
    files['elsewhere/any.yaml'] = stackText('dev', orders('pay-ment'));
    jest.mocked(runPulumi).mockResolvedValue(JSON.stringify({ deployment: { resources: [] } }));
    const { after, changes } = JSON.parse(
      await run('--stack', 'org/test/dev', '--file', '@elsewhere/any.yaml', '--diff', '--json'),
    ) as { after: string; changes: AccessChange[] };
    expect(after).toBe('dev');
    expect(changes.map(({ kind, what }) => [kind, what])).toContainEqual(['gained', ['kv-dev/pay-ment']]);
  });

  it.each([
    [['--stack', 'dev', '--file', 'x.yaml', '--deployed'], "cannot be used with option '--deployed'"],
    [['--file', 'x.yaml', '--diff', 'a', 'b'], 'Add --stack NAME, or name the file as a side of --diff.'],
    [['--file', 'x.yaml'], 'Name a stack with --stack'],
  ])('refuses %j', async (args, refusal) => {
    expect(await refusalOf(() => run(...args))).toContain(refusal);
  });

  const sides = ['--diff', '@Pulumi.dev.yaml', '@Pulumi.prod.yaml'];
  shows('compares a stack file with another', () => run(...sides));
  shows('compares them for scripts', () => run(...sides, '--json'));
  shows('compares them for a pull request', () => run(...sides, '--markdown'));

  it('makes a comment no longer than GitHub takes, and names how many changes it leaves out', () => {
    const changes = Array.from({ length: 190 }, (_, index): AccessChange => ({
      ...{ kind: 'gained', who: ['aks-1/orders/orders'], identities: ['id'], what: [`kv/s${index}`] },
      why: 'b'.repeat(1000),
    }));
    const none = { trusts: 0, grants: 0, groups: 0, readers: 0 };
    const counts = { before: none, after: none };
    const comment = differenceInMarkdown({ before: 'dev', after: 'dev', changes, counts });
    expect(comment).toContain('190 gained.');
    expect(comment.length).toBeLessThan(65_536);
    const shown = comment.match(/\*\*gained\*\*/g)?.length ?? 0;
    expect(shown).toBeGreaterThan(50);
    expect(comment).toContain(`and ${190 - shown} more; \`aks-wi access --diff\` shows all.`);
  });

  const same = ['--diff', '@Pulumi.dev.yaml', '@Pulumi.dev.yaml'];
  shows('says that nothing changes', () => run(...same));
  shows('says so in a comment', () => run(...same, '--markdown'));

  for (const args of [
    [],
    ['--stack', 'nowhere'],
    ['--stack', 'dev', '--markdown'],
    ['--stack', 'dev', '--fail-on', 'gained'],
    ['--diff'],
    ['--diff', 'dev'],
    ['--diff', 'a', 'b', 'c'],
    ['--stack', 'dev', '--diff', 'a', 'b'],
    ['--html', 'x.html', '--diff', 'a', 'b'],
    ['--diff', 'a', 'b', '--json', '--markdown'],
    ['--stack', 'dev', '--svg', '@none/a.svg'],
    ['--diff', '@page.html', 'dev'],
    ['--diff', '@none.json', '@Pulumi.dev.yaml'],
    ['--diff', '@broken.json', '@Pulumi.dev.yaml'],
    ['--diff', '@none.yaml', '@Pulumi.dev.yaml'],
    ['--stack', 'wrong'],
  ])
    shows(`refuses ${args.join(' ')}`.trim(), async () => {
      const refusal = await refusalOf(() => run(...args));
      return refusal.replaceAll(/\/[^ ']*aks-wi-project-\w+/g, '<project>');
    });
});
