import { dependencies } from '../../../package.json';
import { workstationFindings, type Workstation } from '../../../cli/doctor/workstation';
import { currentCloud } from '../../../components/azure/clouds';
import { UserError } from '../../../cli/userError';

// What fakes do not prove: what the programs and Entra answer; tests/e2e/doctor.test.ts asks those of the local cloud.

const time = Date.parse('2026-11-28T00:00:00Z');
const plugin = (name: 'azure-native' | 'azuread' | 'kubernetes' | 'tls') => ({
  ...{ name, kind: 'resource', version: dependencies[`@pulumi/${name}`] },
});
const answers: Readonly<Record<string, string>> = {
  'pulumi version': `v${dependencies['@pulumi/pulumi']}\n`,
  'pulumi whoami --json --non-interactive': '{"user":"dana","url":"https://app.pulumi.com/dana"}',
  'pulumi plugin ls --json': JSON.stringify(
    (['azure-native', 'azuread', 'kubernetes', 'tls'] as const).map(plugin),
  ),
  'kubectl version --client --output json': '{"clientVersion":{"gitVersion":"v1.34.1"}}',
  'az version --output json': '{"azure-cli": "2.80.0"}',
};
const claims = Buffer.from('{"upn":"dana@example.com","tid":"t-1"}').toString('base64url');

/** A workstation in order, but for the changes. Programs answer by their command line; undefined for one that is not there. */
function workstation(
  changes: Partial<Workstation> = {},
  programs: Readonly<Record<string, string | { stderr: string } | undefined>> = {},
): Workstation {
  const all = { ...answers, ...programs };
  return {
    ...{ env: {}, cwd: '/', node: '22.17.0', cloud: currentCloud(undefined, {}), now: () => time },
    run: (file, args) => {
      const answer = all[[file, ...args].join(' ')];
      if (answer === undefined) return Promise.resolve({ code: 127, stdout: '', stderr: '' });
      return Promise.resolve(
        typeof answer === 'string'
          ? { code: 0, stdout: answer, stderr: '' }
          : { code: 255, stdout: '', ...answer },
      );
    },
    readDocument: () => Promise.resolve({ fields: {}, date: new Date(time) }),
    token: () => Promise.resolve(`.${claims}.`),
    ...changes,
  };
}
const at = (seconds: number): Partial<Workstation> => ({
  readDocument: () => Promise.resolve({ fields: {}, date: new Date(time - seconds * 1000) }),
});
const refusing = (error: Error): Partial<Workstation> => ({ token: () => Promise.reject(error) });

it('in order, it has no finding but ok', async () => {
  const findings = await workstationFindings(workstation());
  expect(findings.filter(({ state }) => state !== 'ok')).toEqual([]);
  expect(findings.map(({ check }) => check)).toEqual([
    ...['Pulumi', 'Node', 'Pulumi backend', 'Pulumi plugins', 'kubectl', 'Azure CLI'],
    ...['sign-in', 'Entra and the clock'],
  ]);
  expect(findings.find(({ check }) => check === 'sign-in')?.detail).toBe('dana@example.com, tenant t-1');
});

it.each([
  ['azblob://state?storage_account=st&sas=secret', 'azblob://state'],
  ['postgres://dana:secret@db.example/state?password=secret', 'postgres://db.example/state'],
  ['https://dana:se@cret@pulumi.example/', 'https://pulumi.example/'],
  ['file:///home/dana@work/state', 'file:///home/dana@work/state'],
])('it shows the backend %s without user info and query', async (url, shown) => {
  const whoami = JSON.stringify({ user: 'dana', url });
  const findings = await workstationFindings(
    workstation({}, { 'pulumi whoami --json --non-interactive': whoami }),
  );
  expect(findings.find(({ check }) => check === 'Pulumi backend')?.detail).toBe(`dana at ${shown}`);
});

it('with a client id in the environment, the Azure CLI is not needed', async () => {
  const findings = await workstationFindings(
    workstation({ env: { ARM_CLIENT_ID: 'c' } }, { 'az version --output json': undefined }),
  );
  expect(findings.filter(({ state }) => state !== 'ok')).toEqual([]);
});

const wrong: readonly [fault: string, state: string, check: string, hint: string, Workstation][] = [
  ['Node 20', 'warning', 'Node', 'Install Node 22 or 24', workstation({ node: '20.20.2' })],
  ['no Pulumi', 'failed', 'Pulumi', 'docs/install', workstation({}, { 'pulumi version': undefined })],
  [
    'a Pulumi that does not start',
    'failed',
    'Pulumi',
    'Install',
    workstation({}, { 'pulumi version': { stderr: 'x' } }),
  ],
  ['an older Pulumi', 'warning', 'Pulumi', 'or newer', workstation({}, { 'pulumi version': 'v3.1.0' })],
  [
    'another major Pulumi',
    'failed',
    'Pulumi',
    'Install Pulumi',
    workstation({}, { 'pulumi version': 'v4.0.0' }),
  ],
  [
    ...['no login to the backend', 'failed', 'Pulumi backend', 'pulumi login'],
    workstation({}, { 'pulumi whoami --json --non-interactive': { stderr: 'error: not logged in' } }),
  ] as [string, string, string, string, Workstation],
  [
    'no plugin',
    'warning',
    'Pulumi plugins',
    'downloads them',
    workstation({}, { 'pulumi plugin ls --json': '[]' }),
  ],
  [
    'no kubectl',
    'warning',
    'kubectl',
    'Install kubectl',
    workstation({}, { 'kubectl version --client --output json': undefined }),
  ],
  [
    'no Azure CLI',
    'warning',
    'Azure CLI',
    'Install az',
    workstation({}, { 'az version --output json': undefined }),
  ],
  [
    'no sign-in',
    'failed',
    'sign-in',
    'az login',
    workstation(refusing(new Error('ChainedTokenCredential failed'))),
  ],
  [
    ...[
      'a federated credential that does not match',
      'failed',
      'sign-in',
      'another namespace or service account',
    ],
    workstation(refusing(new Error('AADSTS700213: No matching federated identity record found'))),
  ] as [string, string, string, string, Workstation],
  ['a slow clock', 'failed', 'Entra and the clock', 'NTP', workstation(at(-400))],
  ['a fast clock', 'failed', 'Entra and the clock', 'NTP', workstation(at(400))],
  ['a clock that is a little fast', 'warning', 'Entra and the clock', 'NTP', workstation(at(60))],
  ['an answer without a time', 'warning', 'Entra and the clock', 'by hand', workstation(at(NaN))],
  [
    ...['no network', 'failed', 'Entra and the clock', 'proxy'],
    workstation({
      readDocument: () => Promise.reject(new UserError('x cannot be reached', 'Check its proxy.')),
    }),
  ] as [string, string, string, string, Workstation],
];

it.each(wrong)('with %s, it has one %s: %s', async (_, state, check, hint, faulty) => {
  const findings = (await workstationFindings(faulty)).filter((finding) => finding.state !== 'ok');
  expect(findings).toEqual([
    { check, state, detail: expect.any(String) as string, hint: expect.stringContaining(hint) as string },
  ]);
});
