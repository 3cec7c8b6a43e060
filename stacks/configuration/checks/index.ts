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
import { adoptedOnClusters, credentialLimit } from './identities';
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
  reservedTags,
];
