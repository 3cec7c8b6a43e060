import {
  imageOrChart,
  releaseNames,
  reservedEnvironment,
  reservedNamespaces,
  uniqueApplications,
  uniqueListEntries,
  uniqueServiceAccounts,
} from './applications';
import { charts } from './charts';
import {
  credentialLimit,
  distinctKeys,
  identityNames,
  knownClusters,
  nodeGroupNames,
  uniqueClusters,
} from './clusters';
import type { Check } from './context';
import {
  centralVaultOverrides,
  overreach,
  ownVaultNames,
  secretSpelling,
  uniqueVaults,
  unreadValues,
} from './vaults';

/** Every rule across the configuration, in the order in which their problems are reported. */
export const checks: readonly Check[] = [
  uniqueClusters,
  uniqueApplications,
  uniqueListEntries,
  knownClusters,
  distinctKeys,
  identityNames,
  nodeGroupNames,
  credentialLimit,
  imageOrChart,
  charts,
  releaseNames,
  reservedEnvironment,
  reservedNamespaces,
  uniqueServiceAccounts,
  ownVaultNames,
  uniqueVaults,
  centralVaultOverrides,
  unreadValues,
  secretSpelling,
  overreach,
];
