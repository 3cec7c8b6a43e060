import {
  adoptedVaults,
  distinctAdoptedIdentities,
  distinctEndpoints,
  oneWorkspace,
  vaultNameOrAdopt,
  vaultNetworks,
} from './adopted';
import { reservedNamespaces, serviceAccounts, sharedNamespaces, uniqueServiceAccounts } from './accounts';
import { imageOrChart, releaseNames, uniqueApplications, uniqueListEntries } from './applications';
import { charts } from './charts';
import { distinctKeys, identityNames, knownClusters, nodeGroupNames, uniqueClusters } from './clusters';
import { clusterModeFields, distinctClusters, kubeconfigs } from './clusterModes';
import type { Check } from './context';
import { deletionsOfConfigured } from './deletions';
import { adoptedOnClusters, credentialLimit } from './identities';
import { overriddenClusters, overrides, selectedLabels } from './selections';
import { deliveries, reservedEnvironment, secretVariables } from './variables';
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
  clusterModeFields,
  distinctClusters,
  kubeconfigs,
  distinctAdoptedIdentities,
  uniqueApplications,
  uniqueListEntries,
  knownClusters,
  selectedLabels,
  overriddenClusters,
  distinctKeys,
  identityNames,
  nodeGroupNames,
  adoptedOnClusters,
  credentialLimit,
  imageOrChart,
  overrides,
  charts,
  releaseNames,
  reservedEnvironment,
  deliveries,
  secretVariables,
  reservedNamespaces,
  sharedNamespaces,
  serviceAccounts,
  uniqueServiceAccounts,
  vaultNameOrAdopt,
  adoptedVaults,
  vaultNetworks,
  distinctEndpoints,
  oneWorkspace,
  ownVaultNames,
  uniqueVaults,
  centralVaultOverrides,
  unreadValues,
  secretSpelling,
  overreach,
  deletionsOfConfigured,
];
