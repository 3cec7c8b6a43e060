import { listStorageAccountKeys } from '@pulumi/azure-native/storage';
import * as kubernetes from '@pulumi/kubernetes';
import * as pulumi from '@pulumi/pulumi';
import { assignRole } from '../azure/assignRole';
import type { TrustedServiceAccount } from '../identity/federatedCredentials';
import { oneOf } from '../resource/given';
import { Held } from '../resource/held';
import { sharedFate } from '../resource/sharedFate';
import { waitFor } from '../waiting/wait';
import { assertDependency } from './arguments';
import { aliasesOf, customResource } from './customResource';
import type { ExportedValue } from './exported';
import { configMapName, exportedValues } from './exported';
import { isProvisioned } from './provisioningQuestion';
import type { DependencyConnection, DependencyService, DependencyServiceArgs } from './service';
import { azureNameOf, dependencyKinds, dependencyObjectName } from './service';
import type { DependingIdentity } from './specification';
import { specify } from './specify';
import { storageConnectionString } from './storageAccount';

/** The cluster whose operator provisions the service. */
export interface DependencyCluster {
  /** Name, for messages and for what each cluster has of its own in one service. */
  readonly name: string;
  /** Issuer of its service accounts' tokens. */
  readonly issuer: pulumi.Input<string>;
  /** kubeconfig of an administrator. */
  readonly kubeconfig: pulumi.Input<string>;
}

type CustomResource = kubernetes.apiextensions.CustomResource;

/** A resource group. */
export interface ResourceGroupReference {
  /** Resource id. */
  readonly id: pulumi.Input<string>;
  /** Name. */
  readonly name: pulumi.Input<string>;
}

/** Arguments of AzureDependency. */
export interface AzureDependencyArgs {
  /** Name of the application, a DNS label. */
  readonly application: string;
  /** What the application calls it: lower-case letters, digits and hyphens; the prefix of its variables. */
  readonly dependency: string;
  /** The service. */
  readonly service: DependencyServiceArgs;
  /** Name of the application's namespace. */
  readonly namespace: pulumi.Input<string>;
  /** Resource group that it is made in. */
  readonly group: ResourceGroupReference;
  /** Azure region. */
  readonly location: string;
  /** The cluster whose operator provisions it. */
  readonly cluster: DependencyCluster;
  /** The application's identity on the cluster, which is given access. */
  readonly identity: DependingIdentity;
  /**
   * The application's service accounts, which the identity that is provisioned trusts. Default: none; only of meaning
   * for a service of the kind identity.
   */
  readonly accounts?: TrustedServiceAccount[];
  /** How the application gets at it. Default: identity: as its own identity, without a secret. */
  readonly connection?: DependencyConnection;
  /**
   * This cluster's operator provisions it; the others only look at it, so that no two write to one thing. Default:
   * true.
   */
  readonly manages?: boolean;
  /** The service stays in Azure when it leaves the program: only its custom resource goes. Default: true. */
  readonly retainOnDelete?: boolean;
  /** Tags of what is made. Default: no tags. */
  readonly tags?: Record<string, string>;
  /**
   * When the operator got its role, as Azure says: it may be refused for some minutes after. Default: not known:
   * whoever is refused stays refused.
   */
  readonly grantedAt?: pulumi.Input<string>;
  /** What addresses of storage end with in this cloud. Default: core.windows.net. */
  readonly storageSuffix?: string;
}

/** What a dependency has beside its outputs. */
interface Made {
  readonly resources: readonly [CustomResource, ...CustomResource[]];
  readonly provisioned: pulumi.Output<pulumi.Resource[]>;
}

const held = new Held<Made>();

/**
 * A service of Azure that an application depends on: custom resources of Azure Service Operator, access for the
 * application's identity, and ConfigMaps and secrets with what the application is told. Making the custom resources does not
 * hold the program up; what needs the service depends on `provisioned`, and what uses it on `accessible`.
 */
