import { stripVTControlCharacters } from 'node:util';
import { allowedBy } from '../../../cli/audit/assignments';
import { auditCommand, parseSince } from '../../../cli/audit/command';
import type { LogRow, QueryLog } from '../../../cli/audit/log';
import { isVerification, knownReaders, readBy, type ReadBy } from '../../../cli/audit/readers';
import { requestsQuery } from '../../../cli/audit/requests';
import { candidates, findSignIns } from '../../../cli/audit/signIns';
import { select } from '../../../cli/audit/selection';
import { renderReads } from '../../../cli/audit/table';
import { onlySecrets } from '../../../components/vault/nameCondition';
import { parseQuery } from '../../../localcloud/azure/logs/kqlParser';
import { twoClusters } from '../verification/outputs.fixture';
import { foreign, requests, stranger } from './auditRows';

const secretsUser = '4633458b-17de-408a-b874-0445c86b69e6';

const readers = () => knownReaders(twoClusters());
const reads = (...changes: Record<string, unknown>[]): ReadBy[] => readBy(requests(...changes), readers());

it('an identity that an application has on several clusters is one reader', () => {
  const outputs = twoClusters();
  const [first, second] = outputs.workloads.filter(({ application }) => application === 'orders');
  if (first === undefined || second === undefined) throw new Error('orders runs on two clusters');
  second.identity = first.identity;
  const ofOrders = knownReaders(outputs).filter(({ applications }) => applications.includes('orders'));
  expect(ofOrders).toMatchObject([{ cluster: 'aks-1, aks-2', applications: ['orders'] }]);
});

describe('the query', () => {
  it('stays in the part of KQL that the local cloud knows, and asks for these vaults only', () => {
    const query = requestsQuery({ vaults: ['/v/1', '/v/2'], secret: 'orders-db', readers: ['a'] });
    expect(parseQuery(query).steps.map(({ kind }) => kind)).toEqual([
      ...['where', 'where', 'where', 'where', 'summarize'],
    ]);
    expect(query).toContain('_ResourceId in~ ("/v/1", "/v/2")');
    expect(query).toContain('RequestUri contains "secrets/orders-db"');
    expect(query).toContain('tostring(Identity.claim.oid) in~ ("a")');
  });
});

describe('the rows of the log', () => {
  it('are read without the port, the version and the query of the address', () => {
    expect(requests({})).toMatchObject([
      {
        ...{ operation: 'SecretGet', vault: 'kv-central', secret: 'orders-db', status: 200, times: 2 },
        ...{ assignment: 'abc', byPolicy: false, byVerification: false, address: '10.0.0.1' },
      },
    ]);
    const [list] = requests({
      RequestUri: 'https://kv-central.vault.azure.net:8443/secrets?api-version=7.6',
    });
    expect(list?.secret).toBeUndefined();
    const [deleted] = requests({ RequestUri: 'https://kv.vault.azure.net:8443/deletedsecrets/old' });
    expect(deleted?.secret).toBe('old');
  });

  it('are one if only version, client or query differ, with the first and the last time', () => {
    const [first, ...more] = requests(
      { CallerIpAddress: 'earlier' },
      {
        RequestUri: 'https://kv-central.vault.azure.net:8443/secrets/orders-db/1?api-version=7.5',
        ClientInfo: 'Go-http-client',
        First: new Date('2027-01-01T12:00:00Z'),
        TimeGenerated: new Date('2027-01-03T00:00:00Z'),
      },
    );
    expect(more).toEqual([]);
    expect(first).toMatchObject({
      ...{ times: 4, address: '10.0.0.1' },
      first: new Date('2027-01-01T00:00:00Z'),
      last: new Date('2027-01-03T00:00:00Z'),
    });
  });

  it('stay apart by reader, result, assignment, and whether the verification read', () => {
    const all = requests(
      {},
      foreign,
      { HttpStatusCode: 403 },
      { AppliedAssignmentId: 'other' },
      { ClientInfo: 'aks-wi-verify azsdk-js-keyvault-secrets/4.12.0' },
    );
    expect(all).toHaveLength(5);
    expect(all.map(({ byVerification }) => byVerification)).toEqual([false, false, false, false, true]);
  });
});

