import {
  existingVaults,
  distinctExistingIdentities,
  distinctEndpoints,
  oneWorkspace,
  vaultNameOrExisting,
  vaultNetworks,
} from './existing';
import { reservedNamespaces, serviceAccounts, sharedNamespaces, uniqueServiceAccounts } from './accounts';
import { imageOrChart, releaseNames, uniqueApplications, uniqueListEntries } from './applications';
import { charts, operatorVersion } from './charts';
import { distinctKeys, identityNames, knownClusters, nodeGroupNames, uniqueClusters } from './clusters';
import { clusterModeFields, distinctClusters, kubeconfigs } from './clusterModes';
import type { Check } from './context';
import {
  connectionsOfKinds,
  oneService,
  ownProvisioners,
  redisSizes,
  servicesGroups,
  servicesSubscription,
  uniqueDependencies,
} from './dependencies';
import { broughtSecretNames, objectNameLengths, uniqueObjects, uniqueServiceNames } from './dependencyNames';
import { existingOnClusters, credentialLimit } from './identities';
import { notInstalled } from './platform';
import { overriddenClusters, overrides, selectedLabels } from './selections';
import { deliveries, dependencyVariables, reservedEnvironment, secretVariables } from './variables';
import { reservedTags } from './tags';
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
  distinctExistingIdentities,
  uniqueApplications,
  uniqueListEntries,
  knownClusters,
  selectedLabels,
  overriddenClusters,
  distinctKeys,
  identityNames,
  nodeGroupNames,
  existingOnClusters,
  credentialLimit,
  imageOrChart,
  overrides,
  charts,
  operatorVersion,
  notInstalled,
  releaseNames,
  reservedEnvironment,
  deliveries,
  secretVariables,
  oneService,
  uniqueDependencies,
  connectionsOfKinds,
  redisSizes,
  uniqueServiceNames,
  objectNameLengths,
  uniqueObjects,
  dependencyVariables,
  broughtSecretNames,
  ownProvisioners,
  servicesGroups,
  servicesSubscription,
  reservedNamespaces,
  sharedNamespaces,
  serviceAccounts,
  uniqueServiceAccounts,
  vaultNameOrExisting,
  existingVaults,
  vaultNetworks,
  distinctEndpoints,
  oneWorkspace,
  ownVaultNames,
  uniqueVaults,
  centralVaultOverrides,
  unreadValues,
  secretSpelling,
  overreach,
  reservedTags,
];
