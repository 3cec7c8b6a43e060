import * as kubernetes from '@pulumi/kubernetes';
import * as pulumi from '@pulumi/pulumi';
import { checkedArguments } from '../azure/arguments';
import { assignRole } from '../azure/assignRole';
import { publicSuffixes } from '../azure/clouds';
import { PrivateState } from '../resource/privateState';
import { forceConflicts } from '../resource/forceConflicts';
import { waitFor } from '../waiting/wait';
import {
  dependencyProblems,
  serviceOf,
  type AzureDependencyArgs,
  type ResourceGroupReference,
} from './arguments';
import { typesOfOtherVersions } from './apiVersions';
import type { CustomResourceContext } from './customResource';
import { customResource } from './customResource';
import type { ExportedValue } from './exported';
import { configMapName, exportedValues } from './exported';
import { isDeletedInAzure } from './deletedInAzure';
import { isKeyed } from './keys';
import { isProvisioned } from './provisioningQuestion';
import { readConnectionString } from './readConnectionString';
import type { DependencyService } from './service';
import { azureNameOf, dependencyKinds, dependencyObjectName } from './service';
import type { DependingIdentity, Specification } from './specification';
import { specify } from './specify';

type CustomResource = kubernetes.apiextensions.CustomResource;

/** The custom resources of a service. */
interface ProvisionedService {
  /** The service's own custom resource first, then those of the resources in the service. */
  readonly resources: readonly [CustomResource, ...CustomResource[]];
  /** These and the one that exports the keys, once the operator has provisioned them. */
  readonly provisioned: pulumi.Output<pulumi.Resource[]>;
  /** Their ids in Azure, in the order of `resources`; empty if the operator does not show an id, and in a preview. */
  readonly ids: pulumi.Output<string[]>;
}

const heldResources = new PrivateState<Pick<ProvisionedService, 'resources' | 'provisioned'>>();

/**
 * An Azure service that an application depends on: custom resources of Azure Service Operator, access for the application's
 * identity, and the ConfigMaps and secrets from which its pods get the connection information. The engine does not wait for
 * the service: depend on `provisioned` to wait for its custom resources, and on `accessible` to wait for access to it.
 */
export class AzureDependency extends pulumi.ComponentResource {
  /** The application's name for the service. */
  readonly dependency: string;
  /** Name in Azure. */
  readonly azureName: string;
  /** Resource id. */
  readonly resourceId: pulumi.Output<string>;
  /** Known once the service exists and the application has access to it. */
  readonly accessible: pulumi.Output<boolean>;
  /** Values of the service that pods get from ConfigMaps and secrets. */
  readonly values: ExportedValue[];
  /**
   * With the connection `vault`, on the cluster that manages the service: the initial value of the secret in the vault. A
   * ConnectionWriter keeps the secret current.
   */
  readonly connectionString?: pulumi.Output<string>;

  constructor(name: string, args: AzureDependencyArgs, opts?: pulumi.ComponentResourceOptions) {
    super('aks-workload-identity:dependency:AzureDependency', name, {}, opts);
    args = checkedArguments('AzureDependency', name, args, dependencyProblems);
    const service = serviceOf(args);
    const { application, connection = 'identity', retainOnDelete = true, manages = true } = args;
    const { namespace, group, cluster, identity, location, tags = {}, accounts = [] } = args;
    const { identitiesBeside = [] } = args;
    const objectName = dependencyObjectName(application, args.dependency);
    const specification = specify(service, {
      objectName,
      groupId: group.id,
      location,
      tags,
      connection,
      connectionVault: args.connectionVault,
      key: args.key,
      identity,
      identitiesBeside,
      accounts,
      cluster: cluster.name,
      issuer: cluster.issuer,
    });
    const context: CustomResourceContext = {
      component: name,
      parent: this,
      opts,
      application,
      namespace,
      objectName,
      manages,
      retainOnDelete,
    };
    this.dependency = args.dependency;
    this.azureName = azureNameOf(service, objectName);
    this.values = exportedValues(objectName, specification);

    const label = `${dependencyKinds[service.kind].label} ${this.azureName}`;
    const isDeleted = (groupName: string) =>
      isDeletedInAzure(service.kind, groupName, this.azureName, { parent: this });
    const { resources, provisioned, ids } = provision(context, specification, args, label, isDeleted);
    heldResources.keep(this, { resources, provisioned });
    this.resourceId = resourceIdOf(service.kind, this.azureName, group, ids);
    const granted = args.revoked === true ? [] : [identity, ...identitiesBeside];
    const grants = granted.flatMap((grantee) =>
      grantRoles(context, specification, this.resourceId, grantee, provisioned),
    );
    const before = provisioned.apply((all): pulumi.Resource[] => [...all, ...grants]);
    const configMaps = writeConfigMap(context, specification, before);
    // URNs are used because they are known in a preview as well.
    const access = pulumi.all([...grants, ...configMaps].map(({ urn }) => urn));
    this.accessible = pulumi.all([provisioned, access]).apply(() => true);
    if (connection === 'vault' && manages && isKeyed(service)) {
      const { kind, name: azureName } = service;
      const { key, suffixes = publicSuffixes } = args;
      // Custom resources with known ids exist, also in a preview.
      const exist = pulumi.all([...resources.map(({ id }) => id), this.provisioned.apply(() => '')]);
      const read = pulumi
        .all([group.name, exist])
        .apply(([resourceGroupName]) =>
          readConnectionString({ kind, resourceGroupName, name: azureName, key, suffixes }, { parent: this }),
        );
      this.connectionString = pulumi.secret(read);
    }
    this.registerOutputs({
      dependency: this.dependency,
      azureName: this.azureName,
      resourceId: this.resourceId,
      accessible: this.accessible,
      values: this.values,
      connectionString: this.connectionString,
    });
  }

