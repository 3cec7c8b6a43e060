import { dependencies } from '../../package.json';
import type { Cloud } from '../../components/azure/clouds';
import { messageOf } from '../../components/resource/errors';
import { fieldsOf } from '../../components/resource/fields';
import { isOlder } from '../../stacks/isOlder';
import { addressOf, credential } from '../azureReader';
import { notFound, type capture } from '../capture';
import { claimsOf } from '../claims';
import { parsedJson } from '../json';
import { UserError } from '../userError';
import type { ReadDocument } from './document';
import { checked, type Finding } from './finding';

/** A workstation as its checks see it; tests replace it. */
export interface Workstation {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** Version of Node. */
  readonly node: string;
  readonly cloud: Cloud;
  readonly run: typeof capture;
  readonly readDocument: ReadDocument;
  readonly now: () => number;
  /** Signs in. Returns a token for the resource manager. */
  readonly token: () => Promise<string>;
}

/** Signs in as the commands do, with a token for the resource manager. */
export async function resourceManagerToken(cloud: Cloud, env: NodeJS.ProcessEnv): Promise<string> {
  const scope = `${addressOf(cloud, 'resourceManager')}/.default`;
  const token = await credential(env, cloud.operator?.authorityHost).getToken(scope);
  return token?.token ?? '';
}

/** Checks the programs, the sign-in and the clock of this machine. */
export async function workstationFindings(workstation: Workstation): Promise<Finding[]> {
  const { env } = workstation;
  const usesCli = env.ARM_CLIENT_ID === undefined && env.AZURE_CLIENT_ID === undefined;
  const pulumi = await checked('Pulumi', () => pulumiVersion(workstation));
  const findings = await Promise.all([
    checked('Node', () => Promise.resolve(nodeVersion(workstation.node))),
    ...(pulumi.state === 'failed'
      ? []
      : [
          checked('Pulumi backend', () => backend(workstation)),
          checked('Pulumi plugins', () => plugins(workstation)),
        ]),
    checked('kubectl', () =>
      program(
        workstation,
        ['kubectl', 'version', '--client', '--output', 'json'],
        'gitVersion',
        'You need it only to look into clusters.',
      ),
    ),
    ...(usesCli
      ? [
          checked('Azure CLI', () =>
            program(
              workstation,
              ['az', 'version', '--output', 'json'],
              'azure-cli',
              'Without ARM_CLIENT_ID or AZURE_CLIENT_ID, you sign in with it.',
            ),
          ),
        ]
      : []),
    checked('sign-in', () => signIn(workstation)),
    checked('Entra and the clock', () => clock(workstation)),
  ]);
  return [pulumi, ...findings];
}

/** The command does not start with a version that the project excludes. */
const nodeVersion = (version: string) =>
  version.startsWith('20.')
    ? {
        detail: `${version}; support for Node 20 has ended`,
        hint: 'Install Node 22 or 24 (https://nodejs.org).',
      }
    : version;

async function pulumiVersion({ run, cwd }: Workstation) {
  const { code, stdout, stderr } = await run('pulumi', ['version'], { cwd });
  if (code === notFound)
    throw new UserError('pulumi is not on PATH.', 'Install it (https://www.pulumi.com/docs/install/).');
  const version = /\d+\.\d+\.\d+/.exec(stdout)?.[0];
  if (code !== 0 || version === undefined)
    throw new UserError(`\`pulumi version\` failed: ${stderr.trim() || stdout.trim()}`, 'Install it again.');
  const sdk = dependencies['@pulumi/pulumi'];
  if (version.split('.')[0] !== sdk.split('.')[0])
    throw new UserError(`Pulumi ${version} does not fit the program's SDK ${sdk}.`, `Install Pulumi ${sdk}.`);
  return isOlder(version, sdk)
    ? { detail: `${version}, older than the program's SDK ${sdk}`, hint: `Install Pulumi ${sdk} or newer.` }
    : version;
}

