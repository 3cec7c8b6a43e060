import { assertName } from '../azure/naming';
import { defaultAudience } from '../identity/subjects';
import type { ArgumentProblem } from '../resource/errors';
import { InvalidArgumentError } from '../resource/errors';
import { assertKnown } from '../resource/given';
import { secretVariable } from './secretVariable';
import type { WorkloadArgs } from './workload';

/** Refuses what would fail in the cluster, or worse, run without its secrets. */
export function assertWorkload(name: string, args: WorkloadArgs): void {
  const component = `Workload ${name}`;
  const { application, serviceAccount, furtherServiceAccounts, vault, delivery, audience } = args;
  assertKnown(component, { application, serviceAccount, furtherServiceAccounts, delivery, audience });
  assertKnown(component, { vault: { name: vault.name, secretNames: vault.secretNames } });
  assertName({
    component,
    argument: 'application',
    name: args.application,
    type: 'application',
    problem: 'cannot be the name of an application',
  });
  for (const account of [args.serviceAccount ?? args.application, ...(args.furtherServiceAccounts ?? [])]) {
    assertName({
      component,
      argument: 'serviceAccount',
      name: account,
      type: 'serviceAccount',
      problem: 'cannot be the name of a service account',
    });
  }
  assertDelivery(name, args);
}

function assertDelivery(name: string, args: WorkloadArgs): void {
  const { delivery = 'application', vault, audience } = args;
  if (delivery === 'application') return;
  if (vault.secretNames.length === 0) {
    refuse(name, {
      argument: 'delivery',
      value: delivery,
      problem: 'has nothing to deliver',
      allowed: 'application, or secrets in `vault.secretNames`',
    });
  }
  if (audience !== undefined && audience !== defaultAudience) {
    refuse(name, {
      argument: 'audience',
      value: audience,
      problem: `cannot be had with the delivery ${delivery}: the driver asks for tokens of its own audience`,
      allowed: defaultAudience,
    });
  }
  if (delivery === 'environment') assertVariables(name, args);
}

function assertVariables(name: string, args: WorkloadArgs): void {
  const taken = new Map<string, string>();
  for (const variable of Object.keys(args.image?.env ?? {})) taken.set(variable, '`env`');
  for (const secret of args.vault.secretNames) {
    const variable = secretVariable(secret);
    const other = taken.get(variable);
    if (other !== undefined) {
      refuse(name, {
        argument: 'vault.secretNames',
        value: secret,
        problem: `would be in the variable ${variable}, which is that of ${other} already`,
        allowed: 'secrets with names of their own in upper case with underscores',
      });
    }
    taken.set(variable, secret);
  }
}

function refuse(name: string, problem: Omit<ArgumentProblem, 'component'>): never {
  throw new InvalidArgumentError({ component: `Workload ${name}`, ...problem });
}
