import { isDeepStrictEqual } from 'node:util';
import { parse } from 'yaml';
import { builtInRoles, isRecord, valueAt } from '../stacks/offline';
import type { Access, CustomObjectKind, RoleAssignment, SignIns } from './access';
import type { HostedClusterOutput, VerifiedOutputs } from './checks';
import { classifyFailure } from './failure';
import { applicationCredentialRemoval, certificateRemoval, passwordRemoval, secretRecovery } from './removal';
import type { CheckResult, Outcome } from './results';
import { Refusable, type Unlisted } from './unlisted';

/** One identity of a hosted cluster, with what was found about it. */
export interface HostedIdentityResult {
  /** Name of the cluster that the control plane runs on. */
  cluster: string;
  hostedCluster: string;
  /** The component; of an identity of the nodes, with "on nodes". */
  component: string;
  /** Name in Azure or in Entra. */
  identity: string;
  /** When its certificate expires (RFC 3339); undefined where it signs in by federation. */
  expiresOn?: string | undefined;
  checks: CheckResult[];
}

/** What was found about hosted clusters. */
export interface HostedClusterChecks {
  identities: HostedIdentityResult[];
  /** Those of a whole hosted cluster. */
  checks: CheckResult[];
  /** What is not there yet, each a line for people. */
  notes: string[];
  /** Applications in Entra whose credentials could not be listed. */
  unlisted: Unlisted[];
}

/** What was read before. */
export interface HostedClusterFacts {
  /** Every role assignment that can be listed; undefined if none can. */
  assignments: readonly RoleAssignment[] | undefined;
  /** The secrets that are in the vaults, by name of the vault; undefined of one that cannot be listed. */
  secrets: ReadonlyMap<string, readonly string[] | undefined>;
  now: Date;
}

type HostedAccess = Pick<Access, 'customObject' | 'listSignIns'>;
type Component = HostedClusterOutput['components'][number];
type Limited = <T>(run: () => Promise<T>) => Promise<T>;

const classKind: CustomObjectKind = {
  ...{ group: 'secrets-store.csi.x-k8s.io', version: 'v1', plural: 'secretproviderclasses' },
};
const hostedClusterKind: CustomObjectKind = {
  ...{ group: 'hypershift.openshift.io', version: 'v1beta1', plural: 'hostedclusters' },
};

/** Checks what hosted clusters need to sign in, and by what else their identities could sign in. Never rejects. */
export async function checkHostedClusters(
  { hostedClusters, vaults, tenantId }: Pick<VerifiedOutputs, 'hostedClusters' | 'vaults' | 'tenantId'>,
  access: HostedAccess,
  facts: HostedClusterFacts,
  limited: Limited,
): Promise<HostedClusterChecks> {
  const lists = new Refusable(limited);
  const all = await Promise.all(
    hostedClusters.map(async (hosted) => {
      const reading = new HostedClusterReading(
        hosted,
        vaults[hosted.vault ?? '']?.id,
        tenantId,
        access,
        facts,
        limited,
      );
      const [components, { check, note }] = await Promise.all([
        Promise.all(hosted.components.map((one) => reading.component(one, lists))),
        limited(() => reading.hostedCluster()),
      ]);
      return {
        identities: [
          ...components.map(({ identity }) => identity),
          ...hosted.nodes.map((one) => reading.node(one)),
        ],
        checks: check ?? [],
        notes: [note ?? [], classesNote(hosted, components)].flat(),
      };
    }),
  );
  return {
    identities: all.flatMap(({ identities }) => identities),
    checks: all.flatMap(({ checks }) => checks),
    notes: all.flatMap(({ notes }) => notes),
    unlisted: lists.unlisted,
  };
}

