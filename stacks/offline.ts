// The part of `stacks` that needs no engine and loads no provider. The project's commands may import nothing else.

export { clock } from './settings/clock';
export { settingIn } from './settings/settingIn';
export { nearest } from './settings/nearest';
export { allPages, apiVersions, listUrl, resourceUrl } from '../components/azure/resourceManager';
export { commandsHere } from '../components/resource/commandsHere';
export { startCommand } from '../components/cluster/existingCluster';
export { interactiveSignIn } from '../components/waiting/interactiveSignIn';
export { skipUnreachable } from '../components/waiting/unreachable';
export { firstFew } from '../components/resource/firstFew';
export { hiddenCharacters, visibleLine, visibleText } from '../components/resource/visibleText';
export { fieldsOf, isRecord, textOf, textsOf } from '../components/resource/fields';
export { projectFiles, type ReadFile } from './settings/projectFiles';
export { checkStackFile, formatPlaced, type PlacedProblem, type StackFileCheck } from './stackFile';
export { summarizeConfiguration } from './plan/summary';
export { project, valueAt } from './settings/problem';
export { withValue } from './settings/yamlEdit';
export { type Cloud, cloudNames, currentCloud } from '../components/azure/clouds';
export {
  clusterType,
  identityType,
  isInScope,
  tryParseResourceId,
  vaultType,
} from '../components/azure/resourceId';
export {
  accessWindowsAccount,
  connectionWriterAccount,
  credentialName,
  defaultAudience,
  maxCredentialsPerIdentity,
  subjectOf,
  tokenEventsAccount,
} from '../components/identity/subjects';
export { accountAnnotations, clientIdAnnotation, useLabel } from '../components/identity/signIn';
export {
  bindingLabel,
  podIdentityApi,
  podIdentityGroup,
  tokenEventSource,
} from '../components/podIdentity/names';
export { hostedClusterAudience } from '../components/hypershift/components';
export { mayAssignEach } from '../components/azure/assignmentCondition';
export { connectionWriterActions } from '../components/dependency/keys';
export { valueTag } from '../components/vault/valueTag';
export { fitName } from '../components/azure/naming';
export { isOpen, isWanted, lead, nextChange, opensWithin } from '../components/access/windowCalendar';
export {
  assignmentUrl,
  windowAssignment,
  type WindowAssignment,
} from '../components/access/windowAssignment';
export { describeOnDemand, durationOf, openOnDemand } from '../components/access/onDemand';
export { builtInRoles, roleAssignmentName, roleGuidOf, roleName } from '../components/azure/roles';
export { allows, type Plane } from '../components/azure/permission';
export { scopeKind } from '../components/azure/scope';
export { groupPrefix } from './plan/groups';
export { groupDescription, stackTagFilter, stackTagValue } from './plan/tags';
export { imagePattern, stackTag } from './settings/schema/fields';
export { digestIn } from './settings/releases/digest';
export { everGranted, rolesAtTimes, strictTimes } from './outputs/accessWindows';
export { partsOf } from './outputs/hostedClusterOutput';
export { stackOutputs } from './outputs/outputs';
export { assignedIn, type AssignedRole } from './access/assigned';
export { type Access, accessOf } from './access/reach';
export {
  clusterOfProvider,
  providerName,
  type Registered,
  stackOf,
  withoutVersion,
} from './access/registered';
export { reasonsToReach, type ReachQuestion } from './access/question';
export { rowsOf } from './access/rows';
export { readable } from './access/readable';
export { accessDifference, countChanges, describeCompared } from './access/difference';
export { missingRoles } from './promotion/missingRoles';
export { planPromotion } from './promotion/promotion';
export {
  type EnforcementLevel,
  isOver,
  type PolicyName,
  policiesVariable,
  type PolicySettings,
  readPolicySettings,
} from './settings/schema/policies';
export type { Configuration } from './plan';
export { everyIdentity, namedBy } from './plan';
export { wideRoles } from './plan/roles';
export {
  type Granted,
  type GrantedRole,
  type GrantedSecret,
  grantedName,
  isRole,
  roleOf,
  rolesIn,
  secretsIn,
} from './plan/granted';
