import { validate } from '../../../stacks/configuration';
import type { Configuration, EnvironmentPlan } from '../../../stacks/plan';
import { formatProblem } from '../../../stacks/settings/problem';
import type { ReadFile } from '../../../stacks/settings/projectFiles';

export type Input = Record<string, unknown>;

/** A configuration of two clusters and three applications, as a stack file has it. */
export function validInput(changes: Input = {}): Input {
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

/** A configuration of these applications on one cluster, without values of secrets. */
export const input = (applications: unknown[], changes: Input = {}): Input =>
  validInput({ clusters: [{ name: 'aks-1' }], applications, secretValues: {}, ...changes });

/** What applications say that share their namespace. */
export const shared = { sharedNamespace: 'accepted' } as const;

/** An application of an image. */
export function application(name: string, more: Input = {}): Input {
  const entry: Input = { name, image: 'ghcr.io/x/reader:1', ...more };
  return Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined));
}

/** The configuration, which has to be valid. */
export function configurationOf(settings: Input, environment = 'test', readFile?: ReadFile): Configuration {
  const validation = validate(environment, settings, readFile);
  if (!validation.ok) throw new Error(validation.problems.map(formatProblem).join('\n'));
  return validation.configuration;
}

export const planOf = (...args: Parameters<typeof configurationOf>): EnvironmentPlan =>
  configurationOf(...args).plan;
