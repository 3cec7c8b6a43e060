import { builtInRoles } from '../../../components/azure/roles';
import { connectionWriterActions } from '../../../components/dependency/keys';
import { reviewed } from '../support/reviewed';
import { Environment, forbidden } from './environment.fixture';
import { identity, pod } from './outputs.fixture';
import { shownChecks } from './shown.fixture';

const shows = reviewed(__filename);

/** Shows the verification of an environment of which one thing is another. */
const verified = (title: string, change: (environment: Environment) => unknown, timeoutSeconds = 0) =>
  shows(title, async () => {
    const environment = new Environment();
    change(environment);
    return (await environment.verify(timeoutSeconds)).lines;
  });

/** Answers of vaults: errors, or undefined where the secret is read. */
const answered = (environment: Environment, secret: string, answer: () => Error | undefined) =>
  environment.overrides.set(secret, () => {
    const error = answer();
    return error === undefined ? Promise.resolve() : Promise.reject(error);
  });
const refuseSignIn =
  (clientId: string | undefined, message: string, times = Infinity) =>
  (environment: Environment) => {
    let left = times;
    environment.beforeSignIn = (id) => {
      if ((clientId ?? id) === id && left-- > 0) throw new Error(message);
    };
  };
const failure = (message: string, fields: object) => Object.assign(new Error(message), fields);
const gone = failure('A secret was not found', { statusCode: 404, code: 'SecretNotFound' });

describe('the verification of a stack', () => {
  shows('passes where the system is as its outputs say, and reports every check', async () => {
    const { report, lines } = await new Environment().verify();
    // The fields that `--json` promises.
    expect(Object.keys(report)).toEqual(['checks', 'passed', 'failed']);
    expect(Object.keys(report.checks[0] ?? {})).toEqual(['cluster', 'application', 'check', 'ok', 'detail']);
    return [...lines, ...shownChecks(report.checks)];
  });

  for (const trustsEverybody of [false, true])
    shows(
      `checks the trust in further service accounts, with trust in everybody: ${trustsEverybody}`,
      async () => {
        const environment = new Environment();
        environment.outputs.workloads[0]?.serviceAccounts.push('worker');
        environment.trustsEverybody = trustsEverybody;
        const { checks } = (await environment.verify()).report;
        return shownChecks(checks.filter(({ check }) => check.includes('orders/worker')));
      },
    );

  for (const own of [[pod('client-id-windows')], []])
    verified(`checks the pods of what opens and closes access windows: ${own.length}`, (environment) => {
      environment.outputs.reconcilers = [{ cluster: 'aks-2', ...identity('id-windows') }];
      const ofWorkloads = environment.pods.bind(environment);
      environment.pods = (account) =>
        account.namespace === 'access-windows' ? Promise.resolve(own) : ofWorkloads(account);
    });

  for (const own of [[pod('')], []])
    verified(`checks the pods of what writes events of tokens: ${own.length}`, (environment) => {
      environment.outputs.tokenEvents = ['aks-2'];
      const ofWorkloads = environment.pods.bind(environment);
      environment.pods = (account) =>
        account.namespace === 'token-events' ? Promise.resolve(own) : ofWorkloads(account);
    });

  for (const [title, held] of Object.entries({
    there: 'principal-id-aks-1',
    missing: 'principal-of-somebody-else',
    'there of a group': 'group-id',
    'missing of a group': 'principal-id-aks-1',
  }))
    shows(`finds a role ${title}`, async () => {
      const environment = new Environment();
      const { outputs } = environment;
      const [first] = outputs.workloads;
      if (first === undefined) throw new Error('there is no workload');
      const granted = { role: builtInRoles.reader, scope: '/subscriptions/s/resourceGroups/rg-data' };
      const group = title.endsWith('group') ? { group: 'monitors' } : {};
      first.grants = [{ ...granted, ...group }];
      outputs.groups = [
        {
          name: 'monitors',
          displayName: 'm',
          objectId: 'group-id',
          isMade: true,
          grants: [granted],
          members: [],
        },
      ];
      environment.assignments = [{ ...granted, id: `${granted.scope}/a`, name: 'a', principalId: held }];
      const { checks } = (await environment.verify()).report;
      return shownChecks(checks.filter(({ check }) => /^has Reader/.test(check)));
    });

  for (const [role, actions] of Object.entries({
    'as it was made': [...connectionWriterActions],
    'with more': [...connectionWriterActions, 'Microsoft.Cache/redis/delete'],
    'with less': connectionWriterActions.slice(1),
    'that is gone': undefined,
  }))
    verified(`checks what writes connection strings, and its role ${role}`, (environment) => {
      environment.outputs.connectionWriters = [
        { cluster: 'aks-2', ...identity('id-connections'), role: 'guid', connections: [] },
      ];
      environment.listActions = () => Promise.resolve(actions);
      const ofWorkloads = environment.pods.bind(environment);
      environment.pods = (account) =>
        account.namespace === 'connection-writer'
          ? Promise.resolve([pod('client-id-connections')])
          : ofWorkloads(account);
    });

  verified('looks at more access windows than it makes requests at a time', ({ outputs }) => {
    const windows = Array.from({ length: 20 }, (_, index) => ({
      ...{ vault: 'kv-central', secret: `window-${index}`, windows: [], onDemand: '1h' },
    }));
    outputs.workloads = outputs.workloads.map((workload) => ({ ...workload, windows }));
  });

  for (const expired of [false, true])
    shows(`signs in with the Kubernetes secret of a stored credential, expired: ${expired}`, async () => {
      const environment = new Environment();
      for (const workload of environment.outputs.workloads)
        if (workload.application === 'billing') workload.credentialSecret = 'billing.credential';
      if (expired) refuseSignIn('client-id-aks-1-billing', 'AADSTS7000222: expired')(environment);
      const token = jest.spyOn(environment, 'serviceAccountToken');
      const { checks } = (await environment.verify()).report;

      expect(token.mock.calls.filter(([{ serviceAccount }]) => serviceAccount === 'billing')).toEqual([]);
      return [
        ...shownChecks(checks.filter(({ application }) => application === 'billing')),
        `secrets: ${[...new Set(environment.secretsReadInClusters)].join()}`,
      ];
    });

  const granted = 'client-id-aks-1/kv-central/orders-db';
  verified('fails a read whose grant was taken away', (fake) => answered(fake, granted, forbidden), 30);
  verified(
    'waits for a grant that is not propagated yet',
    (fake) => {
      let refusals = 3;
      answered(fake, granted, () => (refusals-- > 0 ? forbidden() : undefined));
    },
    60,
  );
  verified(
    'waits for a federated credential that is not propagated yet',
    refuseSignIn('client-id-aks-1-billing', 'AADSTS70021: no record', 4),
    60,
  );
  verified('names the command that recovers a granted secret that was deleted', (fake) =>
    answered(fake, granted, () => gone),
  );
  verified(
    'reports a token that does not match at once, and does not count its secrets as refused',
    refuseSignIn('client-id-aks-1-billing', 'AADSTS700213: no subject'),
    60,
  );

  for (const [title, error] of [
    ['fails when a secret can be read that nothing grants', undefined],
    ['does not take a missing secret for a refusal', gone],
    ['does not take the network for a refusal', failure('connect', { code: 'ECONNREFUSED' })],
    [
      'does not take the firewall for a refusal',
      failure('x', { statusCode: 403, code: 'ForbiddenByConnection' }),
    ],
  ] as const)
    verified(title, (fake) => answered(fake, 'client-id-aks-1/kv-central/billing-db', () => error));

  verified(
    "fails when another cluster's token or an account that is not federated is accepted",
    (fake) => (fake.trustsEverybody = true),
  );
  verified(
    'does not take a failing Entra for a refusal of a foreign token',
    refuseSignIn(undefined, 'AADSTS50013: signature'),
  );

  shows(
    'summarizes what workloads read, what else they could read, and whether all granted access works',
    async () => {
      const environment = new Environment();
      answered(environment, granted, forbidden);
      // Reads too much, but its granted access works.
      answered(environment, 'client-id-aks-2/kv-central/billing-db', () => undefined);
      const whole = await new Environment().verify();
      const broken = await environment.verify();
      refuseSignIn('client-id-aks-2-reports', 'AADSTS700213: no subject')(environment);
      const refused = await environment.verify();
      return Object.entries({ whole, broken, refused }).flatMap(([name, { workloads }]) =>
        workloads.map(({ workload: { cluster, application }, failed, ...rest }) => ({
          ...{ [name]: `${cluster}/${application}`, failed: failed.length },
          ...rest,
        })),
      );
    },
  );
});

