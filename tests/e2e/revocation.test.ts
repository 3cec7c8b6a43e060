/**
 * Access is revoked while clients read all the time: in the stack file, and at once by `aks-wi revoke`. The tests prove that
 * tokens that were issued before read nothing, that no new ones are issued, that others keep reading, and that updates keep
 * it so until it is taken back. They record how long it takes on the local cloud, where nothing has to propagate; they do not
 * prove how long it takes on Azure.
 *
 * The tests are steps of one story and run in order.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { TokenCredential } from '@azure/identity';
import type { AzureClients } from '../support/azureClients';
import { all } from '../support/azureClients';
import { projectRoot } from '../support/command';
import { localCloud } from '../support/localCloud';
import { exampleFile } from './support/exampleFile';

jest.setTimeout(15 * 60_000);

const cloud = localCloud('revocation');
const stack = 'revocation';
const group = 'rg-revocation';
const example = exampleFile('revocation');
const file = path.join(cloud.state, 'Pulumi.revocation.yaml');
const request = { stack, file: path.relative(projectRoot, file) };
const vault = 'kv-wi-revocation';
let azure: AzureClients;

const revoke = (...args: string[]) => cloud.command('revoke', '--stack', stack, '--local', ...args);

interface Revoked {
  removed: { kind: string; identity: string; what: string }[];
  failed: unknown[];
  notes: string[];
}
async function revoked(...args: string[]): Promise<Revoked> {
  const { code, stdout, stderr } = await revoke(...args, '--yes', '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as Revoked;
}

const workloadOf = async (application: string, cluster = 'aks-1') => {
  const { workloads } = await cloud.outputs(stack);
  const found = workloads.find(
    (workload) => workload.application === application && workload.cluster === cluster,
  );
  if (found === undefined) throw new Error(`no ${application} on ${cluster}`);
  return found;
};

/** One token of the application's identity, for a new token of its service account: it is never asked for again. */
async function signIn(application: string, cluster = 'aks-1'): Promise<TokenCredential> {
  const { namespace, serviceAccount: name, identity, audience } = await workloadOf(application, cluster);
  const { core } = await cloud.kubernetes(cluster);
  const { status } = await core.createNamespacedServiceAccountToken({
    ...{ name, namespace, body: { spec: { audiences: [audience], expirationSeconds: 600 } } },
  });
  const credential = azure.assertionCredential(identity.clientId, () => Promise.resolve(status?.token ?? ''));
  const issued = await credential.getToken('https://vault.azure.net/.default');
  return { getToken: () => Promise.resolve(issued) };
}

const reading = (credential: TokenCredential, secret: string) =>
  azure.secrets(vault, credential).getSecret(secret);
const refusal = (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => 'accepted',
    (error: unknown) => {
      const { message, code } = error as Error & { code?: string };
      return /AADSTS\d+/.exec(message)?.[0] ?? code ?? message;
    },
  );

