import * as pulumi from '@pulumi/pulumi';
import { checkedArguments } from '../azure/arguments';
import { mayAssignEach } from '../azure/assignmentCondition';
import { assignRole } from '../azure/assignRole';
import { builtInRoles } from '../azure/roles';
import { accessWindowsAccount } from '../identity/subjects';
import {
  reconcilerPod,
  reconcilerProblems,
  type ReconcilerIdentity,
  type ReconcilerSettings,
} from '../reconciler/reconcilerPod';
import type { ArgumentProblem } from '../resource/errors';
import { repetitions } from '../resource/argumentValues';
import { isTimeZone } from '../resource/calendar';
import type { AccessWindow } from './windows';
import type { Schedule } from './schedule';

/** An identity that has a role only in access windows, such as an application that reads a secret. */
export interface WindowedReader {
  /** Object id of its service principal. */
  readonly principalId: pulumi.Input<string>;
  /** Its name in the log: `<cluster>/<application>`. */
  readonly reader: string;
  /** GUID of the role. Default: Key Vault Secrets User. */
  readonly role?: string;
  /** Windows in which it has the role. If empty, it has the role only on demand or never. */
  readonly windows: AccessWindow[];
  /**
   * Maximum time for which a person may open the access, in minutes or hours, such as `30m` or `4h`. Default: not allowed.
   */
  readonly onDemand?: string;
}

/**
 * A secret in a vault with role assignments, or another Azure resource. Identities have roles on it only in access windows.
 */
export interface WindowedScope {
  /** Name of its grants: `<vault>/<secret>`, or the resource id without the leading slash. */
  readonly name: string;
  /** Resource id. */
  readonly scope: pulumi.Input<string>;
  /** The identities that have roles on the scope only in access windows. */
  readonly readers: WindowedReader[];
}

/** Arguments of AccessWindows. */
export interface AccessWindowsArgs extends ReconcilerSettings {
  /**
   * The identity that assigns and removes the roles. It trusts the service account access-windows in the namespace
   * access-windows.
   */
  readonly identity: ReconcilerIdentity;
  /** The secrets and other resources, each with the identities that have roles on it only in access windows. */
  readonly scopes: WindowedScope[];
  /** The program to run, `reconciler/accessWindows/main.ts` of this project bundled into one file. */
  readonly program: string;
  /** Address of the cloud's resource manager. Default: the public cloud's. */
  readonly resourceManager?: string;
}

/** The role that grants access to a secret. */
const opening = builtInRoles.keyVaultSecretsUser;

/**
 * Opens and closes access windows: a Deployment of one pod that, at each interval, assigns and removes exactly the roles
 * that `scopes` names. It cannot assign anything else.
 */
export class AccessWindows extends pulumi.ComponentResource {
  /** Name of its namespace. */
  readonly namespace: pulumi.Output<string>;

  constructor(name: string, args: AccessWindowsArgs, opts?: pulumi.ComponentResourceOptions) {
    super('aks-workload-identity:access:AccessWindows', name, {}, opts);
    args = checkedArguments('AccessWindows', name, args, accessWindowProblems);
    const home = reconcilerPod(
      name,
      {
        ...{ account: accessWindowsAccount, identity: args.identity, program: args.program },
        ...{ document: scheduleOf(args), documentName: 'schedule' },
        ...{ intervalSeconds: args.intervalSeconds, image: args.image },
        rights: mayAssign(name, args, this),
      },
      { parent: this, deletedWith: opts?.deletedWith },
    );
    this.namespace = home.metadata.name;
    this.registerOutputs({ namespace: this.namespace });
  }
}

function accessWindowProblems({ scopes, ...settings }: AccessWindowsArgs): ArgumentProblem[] {
  const all = scopes.flatMap(({ readers }, scope) =>
    readers.map(({ windows }, reader) => ({ windows, at: `scopes[${scope}].readers[${reader}].windows` })),
  );
  const repeated = scopes.flatMap(({ readers }, scope) => {
    const ids = readers.map(({ principalId, role = opening }) =>
      typeof principalId === 'string' ? `${principalId} ${role}`.toLowerCase() : undefined,
    );
    return repetitions(ids).flatMap(({ value, index, first }) =>
      value === undefined
        ? []
        : [
            {
              ...{ argument: `scopes[${scope}].readers[${index}].principalId`, value },
              problem: `repeats scopes[${scope}].readers[${first}]`,
              allowed: 'each role only once',
            },
          ],
    );
  });
  const windowed = all.flatMap(({ windows, at }) => [
    ...repetitions(windows.map((window) => JSON.stringify(window))).map(({ value, index, first }) => ({
      ...{
        argument: `${at}[${index}]`,
        value,
        problem: `repeats ${at}[${first}]`,
        allowed: 'each only once',
      },
    })),
    ...[...windows.entries()]
      .filter(([, { timeZone }]) => !isTimeZone(timeZone))
      .map(([index, { timeZone }]) => ({
        ...{ argument: `${at}[${index}].timeZone`, value: timeZone, problem: 'is not a time zone' },
        allowed: 'a time zone of the IANA database, such as Europe/Berlin',
      })),
  ]);
  return [...reconcilerProblems(settings), ...repeated, ...windowed];
}

/** Assigns, on each scope, the right to assign and remove exactly the roles of its readers. */
function mayAssign(name: string, { identity, scopes }: AccessWindowsArgs, parent: pulumi.Resource) {
  return scopes.map(({ name: inStack, scope, readers }) =>
    assignRole(
      `${name}/${inStack}`,
      {
        scope,
        role: 'rbacAdministrator',
        principalId: identity.principalId,
        condition: pulumi
          .all(readers.map(({ principalId, role }) => pulumi.all([principalId, role ?? opening])))
          .apply((all) => mayAssignEach(all.map(([principalId, role]) => ({ principalId, role })))),
      },
      { parent },
    ),
  );
}

/** Returns the schedule in the form that the program reads. */
function scheduleOf({ scopes, resourceManager = 'https://management.azure.com' }: AccessWindowsArgs) {
  const grants = scopes.flatMap(({ scope, readers }) =>
    readers.map(({ role = opening, ...reader }) => ({ scope, role, ...reader })),
  );
  return pulumi
    .output(grants)
    .apply((known) => JSON.stringify({ resourceManager, grants: known } satisfies Schedule));
}
