import type { RoleAssignment } from '@pulumi/azure-native/authorization';
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
import type { CustomResourceContext } from './customResource';
import { customResource } from './customResource';
import type { ExportedValue } from './exported';
import { exportedValues, configMapName } from './exported';
import { isProvisioned } from './provisioningQuestion';
import type { DependencyConnection, DependencyService, DependencyServiceArgs } from './service';
import { dependencyKinds, dependencyObjectName } from './service';
import type { DependingIdentity, Specification } from './specification';
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
type CustomResources = readonly [CustomResource, ...CustomResource[]];

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

const held = new Held<Parts>();

/**
 * A service of Azure that an application depends on: custom resources of Azure Service Operator, access for the
 * application's identity, and what the application is told, in ConfigMaps and secrets that its pods wait for. The custom
 * resources do not hold the program up; what needs the service depends on `provisioned`.
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
    const parts = held.keep(this, new Parts(this, name, args, opts));
    this.dependency = args.dependency;
    this.azureName = parts.azureName;
    this.resourceId = parts.resourceId;
    this.objectNames = pulumi.all(parts.resources.map(({ metadata }) => metadata.name));
    this.accessible = parts.accessible.apply(() => true);
    this.values = parts.values;
    if (parts.connectionString !== undefined) this.connectionString = parts.connectionString;
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
  get resources(): CustomResources {
    return held.of(this).resources;
  }

  /**
   * The same, once the operator has provisioned all of them, with the one that exports the keys; in a preview, that is not
   * waited for.
   */
  get provisioned(): pulumi.Output<pulumi.Resource[]> {
    return held.of(this).provisioned;
  }
}

/** What a dependency is made of. */
class Parts {
  readonly azureName: string;
  readonly resourceId: pulumi.Output<string>;
  readonly resources: CustomResources;
  readonly provisioned: pulumi.Output<pulumi.Resource[]>;
  /** The same with the access of the application. */
  readonly accessible: pulumi.Output<pulumi.Resource[]>;
  readonly values: ExportedValue[];
  readonly connectionString?: pulumi.Output<string>;
  private readonly service: DependencyService;
  /** Names that it had in the stack, which what is in it had as well. */
  private readonly namesBefore: readonly string[];

  constructor(
    private readonly component: pulumi.Resource,
    private readonly componentName: string,
    private readonly args: AzureDependencyArgs,
    opts?: pulumi.ComponentResourceOptions,
  ) {
    // Of an update that failed, the component may have its new name already, and then hands no alias down.
    this.namesBefore = (opts?.aliases ?? []).flatMap((alias) =>
      typeof alias === 'object' && 'name' in alias && typeof alias.name === 'string' ? [alias.name] : [],
    );
    const given = oneOf(`AzureDependency ${componentName}`, 'service', args.service);
    this.service = { kind: given.kind, ...given.value } as DependencyService;
    assertDependency(componentName, args, this.service);
    const { application, dependency, connection = 'identity', retainOnDelete = true, manages = true } = args;
    const objectName = dependencyObjectName(application, dependency);
    const specification = this.specify(objectName, connection);
    this.azureName = specification.azureName;
    // Where the cluster goes and the service with it, its operator must delete the service first.
    const fate = manages && !retainOnDelete ? {} : sharedFate(opts);
    const own = this.customResources(objectName, specification, fate);
    const ids = this.whenProvisioned(own);
    const keys = this.keys(
      objectName,
      specification,
      fate,
      ids.apply(() => [...own]),
    );
    const keysRead = this.whenProvisioned(keys);
    this.resources = own;
    this.provisioned = pulumi.all([ids, keysRead]).apply(() => [...own, ...keys]);
    this.resourceId = this.idOf(ids.apply(([first]) => first ?? ''));
    const grants = this.grant(specification);
    const configMaps = this.configMaps(objectName, specification, grants);
    this.accessible = this.whenAccessible([...own, ...keys], [...grants, ...configMaps]);
    this.values = exportedValues(objectName, specification);
    if (connection === 'vault' && manages) this.connectionString = this.readConnectionString();
  }

  /** Waits for them as well: resources in what `apply` returns are not waited for. A preview knows none of their ids. */
  private whenAccessible(
    made: readonly pulumi.Resource[],
    access: readonly pulumi.CustomResource[],
  ): pulumi.Output<pulumi.Resource[]> {
    const all = () => [...made, ...access];
    if (pulumi.runtime.isDryRun()) return this.provisioned.apply(all);
    return pulumi.all([this.provisioned, pulumi.all(access.map(({ id }) => id))]).apply(all);
  }

