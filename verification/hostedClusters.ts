import { isDeepStrictEqual } from 'node:util';
import { parse } from 'yaml';
import { builtInRoles } from '../components/azure/roles';
import { isRecord } from '../components/resource/fields';
import { valueAt } from '../stacks/settings/problem';
import type { Access, CustomObjectKind, RoleAssignment } from './access';
import type { HostedClusterOutput } from '../stacks/outputs/hostedClusterOutput';
import type { VerifiedOutputs } from './checks';
import { classifyFailure } from './failure';
import { secretRecovery } from './removal';
import type { CheckResult, Outcome } from './results';
import { soleSignIns, validity } from './storedCredentials';
import { Refusable, type Unlisted } from './unlisted';

/** One identity of a hosted cluster with its checks. */
export interface HostedIdentityResult {
  /** Name of the cluster on which the control plane runs. */
  cluster: string;
  hostedCluster: string;
  /** The component; for an identity of the nodes, with "on nodes". */
  component: string;
  /** Name in Azure or in Entra. */
  identity: string;
  /** Expiry of its certificate (RFC 3339); undefined if it signs in with federation. */
  expiresOn?: string | undefined;
  checks: CheckResult[];
}

/** Results of the checks of hosted clusters. */
export interface HostedClusterChecks {
  identities: HostedIdentityResult[];
  /** Checks of whole hosted clusters. */
  checks: CheckResult[];
  /** Notes on objects that do not exist yet, each as one line of text. */
  notes: string[];
  /** Applications in Entra whose credentials could not be listed. */
  unlisted: Unlisted[];
}

/** Facts that earlier steps of the verification read. */
export interface HostedClusterFacts {
  /** All role assignments; undefined if they could not be listed. */
  assignments: readonly RoleAssignment[] | undefined;
  /** Names of the secrets by vault; undefined for a vault that could not be listed. */
  secrets: ReadonlyMap<string, readonly string[] | undefined>;
  now: Date;
}

type HostedAccess = Pick<Access, 'customObject' | 'listSignIns'>;
type Component = HostedClusterOutput['components'][number];
type Limited = <T>(run: () => Promise<T>) => Promise<T>;

const classKind: CustomObjectKind = {
  group: 'secrets-store.csi.x-k8s.io',
  version: 'v1',
  plural: 'secretproviderclasses',
};
const hostedClusterKind: CustomObjectKind = {
  group: 'hypershift.openshift.io',
  version: 'v1beta1',
  plural: 'hostedclusters',
};

/** Checks that hosted clusters have what they need to sign in, and that their identities have no other credentials. Never rejects. */
export async function checkHostedClusters(
  { hostedClusters, vaults, tenantId }: Pick<VerifiedOutputs, 'hostedClusters' | 'vaults' | 'tenantId'>,
  access: HostedAccess,
  facts: HostedClusterFacts,
  limited: Limited,
): Promise<HostedClusterChecks> {
  const lists = new Refusable(limited);
  const results = await Promise.all(
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
        Promise.all(hosted.components.map((component) => reading.component(component, lists))),
        limited(() => reading.hostedCluster()),
      ]);
      return {
        identities: [
          ...components.map(({ identity }) => identity),
          ...hosted.nodes.map((node) => reading.node(node)),
        ],
        checks: check ?? [],
        notes: [note ?? [], classesNote(hosted, components)].flat(),
      };
    }),
  );
  return {
    identities: results.flatMap(({ identities }) => identities),
    checks: results.flatMap(({ checks }) => checks),
    notes: results.flatMap(({ notes }) => notes),
    unlisted: lists.unlisted,
  };
}

/** Note on the SecretProviderClasses that HyperShift has not created yet. */
function classesNote(
  { managementCluster, controlPlaneNamespace }: HostedClusterOutput,
  components: readonly ComponentResult[],
): string[] {
  const awaited = components.flatMap(({ awaitedClass }) => awaitedClass ?? []);
  if (awaited.length === 0) return [];
  return [
    `HyperShift has not created SecretProviderClasses in ${controlPlaneNamespace} of ${managementCluster} yet: ${awaited.join(', ')} were not checked.`,
  ];
}

interface ComponentResult {
  readonly identity: HostedIdentityResult;
  /** Name of a SecretProviderClass that HyperShift has not created yet. */
  readonly awaitedClass?: string | undefined;
}