async function backend({ run, cwd }: Workstation): Promise<string> {
  const { code, stdout, stderr } = await run('pulumi', ['whoami', '--json', '--non-interactive'], { cwd });
  const { user, url } = fieldsOf(parsedJson(stdout));
  if (code === 0) return `${String(user)} at ${withoutSecrets(String(url))}`;
  throw new UserError(
    `Pulumi is not logged in: ${stderr.trim().split('\n')[0] ?? ''}`,
    'Log in to the state backend: `pulumi login` (docs/state.md).',
  );
}

/** User info and queries of backends may contain passwords and keys. */
function withoutSecrets(url: string): string {
  return url.replace(/[?#].*$/s, '').replace(/^([a-z][a-z\d+.-]*:\/\/)[^/]*@/i, '$1');
}

/** The providers of the program, without their npm scope. */
const providers = ['azure-native', 'azuread', 'kubernetes', 'tls'] as const;

async function plugins({ run, cwd }: Workstation) {
  const { code, stdout, stderr } = await run('pulumi', ['plugin', 'ls', '--json'], { cwd });
  const listed = parsedJson(stdout);
  if (code !== 0 || !Array.isArray(listed))
    throw new UserError(`\`pulumi plugin ls\` failed: ${stderr.trim()}`, 'Install Pulumi again.');
  const installed = new Set(
    listed.map(fieldsOf).map(({ name, version }) => `${String(name)} ${String(version)}`),
  );
  const needed = providers.map((name) => `${name} ${dependencies[`@pulumi/${name}`]}`);
  const missing = needed.filter((plugin) => !installed.has(plugin));
  if (missing.length === 0) return needed.join(', ');
  return {
    detail: `not installed: ${missing.join(', ')}`,
    hint: 'The next update downloads them. Without a network, run `pulumi install` before.',
  };
}

/** Checks a program that only some tasks need. @param field field of its output with the version, at any depth */
async function program(
  { run, cwd }: Workstation,
  [name = '', ...args]: readonly string[],
  field: string,
  why: string,
) {
  const { code, stdout, stderr } = await run(name, args, { cwd });
  if (code === 0) return new RegExp(`"${field}": *"v?([^"]+)"`).exec(stdout)?.[1] ?? 'installed';
  const detail =
    code === notFound ? `${name} is not on PATH` : `${name} failed: ${stderr.trim().split('\n')[0] ?? ''}`;
  return { detail, hint: `Install ${name}. ${why}` };
}

async function signIn({ token }: Workstation): Promise<string> {
  const text = await token().catch((error: unknown) => {
    throw new UserError(
      messageOf(error).trim(),
      'Sign in: `az login`, or set the ARM_… or AZURE_… variables.',
    );
  });
  const { upn, appid, oid, tid } = claimsOf(text);
  return `${String(upn ?? appid ?? oid)}, tenant ${String(tid)}`;
}

/** Seconds by which a clock may differ. Entra refuses tokens that are not yet valid or expired, with five minutes of leeway. */
const tolerated = { warning: 30, failed: 300 };

/** Entra's discovery document shows that Entra can be reached; its answer has the time. */
async function clock({ env, cloud, now, readDocument }: Workstation) {
  const host =
    cloud.operator?.authorityHost ?? env.AZURE_AUTHORITY_HOST ?? 'https://login.microsoftonline.com/';
  const tenant = env.ARM_TENANT_ID ?? env.AZURE_TENANT_ID ?? 'organizations';
  const { date } = await readDocument(
    `${host.replace(/\/$/, '')}/${tenant}/v2.0/.well-known/openid-configuration`,
  );
  if (Number.isNaN(date.getTime()))
    return { detail: 'reachable; its answer has no time', hint: 'Check the clock by hand.' };
  const seconds = Math.round((now() - date.getTime()) / 1000);
  const off = `the clock is ${Math.abs(seconds)} s ${seconds > 0 ? 'fast' : 'slow'}`;
  const hint = 'Synchronize the clock (NTP): tokens outside their validity get AADSTS700024.';
  if (Math.abs(seconds) >= tolerated.failed) throw new UserError(`${off}.`, hint);
  return Math.abs(seconds) >= tolerated.warning ? { detail: off, hint } : 'reachable, and the clock agrees';
}
