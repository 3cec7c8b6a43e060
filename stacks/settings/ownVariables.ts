/** Environment variables of the project that more than one program knows. */
export const ownVariables = {
  /** The commit of a rollout, which each cell compares with its own. Default: not compared. */
  commit: 'AKS_WI_COMMIT',
  /** The configuration file that Pulumi reads. Default: `Pulumi.<stack>.yaml`. */
  configFile: 'AKS_WI_CONFIG_FILE',
  /** The pipeline's environment, for messages. Default: the name of the stack. */
  environment: 'AKS_WI_ENVIRONMENT',
  /** Set by `aks-wi import`: resources that exist are accepted. */
  importing: 'AKS_WI_IMPORTING',
  /** Namespace of the pod of a JobSet. Default: this is no such pod. */
  namespace: 'AKS_WI_NAMESPACE',
  /** The time for which a program runs (ISO 8601). Default: now. */
  now: 'AKS_WI_NOW',
  /** Name of the pod of a JobSet. Default: this is no such pod. */
  pod: 'AKS_WI_POD',
  /**
   * Settings of the policies as JSON, if they do not come from the stack file: for a pull request, they come from the target
   * branch.
   */
  policies: 'AKS_WI_POLICIES',
  /** The command for `pulumi` in messages. Default: `pulumi`. */
  pulumi: 'AKS_WI_PULUMI',
  /** The stack file that commands change. Default: `Pulumi.<stack>.yaml`. */
  stackFile: 'AKS_WI_STACK_FILE',
} as const;
