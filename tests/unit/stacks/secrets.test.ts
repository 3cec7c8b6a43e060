import { application, problemsOf, validInput } from './settings';

// What these do not prove: that nothing else prints values; each component's tests look at what is registered.

describe('secret values', () => {
  it.each([
    ['a number', { 'orders-db': 123456789 }, 'secretValues.orders-db: is not allowed'],
    ['nothing', { 'orders-db': null }, 'secretValues.orders-db: has no value'],
    ['an object', { 'orders-db': { secret: 'hunter2' } }, 'secretValues.orders-db: is not allowed'],
    ['too much', { 'orders-db': 'hunter2'.repeat(10_000) }, 'secretValues.orders-db: is not allowed'],
    ['a text for the object', 'hunter2', 'secretValues: is not allowed'],
    ['a wrong name', { orders_db: 'hunter2' }, 'secretValues.orders_db: "orders_db" is not allowed'],
    [
      'a name that nobody reads',
      { 'order-db': 'hunter2' },
      'secretValues.order-db: is a secret that no application names. Did you mean orders-db?',
    ],
  ])('are not shown: %s', (_, secretValues, expected) => {
    const problems = problemsOf(validInput({ secretValues }));

    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(expected);
    expect(problems[0]).not.toMatch(/hunter2|123456789/);
  });

  it('are not shown under a misspelt key, nor are variables and chart values', () => {
    const problems = problemsOf(
      validInput({
        secretvalues: { 'orders-db': 'hunter2' },
        applications: [application('a', { env: { TOKEN: 12345 }, secrets: ['orders-db', 'reports-db'] })],
      }),
    ).join('\n');

    expect(problems).toContain('secretvalues: is not a known key.');
    expect(problems).toContain('Did you mean secretValues?');
    expect(problems).toContain('applications[0].env.TOKEN: is not allowed');
    expect(problems).not.toMatch(/hunter2|12345/);
  });
});
