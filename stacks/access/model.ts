import type { AccessWindow } from '../../components/access/calendar';
import { describeWindow } from '../../components/access/calendar';
import { connectionWriterAccount } from '../../components/identity/subjects';
import { bindingLabel } from '../../components/podIdentity/names';
import type { VaultOutput } from '../outputs/outputs';
import type { Granted } from '../plan/granted';
import { grantedKey, grantedName, isRole, rolesIn, secretsIn } from '../plan/granted';

// Who can read what: an entry for each secret that a reader can read, and for each role that it has, whether it names it or
// not. Derived in the same way
// from what settings come to and from what a stack deployed, so that the two can be compared.

/** An application on one cluster, as far as its access goes. */
export interface Reader {
  readonly cluster: string;
  readonly application: string;
  readonly namespace: string;
  readonly serviceAccount: string;
  readonly serviceAccounts: readonly string[];
  /** The identity that it runs as: resource id, or what else tells it from others, and name. */
  readonly identity: { readonly id: string; readonly name: string };
  readonly identitiesBeside: readonly { readonly id: string; readonly name: string }[];
  readonly revoked?: true | undefined;
  /** How its pods sign in, if not by workload identity alone. */
  readonly signIn?: 'podIdentity' | 'both' | undefined;
  /** Name of the secret that it signs in with; undefined: it does by tokens of its service accounts. */
  readonly credentialSecret?: string | undefined;
  readonly grants: readonly (Granted & { readonly group?: string | undefined })[];
  /** What it may read, and which roles it has, at times. */
  readonly windows: readonly (Granted & {
    readonly windows: readonly AccessWindow[];
    readonly onDemand?: string | undefined;
  })[];
}

/** What access is derived from; the outputs of a stack are one such. */
export interface AccessSource {
  readonly environment: string;
  readonly vaults: Readonly<Record<string, Pick<VaultOutput, 'access'> & { secrets: readonly string[] }>>;
  readonly workloads: readonly Reader[];
  readonly hostedClusters: readonly {
    readonly name: string;
    readonly managementCluster: string;
    readonly vault?: string | undefined;
    readonly components: readonly { readonly component: string; readonly secret?: string | undefined }[];
  }[];
  /** The connection writers, by cluster. Default: there are none. */
  readonly connectionWriters?:
    | readonly {
        readonly cluster: string;
        /** Name of its identity. */
        readonly name: string;
        readonly connections: readonly {
          readonly application: string;
          readonly dependency: string;
          readonly vault: string;
          readonly secret: string;
        }[];
      }[]
    | undefined;
}

/** That somebody can read a secret, or has a role. */
export type AccessEntry = Granted & EntryOfReader;

/** Who it is, and why. */
export interface EntryOfReader {
  readonly cluster: string;
  /** The application, or `<hosted cluster>/<component>`. */
  readonly reader: string;
  /**
   * `<namespace>/<service account>`: whoever runs under one of them can read the secret, or acts by the role. By aad-pod-identity, whoever is one
   * of the `pods of <namespace> labelled …`; by a `stored credential of <namespace>/<application>`, whoever has that.
   */
  readonly serviceAccounts: readonly string[];
  /** Names of the identities that can read it. */
  readonly identities: readonly string[];
  /** Why: `granted`, `member of group …`, or by what else, as a phrase. */
  readonly because: string;
  /** When, where it is not at all times. */
  readonly atTimes?: string | undefined;
  /** It does not name the secret or the role, and can read or has it all the same. */
  readonly overreach: boolean;
}

/** Who can read what in one environment. */
export interface Access {
  readonly environment: string;
  readonly entries: readonly AccessEntry[];
}

/** Everybody with access, by cluster, reader and secret. */
export function accessOf(source: AccessSource): Access {
  const entries = [
    ...source.workloads.flatMap((reader) => entriesOf(source, reader)),
    ...source.hostedClusters.flatMap(hostedEntries),
    ...(source.connectionWriters ?? []).flatMap(writerEntries),
  ];
  return { environment: source.environment, entries: entries.sort(inOrder) };
}

const inOrder = (one: AccessEntry, other: AccessEntry): number => {
  // The secrets first.
  const [before, after] = [one, other].map((entry) =>
    [
      entry.cluster,
      entry.reader,
      ...(isRole<Granted>(entry) ? ['\uffff', grantedName(entry)] : [entry.vault, entry.secret]),
    ].join('\n'),
  );
  return (before ?? '') < (after ?? '') ? -1 : 1;
};