describe('who read', () => {
  it('lists the applications of an identity, with readers outside the stack first', () => {
    const [first, second] = reads({}, foreign);
    expect(first).toMatchObject({ reader: undefined, objectId: stranger });
    expect(second?.reader?.identity).toBe('id-aks-1');
    const [known] = reads({ ObjectId: 'PRINCIPAL-id-aks-1' });
    expect(known?.reader).toMatchObject({ cluster: 'aks-1', applications: ['orders'] });
  });
});

describe('what allowed it', () => {
  const scope = '/subscriptions/s/resourceGroups/rg/providers/Microsoft.KeyVault/vaults/kv-central';
  const assigned = (change: object = {}) => {
    const assignment = { id: 'i', name: 'abc', scope: `${scope}/secrets/orders-db`, role: secretsUser };
    return new Map([['abc', { ...assignment, principalId: 'principal-id-aks-1', ...change }]]);
  };
  const roles = new Map([[secretsUser, 'Key Vault Secrets User']]);
  const own = { displayName: 'sg', objectId: 'group-of-stack', isMade: true, grants: [], members: [] };
  const groups = [{ ...own, name: 'readers' }];
  const by = (assignments: ReturnType<typeof assigned> | undefined, change = {}) => {
    const [read] = reads({ ObjectId: 'principal-id-aks-1', ...change });
    return read && allowedBy(read, assignments, roles, groups);
  };

  it.each([
    ['a grant of the stack', assigned(), {}, 'grant of the stack'],
    ['a role on the whole vault', assigned({ scope }), {}, 'Key Vault Secrets User on vault kv-central'],
    [
      'a role on the vault under a condition that names the secret',
      assigned({ scope, condition: onlySecrets(['orders-db']) }),
      {},
      'grant of the stack',
    ],
    [
      'a role on the vault under another condition',
      assigned({ scope, condition: onlySecrets(['billing-db']) }),
      {},
      'Key Vault Secrets User on vault kv-central',
    ],
    [
      'a role in the subscription',
      assigned({ scope: '/subscriptions/s', role: 'r' }),
      {},
      'r on the subscription',
    ],
    [
      'a role of a group',
      assigned({ principalId: 'group' }),
      {},
      'Key Vault Secrets User on secret orders-db, as a member of group',
    ],
    [
      'a grant to a group of the stack',
      assigned({ principalId: 'group-of-stack' }),
      {},
      'grant of the stack to the group readers',
    ],
    [
      'a role of a group of the stack that the stack did not give',
      assigned({ principalId: 'group-of-stack', scope }),
      {},
      'Key Vault Secrets User on vault kv-central, as a member of readers',
    ],
    [
      'a role of an identity of the stack that the stack did not name',
      assigned({ scope: `${scope}/secrets/billing-db` }),
      { RequestUri: 'https://kv-central.vault.azure.net:8443/secrets/billing-db' },
      'Key Vault Secrets User on secret billing-db',
    ],
    [
      'a role of nobody in the stack',
      assigned({ principalId: stranger }),
      foreign,
      'Key Vault Secrets User on secret orders-db',
    ],
    ['an assignment that is gone', new Map(), {}, 'assignment abc, which no longer exists'],
    ['an assignment that could not be read', undefined, {}, 'assignment abc'],
    [
      'an access policy',
      assigned(),
      { AppliedAssignmentId: '', IsAccessPolicyMatch: true },
      'access policy of the vault',
    ],
    ['nothing', assigned(), { AppliedAssignmentId: '', HttpStatusCode: 403 }, ''],
  ])('is %s', (_what, assignments, change, expected) => {
    expect(by(assignments as ReturnType<typeof assigned> | undefined, change)).toBe(expected);
  });
});