describe('a secret that lies in a vault and is not named by the stack', () => {
  const stray = (environment: Environment) => environment.unnamed.set('kv-central', ['stray']);
  const ofBilling = 'client-id-aks-1-billing/kv-central/stray';

  shows('must be refused to every workload', async () => {
    const environment = new Environment();
    stray(environment);
    const { lines, report } = await environment.verify();
    return [...lines, ...shownChecks(report.checks.filter(({ check }) => check.endsWith('/stray')))];
  });
  verified('fails the workload that can read it', (fake) => {
    stray(fake);
    answered(fake, ofBilling, () => undefined);
  });
  verified('does not take a disabled secret for a refusal of the identity', (fake) => {
    stray(fake);
    const details = { error: { code: 'Forbidden', innererror: { code: 'SecretDisabled' } } };
    answered(fake, ofBilling, () => failure('no', { statusCode: 403, code: 'Forbidden', details }));
  });
  shows('is overreach where an access policy opens the vault', async () => {
    const environment = new Environment();
    environment.unnamed.set('kv-reports', ['stray']);
    const { lines, workloads } = await environment.verify();
    return [...lines, ...workloads.map(({ workload, overreach }) => [workload.application, ...overreach])];
  });
  verified('is left out, and nothing fails, where the vaults cannot be listed', (fake) => {
    stray(fake);
    const refusal = { statusCode: 403, code: 'AuthorizationFailed' };
    fake.refusesToList = failure('The client has no authorization.', refusal);
  });
});