/** What is to be known of the SecretProviderClasses that HyperShift has not made yet. */
function classesNote(
  { managementCluster, controlPlaneNamespace }: HostedClusterOutput,
  components: readonly ComponentResult[],
): string[] {
  const awaited = components.flatMap(({ awaitedClass }) => awaitedClass ?? []);
  if (awaited.length === 0) return [];
  return [
    `HyperShift has not made SecretProviderClasses in ${controlPlaneNamespace} of ${managementCluster} yet: ${awaited.join(', ')} were not checked.`,
  ];
}

interface ComponentResult {
  readonly identity: HostedIdentityResult;
  /** Name of the SecretProviderClass that HyperShift is to make and has not made. */
  readonly awaitedClass?: string | undefined;
}

/** What is found about one hosted cluster. */
class HostedClusterReading {
  constructor(
    private readonly hosted: HostedClusterOutput,
    /** Resource id of the vault with its credentials. */
    private readonly vaultId: string | undefined,
    private readonly tenantId: string,
    private readonly access: HostedAccess,
    private readonly facts: HostedClusterFacts,
    private readonly limited: Limited,
  ) {}

  async component(component: Component, lists: Refusable): Promise<ComponentResult> {
    const { name, clientId, expiresOn, secret, keyIds = [], secretProviderClass = '' } = component;
    const roles = ['has its roles', this.roles(component)] as const;
    if (secret === undefined || expiresOn === undefined)
      return { identity: this.result(component.component, component, [roles]) };
    const [signIns, mount] = await Promise.all([
      lists.read(name, async () => ({ found: await this.access.listSignIns(clientId) })),
      this.limited(() => this.mount(component)),
    ]);
    const identity = this.result(component.component, component, [
      roles,
      ['has a valid certificate', validity(expiresOn, this.hosted.renewAfter, this.facts.now)],
      [
        'signs in only by its certificates',
        signIns && soleSignIns(clientId, { certificates: keyIds }, signIns.found),
      ],
      [`has its secret ${this.hosted.vault ?? ''}/${secret}`, this.secret(secret)],
      [`lets the nodes read ${this.hosted.vault ?? ''}/${secret}`, this.reader(secret)],
      [`class ${secretProviderClass}`, mount],
    ]);
    return { identity, awaitedClass: mount === undefined ? secretProviderClass : undefined };
  }

  /** An identity of the nodes. */
  node(identity: HostedClusterOutput['nodes'][number]): HostedIdentityResult {
    return this.result(`${identity.component} on nodes`, identity, [['has its roles', this.roles(identity)]]);
  }

  /** Whether the HostedCluster on the management cluster has the fields of the patch. */
  async hostedCluster(): Promise<{ check?: CheckResult; note?: string }> {
    const { name, namespace, managementCluster, makesHostedCluster, patch, place } = this.hosted;
    const result = (outcome: Outcome) => ({
      check: this.check(name, 'HostedCluster names its identities', outcome),
    });
    const found = await this.object(hostedClusterKind, namespace, name);
    if (found === undefined && !makesHostedCluster)
      return {
        note: `${managementCluster} has no HostedCluster ${namespace}/${name} yet: its fields were not checked.`,
      };
    if (found === undefined)
      return result({ ok: false, detail: 'is not there; `pulumi up --refresh` makes it again' });
    if ('failure' in found) return result(found.failure);
    const spec = found.object['spec'];
    const ours = isRecord(patch['spec']) ? patch['spec'] : {};
    const differing = [...differences(spec, ours, 'spec'), ...differences(spec, place, 'spec')];
    if (differing.length === 0) return result({ ok: true, detail: `${namespace}/${name}` });
    const detail = `${differing.join(', ')} ${differing.length === 1 ? 'differs' : 'differ'} from \`patch\` and \`place\` of the output hostedClusters`;
    return result({ ok: false, detail });
  }

