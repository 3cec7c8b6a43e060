import { serviceOperatorAccount } from '../../components/identity/subjects';
import type { ApplicationSettings, ClusterSettings, StackSettings } from '../settings/schema';
import { accountOf } from './accounts';
import {
  hasOwnProvisioner,
  planProvisioning,
  provisionerRoles,
  servicesGroupOf,
  type ProvisioningPlan,
} from './dependencies';
import { kindOf, programIdentity, type IdentityPlan, type ProgramIdentityBase } from './identities';
import { operatorKey } from './identityKeys';
import { isRevoked } from './revoked';
import { planStoredCredential } from './storedCredentials';

/** The provisioning identities of a cluster. */
export interface ProvisioningIdentities {
  /** The service operator's identity, if it is installed here: no application runs as it. */
  readonly operator?: IdentityPlan;
  /** Identities that provision for one application each. */
  readonly provisioners: readonly ProvisionerPlan[];
}

/** An identity that provisions the dependencies of one application on one cluster. */
interface ProvisionerPlan extends IdentityPlan, ProvisioningPlan {
  readonly application: string;
  /** Namespace whose custom resources the operator provisions as this identity. */
  readonly namespace: string;
}

/**
 * Returns the provisioning identities: the service operator's, if it is installed here, and one for each application that asks
 * for its own. They trust the operator and read no secret.
 */
export function planOperators(
  environment: string,
  settings: StackSettings,
  cluster: ClusterSettings,
  here: readonly ApplicationSettings[],
  now: Date,
): ProvisioningIdentities {
  const { operatorIdentity } = cluster;
  const revoked = isRevoked(settings, 'clusters', cluster.name);
  const plan = (base: ProgramIdentityBase) =>
    programIdentity(environment, settings, cluster, serviceOperatorAccount, base);
  const operator = plan({
    key: operatorKey(cluster),
    kind: kindOf(operatorIdentity),
    credential: revoked ? undefined : planStoredCredential(operatorKey(cluster), operatorIdentity, now),
    existing:
      typeof operatorIdentity === 'object' && 'existing' in operatorIdentity
        ? operatorIdentity.existing
        : undefined,
  });
  const provisioners = here.filter(hasOwnProvisioner).map((application) => {
    const key = `${cluster.name}-${application.name}-aso`;
    const group = servicesGroupOf(settings, application);
    return {
      ...plan({ key, retainOnDelete: application.retainOnDelete ?? settings.retainOnDelete }),
      ...planProvisioning(key, group, revoked ? [] : provisionerRoles(application)),
      application: application.name,
      namespace: accountOf(application).namespace,
    };
  });
  return { operator: settings.serviceOperator.install ? operator : undefined, provisioners };
}