describe('sign-ins', () => {
  const signIn = (time: string, change: Record<string, unknown> = {}) => ({
    TimeGenerated: new Date(time),
    ServicePrincipalId: 'PRINCIPAL-id-aks-1',
    IPAddress: '20.0.0.1',
    FederatedCredentialId: 'fic',
    CorrelationId: 'c',
    ...change,
  });
  const asked: string[] = [];
  const find = async (rows: LogRow[] | undefined) => {
    const notes: string[] = [];
    const query: QueryLog = (text, from) => {
      asked.push(`${from.toISOString()} ${text}`);
      return Promise.resolve(text.startsWith('AADManaged') ? rows : undefined);
    };
    const range = { since: new Date('2027-01-01T00:00:00Z'), now: new Date('2027-02-01T00:00:00Z') };
    const found = await findSignIns(query, requests({}), range, (text) => notes.push(text));
    return { found, notes };
  };

  it('are candidates if the same identity signed in within a day before the last request', async () => {
    const { found, notes } = await find([
      signIn('2027-01-01T00:00:00Z'),
      signIn('2027-01-01T23:00:00Z'),
      signIn('2026-12-31T23:59:59Z'),
      signIn('2027-01-02T00:00:01Z'),
      signIn('2027-01-01T22:00:00Z', { ServicePrincipalId: stranger }),
    ]);
    const [read] = requests({});
    const times = read && candidates(read, found).map(({ time }) => time.toISOString());
    expect(times).toEqual(['2027-01-01T23:00:00.000Z', '2027-01-01T00:00:00.000Z']);
    expect(notes.join()).toMatch(/^The workspace has no table AADServicePrincipalSignInLogs/);
  });

  it('are asked for from a day before, of Key Vault and of these readers only, in known KQL', async () => {
    asked.length = 0;
    await find([]);
    expect(asked).toHaveLength(2);
    for (const text of asked) {
      expect(text).toMatch(/^2026-12-31T00:00:00\.000Z AAD\w+SignInLogs \| /);
      expect(text).toContain('ServicePrincipalId in~ ("principal-id-aks-1")');
      expect(parseQuery(text.slice(25)).steps).toHaveLength(5);
    }
  });

  it('are shown below the table as candidates', () => {
    const [read] = reads({});
    const latest = { time: new Date('2027-01-01T23:00:00Z'), objectId: 'o', address: '20.0.0.1' };
    const identified = { ...latest, federatedCredential: 'fic', correlationId: 'c' };
    const text = renderReads(
      'dev',
      read === undefined ? [] : [{ ...read, allowedBy: '', signInCandidates: [identified, identified] }],
      { since: new Date(0), notes: [] },
      200,
    );
    expect(stripVTControlCharacters(text)).toContain(
      'SecretGet orders-db by principal-id-aks-1: 2, the latest at 2027-01-01T23:00:00Z from 20.0.0.1 by federated credential fic',
    );
    expect(text).toContain('candidates: Key Vault does not log the token');
  });
});

