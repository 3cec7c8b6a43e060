import { validate } from '../../../stacks/checks/configuration';
import { formatProblem } from '../../../stacks/settings/problem';
import { deployed } from './deployed';
import { record } from '../components/support/recorder';
import { application, validInput } from './settings';

// An application that depends on something, for the tests of dependencies.

export type Input = Record<string, unknown>;

export const files = { name: 'files', storageAccount: { name: 'stfiles' } };
export const depending = (dependencies: unknown[] = [files], more: Input = {}) =>
  application('orders', { dependencies, ...more });
export const input = (applications: unknown[], changes: Input = {}) =>
  validInput({ clusters: [{ name: 'aks-1' }], applications, secretValues: {}, ...changes });

export function configurationOf(given: Input) {
  const validation = validate('test', given);
  if (!validation.ok) throw new Error(validation.problems.map(formatProblem).join('\n'));
  return validation.configuration;
}
export const planOf = (given: Input) => configurationOf(given).plan;
export const deploy = (given: Input) => {
  const configuration = configurationOf(given);
  return record(() => deployed(configuration));
};
