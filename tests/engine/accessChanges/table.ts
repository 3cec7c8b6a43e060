import { chartChanges } from './cases/charts';
import { clusterChanges } from './cases/clusters';
import { credentialChanges } from './cases/credentials';
import { dependencyChanges } from './cases/dependencies';
import { groupChanges } from './cases/groups';
import { hostedChanges } from './cases/hosted';
import { identityChanges } from './cases/identities';
import { placeChanges } from './cases/places';
import { podIdentityChanges } from './cases/podIdentity';
import { roleChanges } from './cases/roles';
import { roundaboutChanges } from './cases/roundabout';
import { secretChanges } from './cases/secrets';
import { trustChanges } from './cases/trust';
import { unchanged } from './cases/unchanged';
import { vaultChanges } from './cases/vaults';
import { windowChanges } from './cases/windows';
import type { Change } from './change';

/** All changes, with the rows that each must cause. */
export const changes: readonly Change[] = [
  ...trustChanges,
  ...clusterChanges,
  ...identityChanges,
  ...secretChanges,
  ...vaultChanges,
  ...groupChanges,
  ...roleChanges,
  ...windowChanges,
  ...credentialChanges,
  ...podIdentityChanges,
  ...dependencyChanges,
  ...chartChanges,
  ...hostedChanges,
  ...placeChanges,
  ...roundaboutChanges,
  ...unchanged,
];
