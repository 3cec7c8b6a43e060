import { assertName } from '../azure/naming';
import { defaultAudience } from '../identity/subjects';
import { InvalidArgumentError } from '../resource/errors';
import { assertKnown } from '../resource/given';
import { accountNames } from './accounts';
import type { WorkloadArgs } from './workload';

/** Refuses what would fail in the cluster, or worse, run without its secrets. */
export function assertWorkload(name: string, args: WorkloadArgs): void {
  const component = `Workload ${name}`;
  const { application, serviceAccount, furtherServiceAccounts, vault, delivery, audience } = args;
  assertKnown(component, { application, serviceAccount, furtherServiceAccounts, delivery, audience });
  assertKnown(component, { vault: { name: vault.name, secretNames: vault.secretNames } });
  assertName({ component, argument: 'application', name: application, type: 'application' });
  for (const account of accountNames(args)) {
    assertName({ component, argument: 'serviceAccount', name: account, type: 'serviceAccount' });
  }
  if (delivery === undefined || delivery === 'application') return;
  if (vault.secretNames.length === 0) {
    throw new InvalidArgumentError({
      component,
      argument: 'delivery',
      value: delivery,
      problem: 'has nothing to deliver',
      allowed: 'application, or secrets in `vault.secretNames`',
    });
  }
  if (audience !== undefined && audience !== defaultAudience) {
    throw new InvalidArgumentError({
      component,
      argument: 'audience',
      value: audience,
      problem: `does not go with the delivery ${delivery}: the driver asks for tokens of its own audience`,
      allowed: defaultAudience,
    });
  }
}