function entriesOf(source: AccessSource, reader: Reader): AccessEntry[] {
  if (reader.revoked === true) return [];
  const { cluster, application, namespace, credentialSecret, signIn } = reader;
  const accounts = new Set([reader.serviceAccount, ...reader.serviceAccounts]);
  const whoever = {
    ...{ cluster, reader: application },
    serviceAccounts:
      credentialSecret === undefined
        ? [
            ...(signIn === 'podIdentity' ? [] : [...accounts].map((account) => `${namespace}/${account}`)),
            ...(signIn === undefined
              ? []
              : [`pods of ${namespace} labelled ${bindingLabel}: ${application}`]),
          ]
        : // Whoever has what is stored, from anywhere. Not by its name: a renewal is no change of access.
          [`stored credential of ${namespace}/${application}`],
    identities: [reader.identity, ...reader.identitiesBeside].map(({ name }) => name),
  };
  const secrets = Object.entries(source.vaults).flatMap(([vault, { secrets: all }]) =>
    all.map((secret) => ({ vault, secret })),
  );
  const roles = source.workloads.flatMap(({ grants, windows }) => rolesIn<Granted>([...grants, ...windows]));
  const eachRole = [
    ...new Map(roles.map(({ role, scope }) => [grantedKey({ role, scope }), { role, scope }])).values(),
  ];
  return [...secrets, ...eachRole].flatMap((wanted: Granted): AccessEntry[] => {
    const named = reader.grants.find((one) => isSame(one, wanted));
    const windowed = reader.windows.find((one) => isSame(one, wanted));
    if (named === undefined && windowed !== undefined) {
      const atTimes = timesOf(windowed);
      return [{ ...whoever, ...wanted, because: `granted ${atTimes}`, atTimes, overreach: false }];
    }
    const because = named === undefined ? reasonToReach(source, reader, wanted) : wayOf(named);
    return because === undefined ? [] : [{ ...whoever, ...wanted, because, overreach: named === undefined }];
  });
}

/** Names of secrets are compared as they are written: what the outputs and the plan name is spelled alike. */
function isSame(one: Granted, other: Granted): boolean {
  if (isRole(one) || isRole(other)) return grantedKey(one) === grantedKey(other);
  return one.vault === other.vault && one.secret === other.secret;
}

const wayOf = ({ group }: Reader['grants'][number]): string =>
  group === undefined ? 'granted' : `member of group ${group}`;

const timesOf = ({ windows, onDemand }: Reader['windows'][number]): string =>
  [
    ...windows.map((one) => `on ${describeWindow(one)}`),
    ...(onDemand === undefined ? [] : [`on demand for up to ${onDemand}`]),
  ].join('; ');

/**
 * Why an application's identity may read a secret, or has a role, that the application does not name; undefined: it may not,
 * or has not.
 */
export function reasonToReach(
  { vaults, workloads }: Pick<AccessSource, 'vaults' | 'workloads'>,
  reader: Reader,
  wanted: Granted,
): string | undefined {
  const id = reader.identity.id.toLowerCase();
  const sharing = workloads.filter((other) => other.identity.id.toLowerCase() === id);
  const owners = sharing.filter((other) => other.grants.some((one) => isSame(one, wanted)));
  if (owners.length > 0) {
    const names = [...new Set(owners.map((owner) => owner.application))].join(', ');
    return `identity ${reader.identity.name} is shared with ${names}, which names it`;
  }
  // An access policy cannot name secrets: it opens the whole vault to the identity
  // (MicrosoftDocs/azure-docs articles/key-vault/general/rbac-guide.md).
  if (isRole(wanted)) return undefined;
  const reachesVault = sharing.some((other) =>
    secretsIn(other.grants).some((grant) => grant.vault === wanted.vault),
  );
  if (reachesVault && vaults[wanted.vault]?.access === 'accessPolicy') {
    return `an access policy opens every secret of vault ${wanted.vault} to identity ${reader.identity.name}`;
  }
  return undefined;
}

/** What writes a secret knows its value, though it cannot read it. */
function writerEntries({
  cluster,
  name,
  connections,
}: NonNullable<AccessSource['connectionWriters']>[number]): AccessEntry[] {
  const { namespace, serviceAccount } = connectionWriterAccount;
  return connections.map(({ application, dependency, vault, secret }) => ({
    ...{ cluster, reader: serviceAccount, identities: [name], vault, secret },
    serviceAccounts: [`${namespace}/${serviceAccount}`],
    because: `writes it, from the keys of ${dependency} of ${application}`,
    overreach: false,
  }));
}

function hostedEntries({
  name,
  managementCluster,
  vault = '',
  components,
}: AccessSource['hostedClusters'][number]): AccessEntry[] {
  return components.flatMap(({ component, secret }) =>
    secret === undefined
      ? []
      : [
          {
            ...{ cluster: managementCluster, reader: `${name}/${component}`, vault, secret },
            serviceAccounts: [],
            identities: [],
            because: 'read by the identity of the nodes',
            overreach: false,
          },
        ],
  );
}
