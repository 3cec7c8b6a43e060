import { existingVault, distinctExistingIdentities, distinctEndpoints, vaultNetworks } from './existing';
import { reservedNamespaces, serviceAccounts, sharedNamespaces, uniqueServiceAccounts } from './accounts';
import { releaseNames, uniqueApplications, uniqueListEntries } from './applications';
import { charts, operatorVersion } from './charts';
import {
  distinctClusters,
  distinctKeys,
  identityNames,
  knownClusters,
  kubeconfigs,
  nodeGroupNames,
  uniqueClusters,
} from './clusters';
import type { Check } from './context';
import {
  ownProvisioners,
  redisSizes,
  servicesGroups,
  servicesSubscription,
  uniqueDependencies,
} from './dependencies';
import { broughtSecretNames, objectNameLengths, uniqueObjects, uniqueServiceNames } from './dependencyNames';
import { existingOnClusters, credentialLimit } from './identities';
import { notInstalled } from './platform';
import { overriddenClusters, selectedLabels } from './selections';
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
  ...charts,
  operatorVersion,
  notInstalled,
  releaseNames,
  reservedEnvironment,
  deliveries,
  secretVariables,
  uniqueDependencies,
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
  existingVault,
  vaultNetworks,
  ...distinctEndpoints,
  ownVaultNames,
  uniqueVaults,
  centralVaultOverrides,
  unreadValues,
  secretSpelling,
  overreach,
  ...reservedTags,
];