/** The checks of one hosted cluster. */
class HostedClusterReading {
  constructor(
    private readonly hosted: HostedClusterOutput,
    /** Resource id of the vault with the credentials. */
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
        'signs in only with its certificates',
        signIns && soleSignIns(clientId, { certificates: keyIds }, signIns.found),
      ],
      [`has its secret ${this.hosted.vault ?? ''}/${secret}`, this.secret(secret)],
      [`lets the nodes read ${this.hosted.vault ?? ''}/${secret}`, this.reader(secret)],
      [`class ${secretProviderClass}`, mount],
    ]);
    return { identity, awaitedClass: mount === undefined ? secretProviderClass : undefined };
  }

  node(identity: HostedClusterOutput['nodes'][number]): HostedIdentityResult {
    return this.result(`${identity.component} on nodes`, identity, [['has its roles', this.roles(identity)]]);
  }

  /** Checks that the HostedCluster on the management cluster has the fields of the patch. */
  async hostedCluster(): Promise<{ check?: CheckResult; note?: string }> {
    const { name, namespace, managementCluster, makesHostedCluster, patch, place } = this.hosted;
    const result = (outcome: Outcome) => ({
      check: this.check(name, 'HostedCluster names its identities', outcome),
    });
    const hostedCluster = await this.object(hostedClusterKind, namespace, name);
    if (hostedCluster === undefined && !makesHostedCluster)
      return {
        note: `${managementCluster} has no HostedCluster ${namespace}/${name} yet: its fields were not checked.`,
      };
    if (hostedCluster === undefined)
      return result({ ok: false, detail: 'does not exist; `pulumi up --refresh` creates it again' });
    if ('failure' in hostedCluster) return result(hostedCluster.failure);
    const spec = hostedCluster.object['spec'];
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

  /** Checks the roles; undefined if role assignments could not be listed. */
  private roles({ principalId, roles }: HostedClusterOutput['nodes'][number]): Outcome | undefined {
    const { assignments } = this.facts;
    if (assignments === undefined) return undefined;
    const missing = roles.filter(
      (role) => !assignments.some((assignment) => grants(assignment, principalId, role)),
    );
    const texts = (missing.length === 0 ? roles : missing).map(
      ({ role, name = role, scope }) => `${name} on ${scope}`,
    );
    return missing.length === 0
      ? { ok: true, detail: texts.join(', ') || 'needs none' }
      : { ok: false, detail: `lacks ${texts.join(', ')}; \`pulumi up --refresh\` assigns it again` };
  }

  /** Checks that the secret is in the vault; undefined if its secrets could not be listed. */
  private secret(secret: string): Outcome | undefined {
    const { vault = '' } = this.hosted;
    const secrets = this.facts.secrets.get(vault);
    if (secrets === undefined) return undefined;
    return secrets.some((name) => name.toLowerCase() === secret.toLowerCase())
      ? { ok: true, detail: 'exists' }
      : {
          ok: false,
          detail: `does not exist; if it was deleted: ${secretRecovery(vault, secret)}`,
        };
  }

  /** Checks that the nodes' identity may read the secret; undefined if role assignments could not be listed. */
  private reader(secret: string): Outcome | undefined {
    const { principalId = '', clientId = '' } = this.hosted.reader ?? {};
    const scope = `${this.vaultId ?? ''}/secrets/${secret}`;
    const isGranted = this.facts.assignments?.some((assignment) =>
      grants(assignment, principalId, { role: builtInRoles.keyVaultSecretsUser, scope }),
    );
    if (isGranted === undefined) return undefined;
    return isGranted
      ? { ok: true, detail: clientId }
      : { ok: false, detail: `${clientId} may not read it; \`pulumi up --refresh\` grants it again` };
  }

  /** Checks that the SecretProviderClass mounts the secret; undefined until HyperShift has created it. */
  private async mount(component: Component): Promise<Outcome | undefined> {
    const { controlPlaneNamespace, secretProviderClasses, objectEncoding, reader, vault } = this.hosted;
    const { secretProviderClass = '', secret } = component;
    const providerClass = await this.object(classKind, controlPlaneNamespace, secretProviderClass);
    if (providerClass === undefined) {
      return secretProviderClasses === 'stack'
        ? { ok: false, detail: 'does not exist; `pulumi up --refresh` creates it again' }
        : undefined;
    }
    if ('failure' in providerClass) return providerClass.failure;
    const parameters = valueAt(providerClass.object, ['spec', 'parameters']);
    const parameter = (name: string) => valueAt(parameters, [name]);
    const expected = {
      keyvaultName: vault,
      tenantId: this.tenantId,
      userAssignedIdentityID: reader?.clientId,
      useVMManagedIdentity: 'true',
    };
    const problems = Object.entries(expected).flatMap(([name, value]) =>
      parameter(name) === value
        ? []
        : [`${name} is ${JSON.stringify(parameter(name))} instead of ${JSON.stringify(value)}`],
    );
    const isMounted = mountedObjects(parameter('objects')).some(
      (object) => object.objectName === secret && (object.objectEncoding ?? 'utf-8') === objectEncoding,
    );
    if (!isMounted) problems.push(`objects do not have ${secret ?? ''} in ${objectEncoding ?? ''}`);
    return {
      ok: problems.length === 0,
      detail: problems.length === 0 ? `mounts ${secret ?? ''}` : problems.join('; '),
    };
  }

  /** Reads an object, or returns undefined if it does not exist. */
  private async object(
    kind: CustomObjectKind,
    namespace: string,
    name: string,
  ): Promise<{ object: Record<string, unknown> } | { failure: Outcome } | undefined> {
    try {
      return { object: await this.access.customObject(this.hosted.managementCluster, kind, namespace, name) };
    } catch (error) {
      const failure = classifyFailure(error);
      return failure.kind === 'notFound' ? undefined : { failure: { ok: false, detail: failure.text } };
    }
  }
}

/** Tells whether the assignment gives the identity the role on exactly that scope. */
function grants(
  assignment: RoleAssignment,
  principalId: string,
  { role, scope }: { readonly role: string; readonly scope: string },
): boolean {
  return (
    assignment.principalId === principalId &&
    assignment.role.toLowerCase() === role.toLowerCase() &&
    assignment.scope.toLowerCase() === scope.toLowerCase()
  );
}

/** Returns the paths at which `actual` differs from `wanted`. */
function differences(actual: unknown, expected: Readonly<Record<string, unknown>>, path: string): string[] {
  return Object.entries(expected).flatMap(([name, value]) => {
    const at = `${path}.${name}`;
    const actualValue = valueAt(actual, [name]);
    if (isRecord(value)) return differences(actualValue, value, at);
    return isDeepStrictEqual(actualValue, value) ? [] : [at];
  });
}

/** Parses the parameter `objects` of a SecretProviderClass: YAML with a list of YAML strings. */
function mountedObjects(text: unknown): { objectName?: unknown; objectEncoding?: unknown }[] {
  try {
    const list = valueAt(parse(String(text)), ['array']);
    return Array.isArray(list) ? list.map((item): unknown => parse(String(item))).filter(isRecord) : [];
  } catch {
    return [];
  }
}