  /** Waits for custom resources; their ids in Azure, empty where the operator does not tell them, or not yet. */
  private whenProvisioned(resources: readonly CustomResource[]): pulumi.Output<string[]> {
    const { application, dependency, cluster, grantedAt, group } = this.args;
    const { label } = dependencyKinds[this.service.kind];
    const service = `${label} ${this.azureName}, which ${application} calls ${dependency}`;
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

  private specify(objectName: string, connection: DependencyConnection): Specification {
    const { group, location, tags, identity, cluster, accounts } = this.args;
    return specify(this.service, {
      objectName,
      groupId: group.id,
      location,
      tags: tags ?? {},
      connection,
      identity,
      cluster: cluster.name,
      issuer: cluster.issuer,
      accounts: accounts ?? [],
    });
  }

  /** What is in the service after it, so that it goes before it. */
  private customResources(
    objectName: string,
    { resources }: Specification,
    fate: Pick<pulumi.CustomResourceOptions, 'deletedWith'>,
  ): CustomResources {
    const context = this.contextOf(objectName);
    const opts = { parent: this.component, ...fate };
    const [own, ...within] = resources;
    const first = customResource(this.componentName, own, context, opts);
    return [
      first,
      ...within.map((body) =>
        customResource(this.componentName, body, context, {
          parent: this.component,
          // What gives access is not in the service: the operator deletes it also where the cluster goes.
          ...(body.access === true ? {} : fate),
          dependsOn: [first],
          // The first one's deletion takes those in it along: they are its own, for Kubernetes.
          replaceWith: [first],
        }),
      ),
    ];
  }

  /** Once the service is there: before, who only looks at it finds nothing, and is told so as of a failure. */
  private keys(
    objectName: string,
    { keys }: Specification,
    fate: Pick<pulumi.CustomResourceOptions, 'deletedWith'>,
    service: pulumi.Output<pulumi.Resource[]>,
  ): CustomResource[] {
    if (keys === undefined) return [];
    const context = { ...this.contextOf(objectName), manages: false };
    return [
      customResource(this.componentName, keys, context, {
        parent: this.component,
        ...fate,
        dependsOn: service,
      }),
    ];
  }

  private aliases(name: string): Pick<pulumi.CustomResourceOptions, 'aliases'> {
    const end = name.slice(this.componentName.length);
    return { aliases: this.namesBefore.map((before) => ({ name: `${before}${end}` })) };
  }

  private contextOf(objectName: string): CustomResourceContext {
    const { application, namespace, manages = true, retainOnDelete = true } = this.args;
    return {
      ...{ application, namespace, objectName, manages, retainOnDelete },
      namesBefore: this.namesBefore,
    };
  }

  private idOf(found: pulumi.Output<string>): pulumi.Output<string> {
    const { group } = this.args;
    const { type } = dependencyKinds[this.service.kind];
    if (type !== undefined)
      return pulumi.output(group.id).apply((id) => `${id}/providers/${type}/${this.azureName}`);
    // Of any custom resource, only the operator knows; in a preview it is not asked.
    return found.apply((id) =>
      id === '' && pulumi.runtime.isDryRun()
        ? pulumi.output(pulumi.unknown).apply(String)
        : pulumi.output(id),
    );
  }

  /** By the program and not by the operator, which would need the right to assign roles for it. */
  private grant({ dataRoles }: Specification): RoleAssignment[] {
    const { principalId } = this.args.identity;
    return dataRoles.map((role) =>
      assignRole(
        `${this.componentName}/${role}`,
        { scope: this.resourceId, role, principalId },
        {
          parent: this.component,
          dependsOn: this.provisioned,
          ...this.aliases(`${this.componentName}/${role}`),
        },
      ),
    );
  }

  /** After the access: pods that wait for it find that they have it. */
  private configMaps(
    objectName: string,
    { configMapData }: Specification,
    grants: readonly RoleAssignment[],
  ): kubernetes.core.v1.ConfigMap[] {
    if (Object.keys(configMapData).length === 0) return [];
    return [
      new kubernetes.core.v1.ConfigMap(
        `${this.componentName}/told`,
        {
          metadata: {
            name: configMapName(objectName, configMapData),
            namespace: this.args.namespace,
            labels: { 'app.kubernetes.io/name': this.args.application },
          },
          data: { ...configMapData },
        },
        {
          parent: this.component,
          dependsOn: this.provisioned.apply((resources) => [...resources, ...grants]),
          ...this.aliases(`${this.componentName}/told`),
        },
      ),
    ];
  }

  /**
   * Asked of Azure once the account is there; the key is never in the cluster. In a preview the account may not be there
   * although its custom resource is.
   */
  private readConnectionString(): pulumi.Output<string> {
    const { group, storageSuffix = 'core.windows.net' } = this.args;
    const ids = pulumi.all(this.resources.map(({ id }) => id));
    return pulumi.secret(
      pulumi
        .all([group.name, ids, this.provisioned.apply(() => true)])
        .apply(async ([resourceGroupName]) => {
          try {
            const { keys } = await listStorageAccountKeys(
              { resourceGroupName, accountName: this.azureName },
              { parent: this.component },
            );
            const key = keys[0]?.value;
            if (key === undefined || key === '')
              throw new Error(`The storage account ${this.azureName} has no key: shared keys may be off.`);
            return storageConnectionString(this.azureName, key, storageSuffix);
          } catch (error) {
            if (pulumi.runtime.isDryRun()) return pulumi.output(pulumi.unknown).apply(String);
            throw error;
          }
        })
        .apply((value) => pulumi.output(value)),
    );
  }
}
