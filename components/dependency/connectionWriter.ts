import * as pulumi from '@pulumi/pulumi';
import { checkedArguments } from '../azure/arguments';
import { assignRole } from '../azure/assignRole';
import { connectionWriterAccount } from '../identity/subjects';
import {
  reconcilerPod,
  reconcilerProblems,
  type ReconcilerIdentity,
  type ReconcilerSettings,
} from '../reconciler/reconcilerPod';
import type { ConnectionDocument } from './connectionDocument';
import { keyHolder, type KeyedKind } from './keys';
import type { DependencyKey } from './service';

/** A service with a connection string that is kept current in a secret. */
export interface KeptConnection {
  /** Name of its role assignments in the stack, and its name in the log: `<application>/<dependency>`. */
  readonly name: string;
  /** Kind of the service. */
  readonly kind: KeyedKind;
  /** Resource id of the service. */
  readonly serviceId: pulumi.Input<string>;
  /** The key that the application uses. Default: `primary`. */
  readonly key?: DependencyKey;
  /** The connection string, with `{key}` in place of the key. */
  readonly template: pulumi.Input<string>;
  /** Resource id of the secret, which must exist. */
  readonly secretId: pulumi.Input<string>;
  /** Tags of the secret. Default: none. */
  readonly tags?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}

/** Arguments of ConnectionWriter. */
export interface ConnectionWriterArgs extends ReconcilerSettings {
  /**
   * The identity that writes the secrets. It trusts the service account connection-writer in the namespace
   * connection-writer.
   */
  readonly identity: ReconcilerIdentity;
  /** GUID of the role to assign to it on each service and each secret, from a ConnectionWriterRole. */
  readonly role: pulumi.Input<string>;
  /** The connection strings to keep current. */
  readonly connections: KeptConnection[];
  /** The program to run, `reconciler/connections.ts` of this project bundled into one file. */
  readonly program: string;
  /** Address of the cloud's resource manager. Default: the public cloud's. */
  readonly resourceManager?: string;
}

/**
 * Keeps connection strings current: a Deployment of one pod that, at each interval, lists the keys of exactly these
 * services and writes exactly these secrets if a key has changed. It reads no secret.
 */
export class ConnectionWriter extends pulumi.ComponentResource {
  /** Name of its namespace. */
  readonly namespace: pulumi.Output<string>;

  constructor(name: string, args: ConnectionWriterArgs, opts?: pulumi.ComponentResourceOptions) {
    super('aks-workload-identity:dependency:ConnectionWriter', name, {}, opts);
    args = checkedArguments('ConnectionWriter', name, args, reconcilerProblems);
    const home = reconcilerPod(
      name,
      {
        ...{ account: connectionWriterAccount, identity: args.identity, program: args.program },
        ...{ document: documentOf(args), documentName: 'connections' },
        ...{ intervalSeconds: args.intervalSeconds, image: args.image },
        rights: rightsOf(name, args, this),
      },
      { parent: this, deletedWith: opts?.deletedWith },
    );
    this.namespace = home.metadata.name;
    this.registerOutputs({ namespace: this.namespace });
  }
}

/** Returns the resource id of the holder of the service's keys. */
function holderOf({ kind, serviceId }: KeptConnection): pulumi.Output<string> {
  return pulumi.output(serviceId).apply((id) => keyHolder(kind, id));
}

/**
 * Assigns the role on each service or its rule, and on each secret. Actions of the role for the other kind have no effect
 * there.
 */
function rightsOf(
  name: string,
  { connections, identity, role }: ConnectionWriterArgs,
  parent: pulumi.Resource,
) {
  const { principalId } = identity;
  return connections.flatMap((connection) =>
    Object.entries({ keys: holderOf(connection), secret: connection.secretId }).map(([of, scope]) =>
      assignRole(
        `${name}/${connection.name}/${of}`,
        { scope, role: pulumi.output(role).apply((guid) => ({ guid })), principalId },
        { parent },
      ),
    ),
  );
}

function documentOf({
  connections,
  resourceManager = 'https://management.azure.com',
}: ConnectionWriterArgs): pulumi.Output<string> {
  const written = connections.map((connection) => {
    const { name, kind, key = 'primary', template, secretId: secret, tags = {} } = connection;
    return { ...{ name, kind, key, template, secret, tags }, keyHolder: holderOf(connection) };
  });
  return pulumi
    .output(written)
    .apply((known) => JSON.stringify({ resourceManager, connections: known } satisfies ConnectionDocument));
}
