import * as kubernetes from '@pulumi/kubernetes';
import * as pulumi from '@pulumi/pulumi';
import { checkedArguments } from '../azure/arguments';
import { tokenEventsAccount } from '../identity/subjects';
import { reconcilerPod, reconcilerProblems, type ReconcilerSettings } from '../reconciler/reconcilerPod';
import { forceConflicts } from '../resource/forceConflicts';
import { podIdentityGroup, podIdentityNamespace } from './names';
import type { TokenEventsDocument } from './tokenEventsDocument';

/** Arguments of TokenEvents. */
export interface TokenEventsArgs extends ReconcilerSettings {
  /** The program that writes the events, `reconciler/tokenEvents/main.ts` of this project bundled into one file. */
  readonly program: string;
  /** Namespace of aad-pod-identity's node component. Default: kube-system. */
  readonly namespace?: string;
}

/**
 * Writes events to the AzureIdentityBinding for the tokens that aad-pod-identity issues and refuses: a Deployment of one
 * pod that reads the log of the node component, which writes no events itself. It has no access to Azure. Put the
 * PodIdentity into `dependsOn` of the component's options.
 */
export class TokenEvents extends pulumi.ComponentResource {
  /** Name of its namespace. */
  readonly namespace: pulumi.Output<string>;

  constructor(name: string, args: TokenEventsArgs, opts?: pulumi.ComponentResourceOptions) {
    super('aks-workload-identity:podIdentity:TokenEvents', name, {}, opts);
    args = checkedArguments('TokenEvents', name, args, reconcilerProblems);
    const { namespace = podIdentityNamespace } = args;
    const children = { parent: this, deletedWith: opts?.deletedWith };
    const home = reconcilerPod(
      name,
      {
        ...{ account: tokenEventsAccount, program: args.program },
        document: JSON.stringify({ namespace } satisfies TokenEventsDocument),
        documentName: 'tokens',
        ...{ intervalSeconds: args.intervalSeconds, image: args.image },
        rights: rightsOf(name, namespace, children),
      },
      children,
    );
    this.namespace = home.metadata.name;
    this.registerOutputs({ namespace: this.namespace });
  }
}

/** Name of its roles in the cluster and of their bindings. */
const roleName = 'aks-workload-identity-token-events';

/** Deploys its rights: it reads logs in one namespace only, and no secrets. */
function rightsOf(
  name: string,
  namespace: string,
  children: pulumi.CustomResourceOptions,
): pulumi.Resource[] {
  const annotations = forceConflicts;
  const apiGroup = 'rbac.authorization.k8s.io';
  const subjects = [
    {
      kind: 'ServiceAccount',
      namespace: tokenEventsAccount.namespace,
      name: tokenEventsAccount.serviceAccount,
    },
  ];
  const kinds = ['azureidentities', 'azureidentitybindings', 'azureassignedidentities'];
  const { ClusterRole, ClusterRoleBinding, Role, RoleBinding } = kubernetes.rbac.v1;
  const everywhere = new ClusterRole(
    `${name}-everywhere`,
    {
      metadata: { name: roleName, annotations },
      rules: [
        { apiGroups: [''], resources: ['pods'], verbs: ['list'] },
        { apiGroups: [podIdentityGroup], resources: kinds, verbs: ['list'] },
        { apiGroups: [''], resources: ['events'], verbs: ['create', 'patch'] },
      ],
    },
    children,
  );
  const logs = new Role(
    `${name}-logs`,
    {
      metadata: { name: roleName, namespace, annotations },
      rules: [{ apiGroups: [''], resources: ['pods/log'], verbs: ['get'] }],
    },
    children,
  );
  return [
    new ClusterRoleBinding(
      `${name}-everywhere`,
      {
        metadata: { name: roleName, annotations },
        roleRef: { apiGroup, kind: 'ClusterRole', name: everywhere.metadata.name },
        subjects,
      },
      children,
    ),
    new RoleBinding(
      `${name}-logs`,
      {
        metadata: { name: roleName, namespace, annotations },
        roleRef: { apiGroup, kind: 'Role', name: logs.metadata.name },
        subjects,
      },
      children,
    ),
  ];
}