  /** The custom resources, the service's own first. They exist before the service does. */
  get resources(): ProvisionedService['resources'] {
    return heldResources.of(this).resources;
  }

  /** All custom resources, once the operator has provisioned them. A preview does not wait for this. */
  get provisioned(): ProvisionedService['provisioned'] {
    return heldResources.of(this).provisioned;
  }
}

/**
 * Creates the custom resources of a service.
 * @param label the service, for messages: `storage account stfiles`
 */
function provision(
  context: CustomResourceContext,
  { resources: [own, ...others] }: Specification,
  args: AzureDependencyArgs,
  label: string,
  isDeleted: (groupName: string) => Promise<boolean>,
): ProvisionedService {
  // Only here, the version is the user's to change.
  const types = serviceOf(args).kind === 'resource' ? typesOfOtherVersions(own.apiVersion, own.kind) : [];
  const first = customResource(context, own, { aliases: types.map((type) => ({ type })) });
  const within = others
    .filter(({ keys }) => keys !== true)
    // Kubernetes deletes them together with the first one, which owns them.
    .map(({ spec, ...body }) =>
      customResource(
        context,
        // The existing object, which keeps the name that it was created with.
        { ...body, spec: { ...spec, owner: { name: first.metadata.name } } },
        { dependsOn: [first], replaceWith: [first] },
      ),
    );
  const resources = [first, ...within] as const;
  const ids = provisionedIds(args, label, resources, isDeleted);
  // After the service, because a custom resource that only reads it fails before.
  const afterService = { dependsOn: ids.apply((): pulumi.Resource[] => [...resources]) };
  const keys = others
    .filter((body) => body.keys === true)
    .map((body) => customResource(context, body, afterService));
  const provisioned = pulumi
    .all([ids, provisionedIds(args, label, keys)])
    .apply((): pulumi.Resource[] => [...resources, ...keys]);
  return { resources, provisioned, ids };
}

/**
 * Waits for custom resources.
 * @param isDeleted whether Azure no longer has the service
 */
function provisionedIds(
  { application, dependency, cluster, grantedAt, group, revoked }: AzureDependencyArgs,
  label: string,
  resources: readonly CustomResource[],
  isDeleted?: (groupName: string) => Promise<boolean>,
): pulumi.Output<string[]> {
  if (revoked === true) return pulumi.output(resources.map(() => ''));
  const service = `${label}, which ${application} calls ${dependency}`;
  const ids = resources.map((resource, index) => {
    const { apiVersion, kind, metadata } = resource;
    const after = pulumi.all([apiVersion, kind, metadata, grantedAt, group.id, group.name]);
    return waitFor(
      resource,
      cluster.kubeconfig,
      after,
      ([version, itsKind, named, since, groupId, groupName]) =>
        isProvisioned({
          reference: { apiVersion: version, kind: itsKind, namespace: named.namespace, name: named.name },
          ...{ cluster: cluster.name, service, grantedAt: since, groupId },
          // Only the first, which contains the others.
          isDeleted: index === 0 && isDeleted ? () => isDeleted(groupName) : undefined,
        }),
    );
  });
  return pulumi.all(ids).apply((all) => all.map((id) => id ?? ''));
}

/** Assigns the roles of an identity. The program does this, because the operator would need the right to assign roles. */
function grantRoles(
  context: CustomResourceContext,
  { dataRoles = [] }: Specification,
  scope: pulumi.Output<string>,
  { principalId, suffix = '' }: DependingIdentity,
  dependsOn: pulumi.Output<pulumi.Resource[]>,
): pulumi.Resource[] {
  const { component, parent } = context;
  return dataRoles.map((role) => {
    return assignRole(`${component}/${role}${suffix}`, { scope, role, principalId }, { parent, dependsOn });
  });
}

/** Deploys the ConfigMap with the values that the operator does not export, if there are any. */
function writeConfigMap(
  context: CustomResourceContext,
  { configMapData }: Specification,
  dependsOn: pulumi.Output<pulumi.Resource[]>,
): pulumi.Resource[] {
  if (configMapData === undefined) return [];
  const { component, parent, application, namespace, objectName } = context;
  const name = configMapName(objectName, configMapData);
  const labels = { 'app.kubernetes.io/name': application };
  return [
    new kubernetes.core.v1.ConfigMap(
      `${component}/values`,
      { metadata: { name, namespace, labels, annotations: forceConflicts }, data: { ...configMapData } },
      { parent, dependsOn },
    ),
  ];
}

function resourceIdOf(
  kind: DependencyService['kind'],
  azureName: string,
  group: ResourceGroupReference,
  ids: pulumi.Output<string[]>,
): pulumi.Output<string> {
  const { type } = dependencyKinds[kind];
  if (type !== undefined) return pulumi.interpolate`${group.id}/providers/${type}/${azureName}`;
  // Only the operator knows the id of any other custom resource, and a preview does not ask it.
  return ids.apply(([id = '']) => (id === '' && pulumi.runtime.isDryRun() ? (pulumi.unknown as string) : id));
}
