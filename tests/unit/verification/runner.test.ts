import { Environment, forbidden } from './environment.fixture';
import { identity, pod } from './outputs.fixture';

describe('the verification of a stack', () => {
  it('checks the trust in further service accounts', async () => {
    const environment = new Environment();
    const [orders] = environment.outputs.workloads;
    if (orders === undefined) throw new Error('no workloads');
    orders.serviceAccounts.push('worker');
    const worker = async () =>
      (await environment.verify()).report.checks.find(({ check }) => check.includes('orders/worker'));

    expect(await worker()).toMatchObject({
      check: 'token exchange of service account orders/worker',
      ok: false,
      detail: expect.stringContaining('AADSTS700213') as unknown,
    });
    environment.trustsEverybody = true;
    expect(await worker()).toMatchObject({ ok: true, detail: `orders/worker → ${orders.identity.name}` });
  });

  it('checks the pods of what opens and closes access windows', async () => {
    const environment = new Environment();
    environment.outputs.reconcilers = [{ cluster: 'aks-2', ...identity('id-windows') }];
    const ofWorkloads = environment.pods.bind(environment);
    let own = [pod('client-id-windows')];
    environment.pods = (one) =>
      one.namespace === 'access-windows' ? Promise.resolve(own) : ofWorkloads(one);

    expect((await environment.verify()).failed).toEqual([]);
    own = [];
    expect((await environment.verify()).failed).toEqual([
      expect.stringContaining('aks-2/access-windows: pods: there are none in namespace access-windows'),
    ]);
  });

  it('looks at more access windows than it makes requests at a time', async () => {
    const environment = new Environment();
    const windows = Array.from({ length: 20 }, (_, index) => ({
      ...{ vault: 'kv-central', secret: `window-${index}`, windows: [], onDemand: '1h' },
    }));
    environment.outputs.workloads = environment.outputs.workloads.map((one) => ({ ...one, windows }));
    const { report, failed } = await environment.verify();

    expect(failed).toEqual([]);
    expect(report.checks.filter(({ check }) => check.endsWith('in its access windows only'))).toHaveLength(
      20 * environment.outputs.workloads.length,
    );
  });

  it('passes where the system is as its outputs say, and reports every check', async () => {
    const { report, failed } = await new Environment().verify();
    expect(failed).toEqual([]);
    expect(report.passed).toBe(report.checks.length);
    // For each workload: exchange, annotations, pods, the five secrets, a foreign cluster, an account that is not federated. And
    // the clusters.
    expect(report.checks).toHaveLength(4 * 10 + 2);
    expect(Object.keys(report.checks[0] ?? {})).toEqual(['cluster', 'application', 'check', 'ok', 'detail']);
  });

  it('signs in by the Kubernetes secret of a workload that has a stored credential, and asks for no token', async () => {
    const environment = new Environment();
    const billing = environment.outputs.workloads.find(({ application }) => application === 'billing');
    if (billing === undefined) throw new Error('no workloads');
    billing.credentialSecret = 'billing.credential';
    const token = jest.spyOn(environment, 'serviceAccountToken');
    const checks = async () =>
      (await environment.verify()).report.checks.filter(({ application }) => application === 'billing');

    expect((await checks()).map(({ check, ok }) => [check, ok])).toEqual([
      ['signs in by its Kubernetes secret', true],
      ['annotations of service account billing/billing', true],
      ['pods', true],
      ['reads kv-central/billing-db', true],
      ...Array<unknown>(4).fill([expect.stringMatching(/^is refused /), true]),
    ]);
    expect(new Set(environment.secretsReadInClusters)).toEqual(new Set(['aks-1/billing/billing.credential']));
    expect(token.mock.calls.filter(([{ serviceAccount }]) => serviceAccount === 'billing')).toEqual([]);

    environment.beforeSignIn = (clientId) => {
      if (clientId === billing.identity.clientId) throw new Error('AADSTS7000222: expired');
    };
    expect((await checks())[0]).toMatchObject({
      ok: false,
      detail: expect.stringContaining('AADSTS7000222') as unknown,
    });
  });

  it('fails a read whose grant was taken away, after waiting for the limit', async () => {
    const environment = new Environment();
    environment.overrides.set('client-id-aks-1/kv-central/orders-db', () => Promise.reject(forbidden()));
    const { failed, clock } = await environment.verify(30);
    expect(failed).toEqual([
      'aks-1/orders: reads kv-central/orders-db: orders-db is granted, but the vault refuses it: 403 Forbidden; the grant is missing or not propagated yet; gave up after 30 s',
    ]);
    expect(clock.time).toBe(30_000);
  });

  it('waits for a grant that is not propagated yet', async () => {
    const environment = new Environment();
    let refusals = 3;
    environment.overrides.set('client-id-aks-1/kv-central/orders-db', () =>
      refusals-- > 0 ? Promise.reject(forbidden()) : Promise.resolve(),
    );
    const { failed, report } = await environment.verify(60);
    expect(failed).toEqual([]);
    expect(report.checks.find(({ check }) => check === 'reads kv-central/orders-db')?.detail).toMatch(
      /^read after \d+ s$/,
    );
  });

  it('waits for a federated credential that is not propagated yet', async () => {
    const environment = new Environment();
    let refusals = 4;
    environment.beforeSignIn = (clientId) => {
      if (clientId === 'client-id-aks-1-billing' && refusals-- > 0) throw new Error('AADSTS70021: no record');
    };
    expect((await environment.verify(60)).failed).toEqual([]);
  });

  it('names the command that recovers a granted secret that was deleted', async () => {
    const environment = new Environment();
    const gone = Object.assign(new Error('A secret was not found'), {
      statusCode: 404,
      code: 'SecretNotFound',
    });
    environment.overrides.set('client-id-aks-1/kv-central/orders-db', () => Promise.reject(gone));
    expect((await environment.verify()).failed).toEqual([
      'aks-1/orders: reads kv-central/orders-db: A secret was not found; if it was deleted: az keyvault secret recover --vault-name kv-central --name orders-db',
    ]);
  });

  it('reports a token that does not match at once, and does not count its secrets as refused', async () => {
    const environment = new Environment();
    environment.beforeSignIn = (clientId) => {
      if (clientId === 'client-id-aks-1-billing') throw new Error('AADSTS700213: no subject');
    };
    const { failed, clock } = await environment.verify(60);
    expect(clock.time).toBe(0);
    expect(failed[0]).toContain('aks-1/billing: token exchange: does not match');
    expect(failed.filter((line) => line.includes('not checked: no token (AADSTS700213)'))).toHaveLength(5);
  });

  it('fails when a secret can be read that nothing grants', async () => {
    const environment = new Environment();
    environment.overrides.set('client-id-aks-1/kv-central/billing-db', () => Promise.resolve());
    expect((await environment.verify()).failed).toEqual([
      'aks-1/orders: is refused kv-central/billing-db: readable though not granted to its identity',
    ]);
  });

  it.each([
    ['a missing secret', Object.assign(new Error('gone'), { statusCode: 404, code: 'SecretNotFound' })],
    ['the network', Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })],
    ['the firewall', Object.assign(new Error('x'), { statusCode: 403, code: 'ForbiddenByConnection' })],
  ])('does not take %s for a refusal', async (_what, error) => {
    const environment = new Environment();
    environment.overrides.set('client-id-aks-1/kv-central/billing-db', () => Promise.reject(error));
    const { failed } = await environment.verify();
    expect(failed).toHaveLength(1);
    expect(failed[0]).toContain('aks-1/orders: is refused kv-central/billing-db: expected 403 Forbidden');
  });

  it("fails when another cluster's token or an account that is not federated is accepted", async () => {
    const environment = new Environment();
    environment.trustsEverybody = true;
    const { failed } = await environment.verify();
    expect(failed).toHaveLength(8);
    expect(failed).toContain(
      'aks-1/orders: refuses a token of cluster aks-2: orders/orders of aks-2 was accepted as id-aks-1',
    );
    expect(failed).toContain(
      'aks-1/orders: refuses service account orders/default: orders/default of aks-1 was accepted as id-aks-1',
    );
  });

  it('does not take a failing Entra for a refusal of a foreign token', async () => {
    const environment = new Environment();
    environment.beforeSignIn = () => {
      throw new Error('AADSTS50013: signature');
    };
    const { failed } = await environment.verify();
    expect(failed.filter((line) => line.includes('expected a refusal of'))).toHaveLength(8);
  });

  it('summarizes what a workload reads and what it could read beyond', async () => {
    const environment = new Environment();
    const { workloads } = await environment.verify();
    expect(workloads).toContainEqual({
      workload: environment.outputs.workloads[3],
      readable: ['reports-db'],
      overreach: ['reports-key'],
      notes: [],
      grantsHold: true,
      failed: [],
    });
  });

  it('says of a workload whether all that it was given holds', async () => {
    const environment = new Environment();
    environment.overrides.set('client-id-aks-1/kv-central/orders-db', () => Promise.reject(forbidden()));
    environment.overrides.set('client-id-aks-2/kv-central/billing-db', () => Promise.resolve());
    environment.beforeSignIn = (clientId) => {
      if (clientId === 'client-id-aks-2-reports') throw new Error('AADSTS700213: no subject');
    };
    const { workloads } = await environment.verify();
    const holds = workloads.map(({ workload: { cluster, application }, grantsHold }) => [
      `${cluster}/${application}`,
      grantsHold,
    ]);
    expect(Object.fromEntries(holds)).toEqual({
      'aks-1/orders': false,
      // Reads too much, but what it was given holds.
      'aks-2/orders': true,
      'aks-1/billing': true,
      'aks-2/reports': false,
    });
  });
});

