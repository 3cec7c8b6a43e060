import * as pulumi from '@pulumi/pulumi';
import { checkedArguments } from '../azure/arguments';
import { mayAssignOnly } from '../azure/assignmentCondition';
import { assignRole } from '../azure/assignRole';
import { accessWindowsAccount } from '../identity/subjects';
import { reconcilerPod, type ReconcilerIdentity } from '../reconciler/reconcilerPod';
import type { ArgumentProblem } from '../resource/errors';
import { repetitions } from '../resource/given';
import type { AccessWindow } from './calendar';
import { isTimeZone } from './calendar';
import type { Schedule } from './schedule';

/** An identity that reads a secret at times. */
export interface WindowedReader {
  /** Object id of its service principal. */
  readonly principalId: pulumi.Input<string>;
  /** Who it is, for the log: `<cluster>/<application>`. */
  readonly reader: string;
  /** When it may read it. None: only on demand, or never. */
  readonly windows: AccessWindow[];
  /** The longest time for which a person may open it: minutes or hours, such as `30m` or `4h`. Default: nobody may. */
  readonly onDemand?: string;
}

/** A secret that is read at times, in a vault with role assignments. */
export interface WindowedSecret {
  /** Name of its grants: `<vault>/<secret>`. */
  readonly name: string;
  /** Resource id. */
  readonly scope: pulumi.Input<string>;
  /** The identities that read it at times. */
  readonly readers: WindowedReader[];
}

/** Arguments of AccessWindows. */
export interface AccessWindowsArgs {
  /** The identity that opens and closes: it trusts the service account access-windows in the namespace access-windows. */
  readonly identity: ReconcilerIdentity;
  /** The secrets, with who reads them when. */
  readonly secrets: WindowedSecret[];
  /** The program that opens and closes, `reconciler/main.ts` of this project bundled into one file. */
  readonly program: string;
  /** Seconds between two of its runs, 5 to 60. Default: 60. */
  readonly intervalSeconds?: number;
  /** Image with Node.js 20 or later. Default: Node.js' own image, in a version. */
  readonly image?: string;
  /** Address of the cloud's resource manager. Default: that of the public cloud. */
  readonly resourceManager?: string;
}

/**
 * Opens and closes access windows: a Deployment of one pod that, at each interval, gives exactly the identities that it is told
 * exactly the role Key Vault Secrets User on exactly their secrets, and takes it again. It may assign nothing else.
 */
export class AccessWindows extends pulumi.ComponentResource {
  /** Name of the namespace that it runs in. */
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

function accessWindowProblems({ secrets }: AccessWindowsArgs): ArgumentProblem[] {
  const all = secrets.flatMap(({ readers }, secret) =>
    readers.map(({ windows }, reader) => ({ windows, at: `secrets[${secret}].readers[${reader}].windows` })),
  );
  return all.flatMap(({ windows, at }) => [
    ...repetitions(windows.map((one) => JSON.stringify(one))).map(({ value, index, first }) => ({
      ...{
        argument: `${at}[${index}]`,
        value,
        problem: `is ${at}[${first}] again`,
        allowed: 'each only once',
      },
    })),
    ...[...windows.entries()]
      .filter(([, { timeZone }]) => !isTimeZone(timeZone))
      .map(([index, { timeZone }]) => ({
        ...{ argument: `${at}[${index}].timeZone`, value: timeZone, problem: 'is no time zone' },
        allowed: 'a name of the IANA time zone database, such as Europe/Berlin',
      })),
  ]);
}

/** On each secret, the right to give one role to its readers and to take it, and no other. */
function mayAssign(name: string, { identity, secrets }: AccessWindowsArgs, parent: pulumi.Resource) {
  return secrets.map(({ name: secret, scope, readers }) =>
    assignRole(
      `${name}/${secret}`,
      {
        scope,
        role: 'rbacAdministrator',
        principalId: identity.principalId,
        condition: pulumi
          .all(readers.map(({ principalId }) => principalId))
          .apply((principalIds) => mayAssignOnly({ roles: ['keyVaultSecretsUser'], principalIds })),
      },
      { parent },
    ),
  );
}

/** The schedule as the program reads it. */
function scheduleOf({ secrets, resourceManager = 'https://management.azure.com' }: AccessWindowsArgs) {
  const grants = secrets.flatMap(({ scope, readers }) => readers.map((one) => ({ scope, ...one })));
  return pulumi
    .output(grants)
    .apply((known) => JSON.stringify({ resourceManager, grants: known } satisfies Schedule));
}