  private result(
    component: string,
    { name, expiresOn }: Pick<Component, 'name' | 'expiresOn'>,
    outcomes: readonly (readonly [string, Outcome | undefined])[],
  ): HostedIdentityResult {
    const { name: hostedCluster, managementCluster: cluster } = this.hosted;
    const checks = outcomes.flatMap(([check, outcome]) =>
      outcome === undefined ? [] : [this.check(`${hostedCluster}/${component}`, check, outcome)],
    );
    return { cluster, hostedCluster, component, identity: name, expiresOn, checks };
  }

  private check(application: string, check: string, { ok, detail }: Outcome): CheckResult {
    return { cluster: this.hosted.managementCluster, application, check, ok, detail };
  }

  /** Undefined where role assignments cannot be listed. */
  private roles({ principalId, roles }: HostedClusterOutput['nodes'][number]): Outcome | undefined {
    const { assignments } = this.facts;
    if (assignments === undefined) return undefined;
    const missing = roles.filter((role) => !assignments.some((one) => grants(one, principalId, role)));
    const named = (missing.length === 0 ? roles : missing).map(
      ({ role, name = role, scope }) => `${name} on ${scope}`,
    );
    return missing.length === 0
      ? { ok: true, detail: named.join(', ') || 'needs none' }
      : { ok: false, detail: `lacks ${named.join(', ')}; \`pulumi up --refresh\` assigns it again` };
  }

  /** Whether its secret is in the vault; undefined where that cannot be listed. */
  private secret(secret: string): Outcome | undefined {
    const { vault = '' } = this.hosted;
    const found = this.facts.secrets.get(vault);
    if (found === undefined) return undefined;
    return found.some((one) => one.toLowerCase() === secret.toLowerCase())
      ? { ok: true, detail: 'is there' }
      : {
          ok: false,
          detail: `is not there; if it was deleted: ${secretRecovery(vault, secret)}`,
        };
  }

  /** Whether the identity of the nodes may read it; undefined where role assignments cannot be listed. */
  private reader(secret: string): Outcome | undefined {
    const { principalId = '', clientId = '' } = this.hosted.reader ?? {};
    const scope = `${this.vaultId ?? ''}/secrets/${secret}`;
    const isGranted = this.facts.assignments?.some((one) =>
      grants(one, principalId, { role: builtInRoles.keyVaultSecretsUser, scope }),
    );
    if (isGranted === undefined) return undefined;
    return isGranted
      ? { ok: true, detail: clientId }
      : { ok: false, detail: `${clientId} may not; \`pulumi up --refresh\` grants it again` };
  }

  /** Whether the SecretProviderClass mounts the secret; undefined while HyperShift has not made it. */
  private async mount(component: Component): Promise<Outcome | undefined> {
    const { controlPlaneNamespace, secretProviderClasses, objectEncoding, reader, vault } = this.hosted;
    const { secretProviderClass = '', secret } = component;
    const found = await this.object(classKind, controlPlaneNamespace, secretProviderClass);
    if (found === undefined) {
      return secretProviderClasses === 'stack'
        ? { ok: false, detail: 'is not there; `pulumi up --refresh` makes it again' }
        : undefined;
    }
    if ('failure' in found) return found.failure;
    const parameters = valueAt(found.object, ['spec', 'parameters']);
    const has = (name: string) => valueAt(parameters, [name]);
    const wanted = {
      keyvaultName: vault,
      tenantId: this.tenantId,
      userAssignedIdentityID: reader?.clientId,
      useVMManagedIdentity: 'true',
    };
    const wrong = Object.entries(wanted).flatMap(([name, value]) =>
      has(name) === value
        ? []
        : [`${name} is ${JSON.stringify(has(name))} instead of ${JSON.stringify(value)}`],
    );
    const mounted = mountedObjects(has('objects'));
    if (
      !mounted.some((one) => one.objectName === secret && (one.objectEncoding ?? 'utf-8') === objectEncoding)
    )
      wrong.push(`objects do not have ${secret ?? ''} in ${objectEncoding ?? ''}`);
    return {
      ok: wrong.length === 0,
      detail: wrong.length === 0 ? `mounts ${secret ?? ''}` : wrong.join('; '),
    };
  }