describe('a secret that lies in a vault and is not named by the stack', () => {
  const stray = (): Environment => {
    const environment = new Environment();
    environment.unnamed.set('kv-central', ['stray']);
    return environment;
  };

  it('must be refused to every workload', async () => {
    const { report, failed, notes } = await stray().verify();
    expect(failed).toEqual([]);
    expect(notes).toEqual([]);
    const tried = report.checks.filter(({ check }) => check === 'is refused kv-central/stray');
    expect(tried).toHaveLength(4);
  });

  it('fails the workload that can read it', async () => {
    const environment = stray();
    environment.overrides.set('client-id-aks-1-billing/kv-central/stray', () => Promise.resolve());
    expect((await environment.verify()).failed).toEqual([
      'aks-1/billing: is refused kv-central/stray: readable though not granted to its identity',
    ]);
  });

  it('does not take a disabled secret for a refusal of the identity', async () => {
    const environment = stray();
    const disabled = Object.assign(new Error('no'), {
      statusCode: 403,
      code: 'Forbidden',
      details: { error: { code: 'Forbidden', innererror: { code: 'SecretDisabled' } } },
    });
    environment.overrides.set('client-id-aks-1-billing/kv-central/stray', () => Promise.reject(disabled));
    expect((await environment.verify()).failed).toEqual([
      'aks-1/billing: is refused kv-central/stray: refused only because it is disabled, not because of the identity',
    ]);
  });

  it('is overreach where an access policy opens the vault', async () => {
    const environment = new Environment();
    environment.unnamed.set('kv-reports', ['stray']);
    const { failed, workloads } = await environment.verify();
    expect(failed).toEqual([]);
    expect(workloads.find(({ workload: { application } }) => application === 'reports')?.overreach).toEqual([
      'reports-key',
      'stray',
    ]);
  });

  it('is left out, and nothing fails, where the vaults cannot be listed', async () => {
    const environment = stray();
    environment.refusesToList = Object.assign(new Error('The client has no authorization.'), {
      statusCode: 403,
      code: 'AuthorizationFailed',
    });
    const { report, failed, notes } = await environment.verify();
    expect(failed).toEqual([]);
    expect(report.checks).toHaveLength(4 * 10 + 2);
    expect(Object.keys(report)).toEqual(['checks', 'passed', 'failed']);
    expect(notes).toEqual([
      expect.stringMatching(
        /^Only .* in kv-central, kv-reports: .*: The client has no authorization\.$/,
      ) as unknown,
    ]);
  });
});