export class AzureDependency extends pulumi.ComponentResource {
  /** Type token in the stack. */
  static readonly token = 'aks-workload-identity:dependency:AzureDependency';
  /** What the application calls it. */
  readonly dependency: string;
  /** Name in Azure. */
  readonly azureName: string;
  /** Resource id. */
  readonly resourceId: pulumi.Output<string>;
  /** Names of the custom resources, known once they are there; the service itself is there later. */
  readonly objectNames: pulumi.Output<string[]>;
  /** Known once the service is there, and the application has access to it. */
  readonly accessible: pulumi.Output<boolean>;
  /** What the application is told, and where. */
  readonly values: ExportedValue[];
  /** For the vault, with the connection `vault`, on the cluster that manages the service: a secret. */
  readonly connectionString?: pulumi.Output<string>;

  constructor(name: string, args: AzureDependencyArgs, opts?: pulumi.ComponentResourceOptions) {
    super(AzureDependency.token, name, {}, opts);
    const given = oneOf(`AzureDependency ${name}`, 'service', args.service);
    const service = { kind: given.kind, ...given.value } as DependencyService;
    assertDependency(name, args, service);
    const { application, connection = 'identity', retainOnDelete = true, manages = true } = args;
    const { namespace, group, cluster, identity, location, tags = {}, accounts = [] } = args;
    const objectName = dependencyObjectName(application, args.dependency);
    const specification = specify(service, {
      ...{ objectName, groupId: group.id, location, tags, connection, identity, accounts },
      ...{ cluster: cluster.name, issuer: cluster.issuer },
    });
    this.dependency = args.dependency;
    this.azureName = azureNameOf(service, objectName);
    this.values = exportedValues(objectName, specification);

    const context = {
      ...{ component: name, namesBefore: namesBefore(opts) },
      ...{ application, namespace, objectName, manages, retainOnDelete },
    };
    // Where the cluster is deleted and the service with it, its operator must delete the service first.
    const fate = manages && !retainOnDelete ? {} : sharedFate(opts);
    const [own, ...others] = specification.resources;
    const first = customResource(context, own, { parent: this, ...fate });
    const within = others
      .filter(({ keys }) => keys !== true)
      .map((body) =>
        customResource(context, body, {
          parent: this,
          // What gives access is not in the service: the operator deletes it also where the cluster is deleted.
          ...(body.access === true ? {} : fate),
          dependsOn: [first],
          // Kubernetes deletes them together with the first one, which owns them.
          replaceWith: [first],
        }),
      );
    const serviceName = `${dependencyKinds[service.kind].label} ${this.azureName}`;
    const ids = provisionedIds(args, serviceName, [first, ...within]);
    // Once the service is there: before, a custom resource that only looks at it fails.
    const keys = others
      .filter((body) => body.keys === true)
      .map((body) =>
        customResource(context, body, {
          parent: this,
          ...fate,
          dependsOn: ids.apply(() => [first, ...within]),
        }),
      );
    const provisioned = pulumi
      .all([ids, provisionedIds(args, serviceName, keys)])
      .apply((): pulumi.Resource[] => [first, ...within, ...keys]);
    held.keep(this, { resources: [first, ...within], provisioned });
    this.objectNames = pulumi.all([first, ...within].map(({ metadata }) => metadata.name));
    this.resourceId = resourceIdOf(service.kind, this.azureName, group, ids);

    // By the program and not by the operator, which would need the right to assign roles for it.
    const { dataRoles = [], configMapData } = specification;
    const grants = dataRoles.map((role) =>
      assignRole(
        `${name}/${role}`,
        { scope: this.resourceId, role, principalId: identity.principalId },
        { parent: this, dependsOn: provisioned, aliases: aliasesOf(context, `/${role}`) },
      ),
    );
    const configMaps =
      configMapData === undefined
        ? []
        : [
            new kubernetes.core.v1.ConfigMap(
              `${name}/told`,
              {
                metadata: {
                  name: configMapName(objectName, configMapData),
                  namespace,
                  labels: { 'app.kubernetes.io/name': application },
                },
                data: { ...configMapData },
              },
              {
                parent: this,
                dependsOn: provisioned.apply((resources) => [...resources, ...grants]),
                aliases: aliasesOf(context, '/told'),
              },
            ),
          ];
    // By URNs, which are known in a preview as well.
    const access = pulumi.all([...grants, ...configMaps].map(({ urn }) => urn));
    this.accessible = pulumi.all([provisioned, access]).apply(() => true);
    if (connection === 'vault' && manages) {
      this.connectionString = readConnectionString(this, args, [first, ...within]);
    }
    this.registerOutputs({
      dependency: this.dependency,
      azureName: this.azureName,
      resourceId: this.resourceId,
      objectNames: this.objectNames,
      accessible: this.accessible,
      values: this.values,
      connectionString: this.connectionString,
    });
  }

