import { validate } from '../../../stacks/checks/configuration';
import { formatProblem } from '../../../stacks/settings/problem';

/** A configuration of two clusters and three applications, as a stack file has it. */
export function validInput(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    location: 'westeurope',
    resourceGroup: 'rg-test',
    vault: { name: 'kv-test' },
    clusters: [{ name: 'aks-1' }, { name: 'aks-2' }],
    applications: [
      { name: 'orders', image: 'ghcr.io/x/reader:1', secrets: ['orders-db', 'shared-api-key'] },
      {
        name: 'billing',
        image: 'ghcr.io/x/reader:1',
        secrets: ['billing-db', 'shared-api-key'],
        identity: 'application',
      },
      {
        name: 'reports',
        clusters: ['aks-2'],
        identity: 'application',
        vault: { access: 'accessPolicy', placement: 'perApplication' },
        secrets: ['reports-db'],
        chart: { chart: './examples/charts/reports' },
      },
    ],
    secretValues: { 'orders-db': 'value-of-the-test', 'reports-db': 'value-of-the-test' },
    ...changes,
  };
}

/** An application of an image. */
export function application(name: string, more: Record<string, unknown> = {}): Record<string, unknown> {
  const given: Record<string, unknown> = { name, image: 'ghcr.io/x/reader:1', ...more };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** What is wrong with a configuration, each problem on its line. */
export function problemsOf(input: Record<string, unknown>, environment = 'test'): string[] {
  const validation = validate(environment, input);
  return validation.ok ? [] : validation.problems.map(formatProblem);
}
