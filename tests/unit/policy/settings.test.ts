import { readPolicySettings } from '../../../stacks/settings/schema/policies';
import { rules } from '../../../policy/rules';
import { readStack } from '../../../policy/stack';
import { mayHave, unusedExceptions, verdictOn } from '../../../policy/verdicts';
import { usual } from './found';
import { validInput } from '../stacks/settings';

const exception = {
  policy: 'access-mode',
  resource: 'kv-test',
  reason: 'moved in March, ops 12',
  until: '2027-01-31',
};
const lastDay = new Date('2027-01-31T23:59:59Z');
const dayAfter = new Date('2027-02-01T00:00:00Z');

describe('a finding', () => {
  const [mandatory, advisory] = ['access-mode', 'no-public-vault'].map((name) =>
    rules.find((rule) => rule.name === name),
  );
  const verdict = (
    rule: typeof mandatory,
    settings: unknown,
    now = lastDay,
    name = 'kv-test',
    environment = usual,
  ) => {
    if (rule === undefined) throw new Error('there is no such rule');
    return verdictOn(
      rule,
      { name },
      'It is wrong.',
      { settings: readPolicySettings(settings), environment },
      now,
    );
  };

  it.each([
    ['mandatory', mandatory, undefined],
    ['advisory', advisory, undefined],
    ['advisory', mandatory, { level: 'advisory' }],
    ['mandatory', advisory, { level: 'mandatory' }],
  ])('is %s', (level, rule, settings) => {
    expect(verdict(rule, settings)).toEqual({ level, message: 'It is wrong.' });
  });

  it.each([
    [false, 'advisory'],
    [true, 'mandatory'],
  ])('that nothing judged, in production %s, is %s', (production, level) => {
    const rule = rules.find((candidate) => candidate.name === 'not-judged');
    expect(verdict(rule, undefined, lastDay, 'kv-test', { ...usual, production }).level).toBe(level);
  });

  it.each([
    ['mandatory', mandatory, undefined, ['mandatory']],
    ['advisory', advisory, undefined, ['advisory']],
    ['of the settings', mandatory, { level: 'advisory' }, ['advisory']],
    ['one of two, with an exception', mandatory, { exceptions: [exception] }, ['mandatory', 'advisory']],
  ])('can only be %s, so that nothing else is looked for', (_, rule, settings, expected) => {
    if (rule === undefined) throw new Error('there is no such rule');
    const stack = { settings: readPolicySettings(settings), environment: usual };
    const levels = (['mandatory', 'advisory'] as const).filter((level) => mayHave(level, rule, stack));
    expect(levels).toEqual(expected);
  });

  it('is reported with the reason where an exception holds', () => {
    expect(verdict(mandatory, { level: 'mandatory', exceptions: [exception] })).toEqual({
      level: 'advisory',
      message: 'Excepted until 2027-01-31 (moved in March, ops 12): It is wrong.',
    });
  });

  it.each([
    ['of another resource', lastDay, 'kv-test-2'],
    ['that has expired', dayAfter, 'kv-test'],
  ])('is not changed by an exception %s', (_, now, name) => {
    expect(verdict(mandatory, { exceptions: [exception] }, now, name).level).toBe('mandatory');
  });

  it('is not changed by an exception from another policy', () => {
    const other = { ...exception, policy: 'tags' };
    expect(verdict(mandatory, { exceptions: [other] }).level).toBe('mandatory');
  });
});

it('an exception for a resource that the stack does not have is reported', () => {
  const settings = readPolicySettings({
    exceptions: [exception, { ...exception, policy: 'tags', resource: 'kv-tset' }],
  });
  expect(unusedExceptions({ settings, isPart: false }, ['kv-other', 'kv-test'])).toEqual([
    'The policy tags has an exception for kv-tset, which is not in the stack. Correct the name, or remove the exception.',
  ]);
});

describe('the stack file', () => {
  const text = (more: Record<string, unknown>) =>
    JSON.stringify({
      config: Object.fromEntries(
        Object.entries(validInput(more)).map(([key, value]) => [`aks-workload-identity:${key}`, value]),
      ),
    });
  const shared = {
    secretValues: undefined,
    applications: [
      { name: 'shop', image: 'x:1', secrets: ['shop-db'] },
      { name: 'cart', image: 'x:1', secrets: ['cart-db'] },
    ],
  };
  const read = (content: string, environment = 'dev') =>
    readStack({ environment, text: content }, () => undefined);

  it('gives exceptions, required tags and what applications name', () => {
    const policies = { requiredTags: ['cost-center'], exceptions: [exception] };
    const { settings, environment, workloads } = read(text({ ...shared, policies }));
    expect(settings.exceptions).toEqual([exception]);
    expect(environment.requiredTags).toEqual(['cost-center']);
    expect(workloads.map(({ cluster, application, grants }) => ({ cluster, application, grants }))).toEqual(
      ['aks-1', 'aks-2'].flatMap((cluster) =>
        ['shop', 'cart'].map((name) => ({
          ...{ cluster, application: name },
          grants: [{ vault: 'kv-test', secret: `${name}-db` }],
        })),
      ),
    );
  });

  it('gives exceptions that can name resources of other stacks if it is a cell, or has cells', () => {
    const cells = [{ name: 'all', clusters: ['aks-1', 'aks-2'] }];
    const fleet = text({ ...shared, policies: { exceptions: [exception] }, cells });
    const cell = 'config: { aks-workload-identity:cellOf: dev }';
    const ofCell = readStack({ environment: 'dev-all', text: cell }, () => fleet);
    expect(ofCell.settings.exceptions).toEqual([exception]);
    expect([read(text(shared)), read(fleet), ofCell].map(({ isPart }) => isPart)).toEqual([
      false,
      true,
      true,
    ]);
    expect(unusedExceptions(ofCell, [])).toEqual([]);
  });

  it('names the identities that may have passwords', () => {
    const identity = { servicePrincipal: { credential: 'password', storedPassword: 'accepted' } };
    const applications = [{ name: 'shop', image: 'x:1', identity, clusters: ['aks-2'] }];
    expect(read(text({ ...shared, applications })).environment.acceptedPasswords).toEqual(['aks-2-shop']);
  });

  it('gives exceptions also where it is not complete, as with an environment of Pulumi ESC', () => {
    const policies = { exceptions: [exception] };
    const { settings, workloads } = read(text({ ...shared, vault: undefined, policies }));
    expect(settings.exceptions).toEqual([exception]);
    expect(workloads).toEqual([]);
  });

  it.each([[''], ['config: ['], ['config:\n  aks-workload-identity:policies: none\n']])(
    'gives no exception if it is %j',
    (content) => {
      expect(read(content).settings).toEqual({ requiredTags: [], exceptions: [] });
    },
  );

  it.each([
    ['prod', {}, false],
    ['dev', {}, false],
    ['dev', { production: true }, true],
    ['prod', { production: false }, false],
  ])('of the stack %s with %j: production is %s', (name, policies, expected) => {
    expect(read(text({ ...shared, policies }), name).environment.production).toBe(expected);
  });
});
