import type * as pulumi from '@pulumi/pulumi';
import type { ServiceSuffixes } from '../azure/clouds';
import type { TrustedServiceAccount } from '../identity/federatedCredentials';
import type { ArgumentProblem } from '../resource/errors';
import { oneOf, outputsIn } from '../resource/argumentValues';
import type {
  DependencyKey,
  DependencyConnection,
  DependencyService,
  DependencyServiceArgs,
} from './service';
import { dependencyKinds } from './service';
import type { DependingIdentity } from './specification';

/** The cluster whose operator provisions the service. */
export interface DependencyCluster {
  /** Name, for messages and for the objects that each cluster has for itself in a service. */
  readonly name: string;
  /** Issuer of its service accounts' tokens. */
  readonly issuer: pulumi.Input<string>;
  /** kubeconfig of an administrator. */
  readonly kubeconfig: pulumi.Input<string>;
}

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
  /**
   * The application's name for the service, in lower-case letters, digits and hyphens. It is the prefix of its variables.
   */
  readonly dependency: string;
  /** The service. */
  readonly service: DependencyServiceArgs;
  /** Name of the application's namespace. */
  readonly namespace: pulumi.Input<string>;
  /** Resource group to create it in. */
  readonly group: ResourceGroupReference;
  /** Azure region. */
  readonly location: pulumi.Input<string>;
  /** The cluster whose operator provisions the service. */
  readonly cluster: DependencyCluster;
  /** The application's identity on the cluster, which gets access. */
  readonly identity: DependingIdentity;
  /**
   * Further identities that get the same access, such as the one that the application will use next. Each has its own
   * `suffix`. Default: none.
   */
  readonly identitiesBeside?: DependingIdentity[];
  /**
   * The application's service accounts, which the provisioned identity trusts. Only for a service of the kind identity.
   * Default: none.
   */
  readonly accounts?: TrustedServiceAccount[];
  /** How the application connects. Default: `identity`, with its own identity and without a secret. */
  readonly connection?: DependencyConnection;
  /**
   * Name of the vault of the connection string, with the connection `vault`. Pods get it and the name of the secret as
   * variables. Default: no variables, because it is the vault of their other secrets.
   */
  readonly connectionVault?: string;
  /**
   * The key that the application uses with the connections `secret` and `vault`. The other key is then unused and can be
   * regenerated. Default: `primary`.
   */
  readonly key?: DependencyKey;
  /**
   * Let this cluster's operator provision the service. Operators of other clusters only read it: no two may write to it.
   * Default: true.
   */
  readonly manages?: boolean;
  /** Keep the service in Azure when it is removed from the program; only its custom resource is deleted. Default: true. */
  readonly retainOnDelete?: boolean;
  /** Tags of the created resources. Default: no tags. */
  readonly tags?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /**
   * When the operator's role was assigned, as Azure reports it: Azure may refuse the operator for some minutes afterwards.
   * Default: unknown; a refusal ends the wait at once.
   */
  readonly grantedAt?: pulumi.Input<string>;
  /** Suffixes of the addresses of services in this cloud. Default: those of the public cloud. */
  readonly suffixes?: ServiceSuffixes;
  /** Assign the application's identity no roles on the service, and do not wait for the service. Default: false. */
  readonly revoked?: boolean;
}

/** Returns the service in the arguments. */
export function serviceOf({ service }: Pick<AzureDependencyArgs, 'service'>): DependencyService {
  const { kind, value } = oneOf(service);
  return { kind, ...value } as DependencyService;
}

/** Returns problems of arguments that have the right types. */
export function dependencyProblems(args: AzureDependencyArgs): ArgumentProblem[] {
  const service = serviceOf(args);
  const { connection = 'identity' } = args;
  const { connections, label } = dependencyKinds[service.kind];
  // Names of resources are composed from these two fields of the specification, so they must be known at once.
  const spec: Readonly<Record<string, unknown>> = service.kind === 'resource' ? service.spec : {};
  const { azureName, operatorSpec } = spec;
  const problems: ArgumentProblem[] = outputsIn({ azureName, operatorSpec }, 'service.resource.spec').map(
    (argument) => ({
      argument,
      problem: 'is an output of another resource, but the names of resources depend on it',
      allowed: 'a plain value',
    }),
  );
  if (connections.includes(connection)) return problems;
  return [
    ...problems,
    {
      argument: 'connection',
      value: connection,
      problem: `is not possible for ${/^[aeiou]/i.test(label) ? 'an' : 'a'} ${label}`,
      allowed: connections.join(', '),
    },
  ];
}
