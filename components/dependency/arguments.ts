import type * as pulumi from '@pulumi/pulumi';
import type { ServiceSuffixes } from '../azure/clouds';
import type { TrustedServiceAccount } from '../identity/federatedCredentials';
import type { ArgumentProblem } from '../resource/errors';
import { oneOf, outputsIn } from '../resource/given';
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
  /** Name, for messages and for what each cluster has of its own in one service. */
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
  /** The application's name for the service: lower-case letters, digits and hyphens; the prefix of its variables. */
  readonly dependency: string;
  /** The service. */
  readonly service: DependencyServiceArgs;
  /** Name of the application's namespace. */
  readonly namespace: pulumi.Input<string>;
  /** Resource group to create it in. */
  readonly group: ResourceGroupReference;
  /** Azure region. */
  readonly location: pulumi.Input<string>;
  /** The cluster whose operator provisions it. */
  readonly cluster: DependencyCluster;
  /** The application's identity on the cluster, which is given access. */
  readonly identity: DependingIdentity;
  /**
   * Further identities that are given the same access, such as the one that the application is to run as next. Each has a
   * `suffix` of its own. Default: none.
   */
  readonly identitiesBeside?: DependingIdentity[];
  /**
   * The application's service accounts, which the identity that is provisioned trusts. Default: none; only of meaning
   * for a service of the kind identity.
   */
  readonly accounts?: TrustedServiceAccount[];
  /** How the application gets at it. Default: identity: as its own identity, without a secret. */
  readonly connection?: DependencyConnection;
  /**
   * With the connection vault: name of the vault of the connection string, which variables tell the pods, with the name of the
   * secret. Default: they are not told, as it is the vault of their other secrets.
   */
  readonly connectionVault?: string;
  /**
   * The key that the application uses with the connections secret and vault. The other one is then without clients, and
   * can be regenerated. Default: primary.
   */
  readonly key?: DependencyKey;
  /**
   * This cluster's operator provisions it; the others only look at it, so that no two write to one thing. Default:
   * true.
   */
  readonly manages?: boolean;
  /** The service stays in Azure when it leaves the program: only its custom resource goes. Default: true. */
  readonly retainOnDelete?: boolean;
  /** Tags of what is made. Default: no tags. */
  readonly tags?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /**
   * When the operator got its role, as Azure says: it may be refused for some minutes after. Default: not known; then a
   * refusal ends the wait at once.
   */
  readonly grantedAt?: pulumi.Input<string>;
  /** What addresses of services end with in this cloud. Default: those of the public cloud. */
  readonly suffixes?: ServiceSuffixes;
  /** The application's identity gets no roles on the service, and nothing waits for it. Default: false. */
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