  /** The custom resources, the service's own first. They are there before the service is. */
  get resources(): Made['resources'] {
    return held.of(this).resources;
  }

  /**
   * The same, once the operator has provisioned all of them, with the one that exports the keys; in a preview, that is not
   * waited for.
   */
  get provisioned(): Made['provisioned'] {
    return held.of(this).provisioned;
  }
}

function namesBefore(opts: pulumi.ComponentResourceOptions = {}): readonly string[] {
  return (opts.aliases ?? []).flatMap((alias) =>
    typeof alias === 'object' && 'name' in alias && typeof alias.name === 'string' ? [alias.name] : [],
  );
}

/** Waits for custom resources. Returns their ids in Azure, empty where the operator does not tell them, or not yet. */
function provisionedIds(
  { application, dependency, cluster, grantedAt, group }: AzureDependencyArgs,
  serviceName: string,
  resources: readonly CustomResource[],
): pulumi.Output<string[]> {
  const service = `${serviceName}, which ${application} calls ${dependency}`;
  const ids = resources.map((resource) => {
    const after = pulumi.all([resource.apiVersion, resource.kind, resource.metadata, grantedAt, group.id]);
    return waitFor(resource, cluster.kubeconfig, after, ([apiVersion, kind, metadata, since, groupId]) => {
      const { namespace, name } = metadata;
      const reference = { apiVersion, kind, namespace, name };
      return isProvisioned({ reference, cluster: cluster.name, service, grantedAt: since, groupId });
    });
  });
  return pulumi.all(ids).apply((all) => all.map((id) => id ?? ''));
}

function resourceIdOf(
  kind: DependencyService['kind'],
  azureName: string,
  group: ResourceGroupReference,
  ids: pulumi.Output<string[]>,
): pulumi.Output<string> {
  const { type } = dependencyKinds[kind];
  if (type !== undefined) return pulumi.interpolate`${group.id}/providers/${type}/${azureName}`;
  // Of any custom resource, only the operator knows the id; in a preview it is not asked.
  return ids.apply(([id = '']) => (id === '' && pulumi.runtime.isDryRun() ? (pulumi.unknown as string) : id));
}

/**
 * Asks Azure once the account is there; the key is never in the cluster. In a preview the account may not be there although
 * its custom resource is.
 */
function readConnectionString(
  parent: AzureDependency,
  { group, storageSuffix = 'core.windows.net' }: AzureDependencyArgs,
  resources: readonly CustomResource[],
): pulumi.Output<string> {
  const { azureName: accountName } = parent;
  const ids = pulumi.all(resources.map(({ id }) => id));
  const connectionString = pulumi
    .all([group.name, ids, parent.provisioned.apply(() => true)])
    .apply(async ([resourceGroupName]) => {
      try {
        const { keys } = await listStorageAccountKeys({ resourceGroupName, accountName }, { parent });
        const key = keys[0]?.value;
        if (key === undefined || key === '')
          throw new Error(`The storage account ${accountName} has no key: shared keys may be off.`);
        return storageConnectionString(accountName, key, storageSuffix);
      } catch (error) {
        if (pulumi.runtime.isDryRun()) return pulumi.unknown as string;
        throw error;
      }
    });
  return pulumi.secret(connectionString);
}
