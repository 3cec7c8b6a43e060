import { accessWindowChecks } from './accessWindows';
import { accountChecks } from './accounts';
import { cellChecks } from './cells';
import { chartChecks } from './charts';
import { clusterChecks } from './clusters';
import type { Check } from './context';
import { dependencyChecks } from './dependencies';
import { deliveryChecks } from './delivery';
import { dependencyNameChecks } from './dependencyNames';
import { groupChecks } from './groups';
import { hostedClusterChecks } from './hostedClusters';
import { hyperShiftChecks } from './hyperShift';
import { identityChecks } from './identities';
import { identityBindingChecks } from './identityBindings';
import { nameChecks } from './names';
import { podIdentityChecks } from './podIdentity';
import { policyChecks } from './policies';
import { revokedChecks } from './revoked';
import { roleChecks } from './roles';
import { secretOwnerChecks } from './secretOwners';
import { selectionChecks } from './selections';
import { storedCredentialChecks } from './storedCredentials';
import { tagChecks } from './tags';
import { variableChecks } from './variables';
import { vaultChecks } from './vaults';

/** All rules across the configuration, in the order in which their problems are reported. */
export const checks: readonly Check[] = [
  ...nameChecks,
  ...tagChecks,
  ...clusterChecks,
  ...selectionChecks,
  ...cellChecks,
  ...identityChecks,
  ...identityBindingChecks,
  ...storedCredentialChecks,
  ...revokedChecks,
  ...chartChecks,
  ...deliveryChecks,
  ...variableChecks,
  ...dependencyChecks,
  ...dependencyNameChecks,
  ...accountChecks,
  ...vaultChecks,
  ...secretOwnerChecks,
  ...groupChecks,
  ...roleChecks,
  ...accessWindowChecks,
  ...hostedClusterChecks,
  ...hyperShiftChecks,
  ...podIdentityChecks,
  ...policyChecks,
];