  /** Undefined if there is none. */
  private async object(
    kind: CustomObjectKind,
    namespace: string,
    name: string,
  ): Promise<{ object: Record<string, unknown> } | { failure: Outcome } | undefined> {
    try {
      return { object: await this.access.customObject(this.hosted.managementCluster, kind, namespace, name) };
    } catch (error) {
      const { kind: what, text } = classifyFailure(error);
      return what === 'notFound' ? undefined : { failure: { ok: false, detail: text } };
    }
  }
}

/** Whether what something signs in with has expired, and when an update renews it. */
export function validity(expiresOn: string, renewAfter = expiresOn, now: Date): Outcome {
  if (now.getTime() >= Date.parse(expiresOn))
    return { ok: false, detail: `expired on ${expiresOn}; \`pulumi up\` makes the next one` };
  const isDue = now.getTime() >= Date.parse(renewAfter);
  return {
    ok: true,
    detail: `until ${expiresOn}, renewed by ${isDue ? 'the next update' : `an update from ${renewAfter} on`}`,
  };
}

/** Whether whoever signs in as the application needs one of these, by the ids of keys. */
export function soleSignIns(
  clientId: string,
  { certificates: ours = [], passwords: ourPasswords = [] }: Partial<SignIns>,
  found: SignIns | undefined,
): Outcome {
  if (found === undefined)
    return { ok: false, detail: 'Entra has no such application; `pulumi up --refresh` makes another' };
  const { certificates, passwords, federated } = found;
  const foreign = [
    ...certificates
      .filter((keyId) => !ours.includes(keyId))
      .map((keyId) => `a certificate; remove it: ${certificateRemoval(clientId, keyId)}`),
    ...passwords
      .filter((keyId) => !ourPasswords.includes(keyId))
      .map((keyId) => `a password; remove it: ${passwordRemoval(clientId, keyId)}`),
    ...federated.map(
      (name) => `a federated credential; remove it: ${applicationCredentialRemoval(clientId, name)}`,
    ),
  ];
  if (foreign.length > 0)
    return { ok: false, detail: `has what this stack did not register: ${foreign.join('; ')}` };
  const [noun, all, there] =
    ourPasswords.length > 0 ? ['password', ourPasswords, passwords] : ['certificate', ours, certificates];
  const missing = all.filter((keyId) => !there.includes(keyId));
  return missing.length === 0
    ? { ok: true, detail: `${there.length} ${noun}${there.length === 1 ? '' : 's'}` }
    : {
        ok: false,
        detail: `Entra does not have its ${noun} ${missing.join(', ')}; \`pulumi up --refresh\` registers another`,
      };
}

/** Whether it gives the identity the role, on that scope and on no other. */
export function grants(
  given: RoleAssignment,
  principalId: string,
  { role, scope }: { readonly role: string; readonly scope: string },
): boolean {
  return (
    given.principalId === principalId &&
    given.role.toLowerCase() === role.toLowerCase() &&
    given.scope.toLowerCase() === scope.toLowerCase()
  );
}

/** The paths at which `actual` has something else than `wanted`. */
function differences(actual: unknown, wanted: Readonly<Record<string, unknown>>, path: string): string[] {
  return Object.entries(wanted).flatMap(([name, value]) => {
    const at = `${path}.${name}`;
    const there = valueAt(actual, [name]);
    if (isRecord(value)) return differences(there, value, at);
    return isDeepStrictEqual(there, value) ? [] : [at];
  });
}

/** What the parameter `objects` of a SecretProviderClass names: YAML of a list of YAML. */
function mountedObjects(text: unknown): { objectName?: unknown; objectEncoding?: unknown }[] {
  try {
    const list = valueAt(parse(String(text)), ['array']);
    return Array.isArray(list) ? list.map((one): unknown => parse(String(one))).filter(isRecord) : [];
  } catch {
    return [];
  }
}
