import { accessWithin } from '../azure/accessDelay';
import * as kubernetes from '@pulumi/kubernetes';
import * as pulumi from '@pulumi/pulumi';
import { fieldsOf } from '../resource/fields';
import { defaultAudience } from '../identity/subjects';
import { chartArgs } from '../platform/chart';
import { accountNames } from './accounts';
import type { WorkloadArgs, WorkloadChart } from './arguments';
import { dependencyValues } from './dependencies';
import type { DeliveredParts } from './deployment';
import { signInAnnotations, signInLabels } from './signIn';
import { engineWaits, startsLater } from './waits';

/** Deploys the release of an application's own chart. */
export function chartRelease(
  name: string,
  args: WorkloadArgs,
  chart: WorkloadChart,
  accounts: readonly pulumi.Resource[],
  parts: DeliveredParts,
  opts: pulumi.CustomResourceOptions,
): kubernetes.helm.v3.Release {
  return new kubernetes.helm.v3.Release(
    name,
    {
      ...chartArgs(chart.source),
      name: args.application,
      namespace: args.namespace,
      values: {
        ...chart.values,
        ...identityValues(args, chart.values ?? {}, parts),
        ...dependencyValues(args.dependencies ?? []),
      },
      // Hooks may wait for the services: creating a cache takes up to fifty minutes.
      timeout: startsLater(args) ? 3600 : accessWithin,
      ...(!engineWaits(args) && { skipAwait: true }),
    },
    pulumi.mergeOptions(opts, { dependsOn: [...accounts] }),
  );
}

/**
 * Returns the values that an application's own chart gets, and must use:
 *
 * - `serviceAccount.create`: false, and `serviceAccount.name`: the annotated account that the pods run under;
 *   `serviceAccounts`: the names of all accounts, if there are several
 * - `podLabels`: with the label by which the workload identity webhook or aad-pod-identity selects pods
 * - `podAnnotations`, with an identity binding: with the annotation by which the webhook uses it
 * - `azure.clientId`, `azure.tenantId`, `azure.keyVaultUri`, `azure.secretNames` (a list); the client id should also be an
 *   annotation of the pods, so that a change of the identity replaces them
 * - `azure.audience`, if it is not the webhook's: the pods need a projected token of their own with it
 * - `azure.secretProviderClass` with delivery `files` or `environment`: the class to mount with `secrets-store.csi.k8s.io`;
 *   with `environment` also `azure.kubernetesSecret`, which contains each secret under its name once a pod has mounted it
 * - `azure.credentialSecret` without federation: the Kubernetes secret to sign in with, in place of the label. It has
 *   AZURE_CLIENT_ID, AZURE_TENANT_ID, and AZURE_CLIENT_SECRET (all of it for `envFrom`) or AZURE_CLIENT_CERTIFICATE (for a
 *   file that AZURE_CLIENT_CERTIFICATE_PATH names). `azure.credentialKeyId` should be an annotation of the pods, so that a
 *   new credential replaces them
 * - with `provisions`: `azure.servicesGroup`, the id of the resource group of its services (`spec.owner.armId` of a custom
 *   resource), `azure.location`, and `azure.reconcilePolicy`, for the annotation
 *   `serviceoperator.azure.com/reconcile-policy` of each: the service is kept in Azure when the release is uninstalled
 */
function identityValues(
  args: WorkloadArgs,
  values: pulumi.Inputs,
  { secrets, credential }: DeliveredParts,
): pulumi.Inputs {
  const { identity, vault, audience = defaultAudience, chart: { provisions } = {} } = args;
  const accounts = accountNames(args);
  return {
    serviceAccount: { ...fieldsOf(values.serviceAccount), create: false, name: accounts[0] },
    // Only if there are several: a chart's schema may not allow the key.
    ...(accounts.length > 1 && { serviceAccounts: [...accounts] }),
    podLabels: { ...fieldsOf(values.podLabels), ...signInLabels(args) },
    // A chart's schema may not allow the key.
    ...(args.identityBinding === true && {
      podAnnotations: { ...fieldsOf(values.podAnnotations), ...signInAnnotations(args) },
    }),
    azure: {
      ...fieldsOf(values.azure),
      clientId: identity.clientId,
      tenantId: identity.tenantId,
      keyVaultUri: vault.uri,
      secretNames: [...vault.secretNames],
      ...(audience !== defaultAudience && { audience }),
      ...secrets,
      ...(provisions !== undefined && {
        servicesGroup: provisions.group.id,
        location: provisions.location,
        reconcilePolicy: 'detach-on-delete',
      }),
      ...(credential !== undefined && {
        credentialSecret: credential,
        credentialKeyId: args.credential?.keyId,
      }),
    },
  };
}