/** Repeats an attempt until it is refused or stopped; every attempt that was refused is counted. */
function repeatedly(attempt: () => Promise<unknown>) {
  const run = {
    refusedAt: undefined as number | undefined,
    attempts: 0,
    refusals: [] as string[],
    stop: false,
  };
  const ended = (async () => {
    while (!run.stop && run.refusedAt === undefined) {
      const answer = await refusal(attempt());
      run.attempts += 1;
      if (answer !== 'accepted') {
        run.refusals.push(answer);
        run.refusedAt = performance.now();
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
  return {
    run,
    async end() {
      run.stop = true;
      await ended;
      return run;
    },
    ended,
  };
}

const credentialsOf = async (identity: string) =>
  (await all(azure.identities().federatedIdentityCredentials.list(group, identity)))
    .map(({ subject }) => subject)
    .sort();
const assignmentsOf = async (principalId: string) =>
  (await all(azure.authorization().roleAssignments.listForSubscription()))
    .filter((assignment) => assignment.principalId === principalId)
    .map(({ scope = '' }) => scope.split('/').at(-1) ?? '')
    .sort();

/** Takes everything back that the story revoked. */
const takeBack = () => {
  writeFileSync(file, example);
};

beforeAll(async () => {
  await cloud.start();
  azure = await cloud.azure();
  takeBack();
});
afterAll(() => cloud.clean());

describe('an application that the stack file revokes', () => {
  it('does not hold up the first deployment, although its pods cannot read', async () => {
    const { output } = await cloud.up(request);

    expect(output).toMatch(/\n[1-9]\d* checks passed, 0 failed/);
  });

  it('has an identity without trust and access, which is verified', async () => {
    const { identity } = await workloadOf('legacy');
    const { report } = await cloud.verify(stack);

    expect(await credentialsOf(identity.name)).toEqual([]);
    expect(await assignmentsOf(identity.principalId)).toEqual([]);
    expect(await refusal(signIn('legacy'))).toBe('AADSTS70021');
    expect(report.checks).toContainEqual({
      ...{ cluster: 'aks-1', application: 'legacy', ok: true },
      check: 'is revoked: refuses service account legacy/legacy',
      // On a busy machine it says after how many seconds.
      detail: expect.stringMatching(/^legacy\/legacy of aks-1: AADSTS70021( after \d+ s)?$/) as string,
    });
  });
});

describe('aks-wi revoke with bad input', () => {
  it.each([
    [[], 'None of --application, --cluster and --identity is set.', 'Set exactly one of them.'],
    [
      ['--application', 'orders', '--cluster', 'aks-1'],
      '2 of --application, --cluster and --identity are set.',
      'Set exactly one',
    ],
    [
      ['--application', 'order'],
      'The deployed stack has no application order. It has: orders, billing, shipping, legacy, reports.',
      'Did you mean orders?',
    ],
    [['--cluster', 'aks-3'], 'has no cluster aks-3. It has: aks-1, aks-2.', 'Did you mean'],
    [
      ['--identity', 'id-revocation-aks-1-aso'],
      'has no identity of applications',
      'id-revocation-aks-1-orders',
    ],
  ])('%j is refused with a hint', async (args, message, hint) => {
    const { code, stderr } = await revoke(...args, '--yes');

    expect(code).toBe(1);
    expect(stderr).toContain(message);
    expect(stderr).toContain(hint);
    expect(readFileSync(file, 'utf8')).toBe(example);
  });

  it('shows what it would remove, and removes nothing without --yes', async () => {
    const { code, stdout, stderr } = await revoke('--application', 'orders', '--reason', 'a test');

    expect(code).toBe(1);
    expect(stdout).toContain('+      orders: ');
    expect(stdout).toContain('would be removed  federated credential  orders_orders');
    expect(stderr).toContain('Nothing was revoked: the 3 above would be removed');
    expect(readFileSync(file, 'utf8')).toBe(example);
    await reading(await signIn('orders'), 'orders-db');
  });
});

describe('aks-wi revoke of an application with an identity of its own', () => {
  it('ends what tokens read that were issued before, and the exchange for new ones; others keep reading', async () => {
    const before = await signIn('orders');
    const other = await signIn('billing');
    const vaultReads = repeatedly(() => reading(before, 'orders-db'));
    const exchanges = repeatedly(() => signIn('orders'));
    const others = repeatedly(() => reading(other, 'shared-api-key'));
    const start = performance.now();

    const { removed, failed } = await revoked('--application', 'orders', '--reason', 'a test');
    const end = performance.now();
    await Promise.all([vaultReads.ended, exchanges.ended]);
    const { attempts, refusals } = await others.end();

    const seconds = (at = 0) => ((at - start) / 1000).toFixed(2);
    process.stderr.write(
      `revocation on the local cloud, seconds from the start of the command: refused by the vault ${seconds(vaultReads.run.refusedAt)}, at the exchange ${seconds(exchanges.run.refusedAt)}, command done ${seconds(end)}\n`,
    );

    expect(failed).toEqual([]);
    expect(removed.map(({ kind }) => kind)).toEqual([
      ...['role assignment', 'role assignment', 'federated credential'],
    ]);
    expect(vaultReads.run.refusals).toEqual(['Forbidden']);
    expect(exchanges.run.refusals).toEqual(['AADSTS70021']);
    expect(attempts).toBeGreaterThan(0);
    expect(refusals).toEqual([]);
  });

  it('is noticed by the application, which reads every second', async () => {
    const { namespace } = await workloadOf('orders');
    const { core } = await cloud.kubernetes('aks-1');
    const { items } = await core.listNamespacedPod({ namespace });
    const name = items[0]?.metadata?.name ?? '';
    const last = async () => (await core.readNamespacedPodLog({ name, namespace })).trim().split('\n').at(-1);
    while (!/"event":"failed","secret":/.test((await last()) ?? ''))
      await new Promise((resolve) => setTimeout(resolve, 250));
  });

  it('wrote the reason into the stack file, and nothing else', () => {
    expect(readFileSync(file, 'utf8').split('\n')).toEqual(
      example
        .split('\n')
        .flatMap((line) => (line.startsWith('      legacy: ') ? [line, "      orders: 'a test'"] : [line])),
    );
  });

  it('removes nothing when it is repeated', async () => {
    expect(await revoked('--application', 'orders')).toMatchObject({ removed: [], failed: [] });
  });

  it('is seen by the verification before the next update', async () => {
    const { code, stdout } = await cloud.command('verify', '--stack', stack, '--local');

    expect(code).toBe(1);
    expect(stdout).toContain('aks-1/orders: token exchange:');
    expect(stdout).toContain(
      'After `aks-wi revoke`: `npx aks-wi pulumi --stack revocation up` updates the stack to the revocation.',
    );
  });
});

describe('aks-wi revoke of an application that shares its identity', () => {
  it('removes its sign-in and what it alone reads, and says what its tokens read until they end', async () => {
    const before = await signIn('shipping');
    const { removed, notes } = await revoked('--application', 'shipping');

    expect(removed.map(({ kind, what }) => `${kind} ${what.split('/').at(-1) ?? ''}`)).toEqual([
      'role assignment shipping-db',
      expect.stringMatching(/^federated credential /),
    ]);
    expect(notes.join(' ')).toContain('shipping shared id-revocation-aks-1 with billing');
    expect(await refusal(signIn('shipping'))).toBe('AADSTS700213');
    expect(await refusal(reading(before, 'shipping-db'))).toBe('Forbidden');
    expect(await refusal(reading(before, 'shared-api-key'))).toBe('accepted');
    expect(await refusal(signIn('billing'))).toBe('accepted');
  });
});

describe('aks-wi revoke of a cluster', () => {
  it('removes the access of every identity there, also of the operator and by access policies', async () => {
    const { identity } = await workloadOf('reports', 'aks-2');
    const { removed } = await revoked('--cluster', 'aks-2');

    expect(new Set(removed.map((credential) => credential.identity))).toEqual(
      new Set(['id-revocation-aks-2', 'id-revocation-aks-2-aso', 'id-revocation-aks-2-reports']),
    );
    expect(removed.map(({ kind }) => kind)).toContain('access policy');
    const { properties } = await azure.vaults().vaults.get(group, 'kv-wi-revocation-reports');
    expect(properties.accessPolicies).toEqual([]);
    expect(await assignmentsOf(identity.principalId)).toEqual([]);
    for (const name of ['id-revocation-aks-2', 'id-revocation-aks-2-aso', 'id-revocation-aks-2-reports'])
      expect(await credentialsOf(name)).toEqual([]);
    await reading(await signIn('billing'), 'billing-db');
  });
});

describe('an update after it', () => {
  it('agrees with everything revoked, which is verified, and waits for nothing unavailable', async () => {
    const { output } = await cloud.up(request);

    expect(output).toMatch(/\n[1-9]\d* checks passed, 0 failed/);
    const { identity } = await workloadOf('billing');
    expect(await credentialsOf(identity.name)).toEqual(['system:serviceaccount:billing:billing']);
    expect(await assignmentsOf(identity.principalId)).toEqual(['billing-db', 'shared-api-key']);
  });

  it('leaves no changes and no drift', async () => {
    expect(await cloud.changesOfSecondUpdate(request)).toEqual([]);
  });

  it('restores everything once the entries are removed', async () => {
    takeBack();
    const { output } = await cloud.up(request);

    expect(output).toMatch(/\n[1-9]\d* checks passed, 0 failed/);
    await reading(await signIn('orders'), 'orders-db');
    await reading(await signIn('shipping'), 'shipping-db');
    await signIn('reports', 'aks-2');
  });
});