describe('the options', () => {
  const outputs = twoClusters();
  const refusal = (filter: Parameters<typeof select>[1]) => {
    try {
      select(outputs, filter);
    } catch (error) {
      return (error as Error).message;
    }
    throw new Error('nothing was refused');
  };

  it('select vaults, a secret, and identities by application, cluster, name and id', () => {
    expect(select(outputs, {})).toEqual({
      vaults: ['kv-central', 'kv-reports'],
      secret: undefined,
      readers: undefined,
    });
    expect(select(outputs, { secret: 'kv-central/shared' })).toMatchObject({
      vaults: ['kv-central'],
      secret: 'shared',
    });
    expect(select(outputs, { application: 'orders', cluster: 'aks-2' }).readers).toEqual([
      'principal-id-aks-2',
    ]);
    expect(select(outputs, { application: 'orders' }).readers).toHaveLength(2);
    expect(select(outputs, { identity: 'client-id-aks-1' }).readers).toEqual(['principal-id-aks-1']);
    // Anybody else by object id.
    expect(select(outputs, { identity: stranger }).readers).toEqual([stranger]);
  });

  it("select the credentials of a hosted cluster, and the nodes' identity that reads them", () => {
    const hosted = { name: 'hc1', managementCluster: 'aks-1', vault: 'kv-central', nodes: [] };
    const reader = { clientId: 'client-id-nodes', principalId: 'nodes' };
    const components = [{ secret: 'KMS-hc1' }];
    const more = {
      ...outputs,
      hostedClusters: [{ ...hosted, reader, components }],
    } as unknown as typeof outputs;

    expect(select(more, { secret: 'kv-central/KMS-hc1', application: 'hosted cluster hc1' })).toEqual({
      ...{ vaults: ['kv-central'], secret: 'KMS-hc1', readers: ['nodes'] },
    });
  });

  it('say everything that is wrong at once, with what is allowed and what was meant', () => {
    const text = refusal({ secret: 'order-db', application: 'oders', cluster: 'aks-9', identity: 'id-x' });
    expect(text).toContain('--secret is "order-db". Did you mean orders-db? Allowed: billing-db, ');
    expect(text).toContain('--application is "oders". Did you mean orders? Allowed: ');
    expect(text).toContain('--cluster is "aks-9". ');
    expect(text).toContain('--identity is "id-x". ');
    expect(refusal({ secret: 'kv-x/shared' })).toContain('--secret is "kv-x". ');
    expect(refusal({ application: 'reports', cluster: 'aks-1' })).toBe(
      'No identity of the stack matches --application, --cluster and --identity together.',
    );
  });

  it.each(['30m', '12h', '7d', '2026-01-31', '2026-01-31T12:00:00Z', '2026-01-31T12:00:00+01:00'])(
    'take %s as a time',
    (text) => {
      expect(parseSince(text).getTime()).toBeLessThan(Date.now());
    },
  );

  it.each(['7', '7w', 'yesterday', '-1d', '2999-01-01', '0d', '31.01.2026'])(
    'refuse %s as a time',
    (text) => {
      expect(() => parseSince(text)).toThrow('Expected a duration such as 30m, 12h or 7d');
    },
  );

  it.each([
    [['--days', '7'], "option '--days <number>' needs option '--unused'"],
    [['--unused', '--since', '7d'], "'--unused' cannot be used with option '--since <time>'"],
    [['--unused', '--days', '0'], 'Expected a number of days from 1 to 730.'],
    [[], "required option '--stack <name>' not specified"],
  ])('refuse %j', async (args, message) => {
    const errors: string[] = [];
    const command = auditCommand()
      .exitOverride()
      .configureOutput({ writeErr: (text) => void errors.push(text) });
    const stack = args.length === 0 ? [] : ['--stack', 'dev'];
    await expect(command.parseAsync([...stack, ...args], { from: 'user' })).rejects.toThrow();
    expect(errors.join('')).toContain(message);
  });
});

describe('the table of reads', () => {
  const view = { since: new Date('2027-01-01T00:00:00Z'), notes: ['A note.'] };
  const rendered = (all: ReadBy[], terminal = 200) =>
    stripVTControlCharacters(
      renderReads(
        'dev',
        all.map((reading) => ({ ...reading, allowedBy: 'grant of the stack' })),
        view,
        terminal,
      ),
    );

  it('marks readers outside the stack, refused reads, and those of the verification', () => {
    const text = rendered(
      reads(
        {},
        { ...foreign, HttpStatusCode: 403, IdentityId: '/subscriptions/s/…/userAssignedIdentities/id-odd' },
        { ObjectId: 'principal-id-aks-2', ClientInfo: 'aks-wi-verify x' },
      ),
    );
    expect(text).toContain(`not of the stack: id-odd, object id ${stranger}, from 10.0.0.1`);
    expect(text).toMatch(/403 refused/);
    expect(text).toMatch(/aks-wi verify as orders.* on aks-2 \(id-aks-2\)/);
    expect(text).toContain('2027-01-02T00:00:00Z');
    expect(text).toMatch(/✗ \d readers? (is|are) not of stack dev\.\n/);
    expect(text).toMatch(/! A note\.\n$/);
  });

  it('has reads of the verification only under an identity of the stack', () => {
    const verifier = 'aks-wi-verify x';
    const all = reads(
      {},
      { ObjectId: 'principal-id-aks-2', ClientInfo: verifier },
      { ...foreign, ClientInfo: verifier },
    );
    expect(all.filter(isVerification).map(({ objectId }) => objectId)).toEqual(['principal-id-aks-2']);
  });

  it('is a sentence if there are none', () => {
    expect(rendered([])).toBe(
      'The log has no matching request since 2027-01-01T00:00:00.000Z.\n\n! A note.\n',
    );
  });
});
