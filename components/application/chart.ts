import type * as pulumi from '@pulumi/pulumi';
import type { SignInIdentity } from '../identity/signIn';
import { defaultAudience } from '../identity/subjects';
import type { ChartSource } from '../platform/chart';
import { useLabel } from './deployment';

/** The owner's own chart. It gets the identity as values; see `identityValues`. */
export interface WorkloadChart {
  /** Where it comes from. */
  readonly source: ChartSource;
  /** The owner's values. The identity's values win over them. Default: the chart's own. */
  readonly values?: pulumi.Inputs;
}

/** What a chart is told of its workload. */
export interface ChartIdentity {
  readonly chart: Pick<WorkloadChart, 'values'>;
  readonly identity: SignInIdentity;
  readonly vault: { readonly uri: pulumi.Input<string>; readonly secretNames: readonly string[] };
  /** All annotated accounts, the one to run the pods under first. */
  readonly accounts: readonly [string, ...string[]];
  /** Audience that the identity trusts. */
  readonly audience: string;
  /** Where the driver delivers the secrets: names of the SecretProviderClass and of the Kubernetes secret. */
  readonly delivered?: {
    readonly secretProviderClass: pulumi.Input<string>;
    readonly kubernetesSecret?: string;
  };
}

/**
 * The values that an owner's chart gets, and must use:
 *
 * - `serviceAccount.create`: false, and `serviceAccount.name`: the annotated account to run the pods under;
 *   `serviceAccounts`: the names of all, if there are several
 * - `podLabels`: with the label that the workload identity webhook selects pods by
 * - `azure.clientId`, `azure.tenantId`, `azure.keyVaultUri`, `azure.secretNames` (a list); the client id best also as
 *   an annotation of the pods, so that another identity makes new ones
 * - `azure.audience`, if it is not the webhook's: the pods need a projected token of their own with it
 * - `azure.secretProviderClass` with delivery `files` or `environment`: to mount by `secrets-store.csi.k8s.io`; with
 *   `environment` also `azure.kubernetesSecret`, which has each secret under its name once a pod has mounted it
 */
export function identityValues(parts: ChartIdentity): Record<string, unknown> {
  const { chart, identity, vault, accounts, audience, delivered } = parts;
  return {
    serviceAccount: { ...objectAt(chart.values, 'serviceAccount'), create: false, name: accounts[0] },
    // Not where there is one only: a chart whose schema does not know the key would be refused.
    ...(accounts.length > 1 && { serviceAccounts: [...accounts] }),
    podLabels: { ...objectAt(chart.values, 'podLabels'), ...useLabel },
    azure: {
      ...objectAt(chart.values, 'azure'),
      clientId: identity.clientId,
      tenantId: identity.tenantId,
      keyVaultUri: vault.uri,
      secretNames: [...vault.secretNames],
      ...(audience !== defaultAudience && { audience }),
      ...delivered,
    },
  };
}

function objectAt(values: Readonly<Record<string, unknown>> | undefined, key: string): object {
  const value = values?.[key];
  return typeof value === 'object' && value !== null ? value : {};
}
