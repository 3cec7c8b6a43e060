/** A refusal by Azure, by the operator or by the cluster. */
export interface Refusal {
  /** Code of Azure or of the operator, such as `StorageAccountAlreadyTaken`. */
  readonly code: string;
  readonly message: string;
  /** True if the operator does not retry. */
  readonly final?: boolean;
}

/** A row of the table of refusals. */
interface KnownRefusal {
  readonly codes: RegExp;
  /** Pattern of messages that match under any code. */
  readonly messages?: RegExp;
  /** Time within which the refusal may pass, in milliseconds. Default: it is lasting. */
  readonly patienceMs?: number;
  /** Hint for the user. Default: the hint of the question. */
  readonly hint?: string;
}

/** Patience with refusals that may pass because the operator retries. */
const someTries = 30_000;
/** Patience with refusals that remain until somebody changes something: long enough to see them a second time. */
const lasting = 4_000;

/** Refusals, the most specific first. */
const knownRefusals: readonly KnownRefusal[] = [
  {
    // The operator waits for another object (azure-service-operator
    // pkg/genruntime/conditions/ready_condition_builder.go), or Azure is busy with the same resource.
    codes:
      /^(AnotherOperationInProgress|ConcurrentFederatedIdentityCredentialsWritesForSingleManagedIdentity|ConfigMapNotFound|ReconciliationBlocked|ReferenceNotFound|SecretNotFound|ServerBusy|ServerIsBusy|TooManyRequests|WaitingForOwner)$/,
    patienceMs: Infinity,
  },
  {
    codes:
      /MissingSubscriptionRegistration|SubscriptionNotRegistered|MissingRegistrationForLocation|NoRegisteredProvider/i,
    // The operator tries to register the provider, and reports only that it lacks the permission (azure-service-operator
    // internal/genericarmclient/policy_register_rp.go).
    messages: /\/register\/action/i,
    hint: 'Its resource provider is not registered: `az provider register --wait --namespace <namespace>`, once per subscription.',
  },
  {
    codes: /SoftDeleted/i,
    messages: /deleted state|deleted but recoverable/i,
    hint: 'Azure reserves the name while the deleted resource can be recovered: recover it (a vault: `az keyvault recover --name <name>`), purge it, or set another `name`.',
  },
  {
    codes:
      /AlreadyTaken|AlreadyInUse|AlreadyExists|NameUnavailable|NameNotAvailable|NameInUse|ServerNameAlreadyExists/i,
    hint: 'Names of this kind must be unique in all of Azure: set another `name`.',
  },
  {
    codes: /Quota|MaxStorageAccounts|CountPerSubscriptionExceeded/i,
    hint: 'Request a higher quota for the subscription in this region, or use another region or size.',
  },
  {
    codes: /^ClusterForbidden$/,
    patienceMs: 0,
    hint: "An administrator's kubeconfig is required. Use one, and run the update again.",
  },
  {
    codes: /^ClusterUnreachable$/,
    patienceMs: 2 * 60_000,
    hint: 'Make sure that the API server can be reached from here, and run the update again.',
  },
  {
    codes: /AuthorizationFailed|Forbidden/i,
    patienceMs: someTries,
    hint: 'The provisioning identity has its role only on the resource group of the services: check that the assignment exists and that no deny assignment blocks it.',
  },
  {
    codes: /PolicyViolation|RequestDisallowedByPolicy/i,
    hint: 'An Azure policy forbids it: the message names the policy.',
  },
  {
    codes: /ScopeLocked/i,
    hint: 'Remove the lock from the resource group or the resource.',
  },
  {
    codes: /FailedWritingAdditionalKubernetesObjects/,
    patienceMs: someTries,
    hint: 'A ConfigMap or a secret with its name exists and belongs to something else. Delete it, and restart the operator, which does not retry by itself: `kubectl rollout restart deployment/azureserviceoperator-controller-manager --namespace azureserviceoperator-system`. Or give the dependency another name.',
  },
  {
    codes: /^NotInCluster$/,
    hint: "Somebody deleted it, or an interrupted deletion completed: run `pulumi refresh` and the update again, which creates it again. An object of the application's own chart is restored by `helm upgrade --reuse-values`.",
  },
  {
    codes: /^BeingDeleted$/,
    patienceMs: someTries,
    hint: 'Once it is gone, run `pulumi refresh` and the update again, which creates it again.',
  },
  {
    codes: /AzureResourceNotFound/,
    patienceMs: someTries,
    hint: 'It was deleted in Azure. The operator of the cluster that manages it creates a new, empty one within about an hour, or at once after `kubectl rollout restart deployment/azureserviceoperator-controller-manager --namespace azureserviceoperator-system`. Then run the update with `--refresh`, which grants access to it again.',
  },
];

function refusalRow({ code, message }: Refusal): KnownRefusal | undefined {
  return knownRefusals.find(({ codes, messages }) => codes.test(code) || messages?.test(message));
}

/** Returns how long to wait for a refusal to pass, in milliseconds. */
export function patienceWith(refusal: Refusal): number {
  if (refusal.final === true) return 0;
  const row = refusalRow(refusal);
  return row === undefined ? someTries : (row.patienceMs ?? lasting);
}

/** Tells whether a refusal remains until somebody changes something: a name that is taken, an exhausted quota, a policy. */
export function isLasting(refusal: Refusal): boolean {
  return patienceWith(refusal) <= lasting;
}

/**
 * Returns what the user can do about a refusal. A code that the table does not contain is the operator's own, and Azure's
 * code is in the message. If the message is Azure's whole answer, the code follows `ERROR CODE:`, and the rest is ignored:
 * it contains "Forbidden" for every 403.
 */
export function hintFor(refusal: Refusal): string | undefined {
  const azureCode = /ERROR CODE: (\S+)/.exec(refusal.message)?.[1] ?? refusal.message;
  return (refusalRow(refusal) ?? knownRefusals.find(({ codes }) => codes.test(azureCode)))?.hint;
}
