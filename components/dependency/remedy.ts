interface Remedy {
  /** Azure's codes, or the operator's. */
  readonly codes: RegExp;
  /** What Azure says, where the code can stand for many things. */
  readonly says?: RegExp;
  readonly remedy: string;
  /** It does not pass by itself: to ask again is of no use before somebody did something. */
  readonly lasting?: boolean;
}

/** What helps against an answer of Azure, by its code; the most special first. */
const remedies: readonly Remedy[] = [
  {
    codes:
      /AlreadyTaken|AlreadyInUse|AlreadyExists|NameUnavailable|NameNotAvailable|NameInUse|ServerNameAlreadyExists/i,
    remedy: 'Names of its kind are unique in all of Azure: set another `name`.',
    lasting: true,
  },
  {
    codes: /NameInvalid|NameNotValid|InvalidResourceName|ReservedResourceName/i,
    remedy: 'Set another `name`.',
    lasting: true,
  },
  {
    codes: /Quota|MaxStorageAccounts|CountPerSubscriptionExceeded/i,
    remedy: 'Ask for a higher limit of the subscription in this region, or use another region or size.',
    lasting: true,
  },
  {
    codes:
      /MissingSubscriptionRegistration|SubscriptionNotRegistered|MissingRegistrationForLocation|NoRegisteredProvider/i,
    // The operator registers by itself what is not, and tells only that it may not do that (azure-service-operator
    // internal/genericarmclient/policy_register_rp.go).
    says: /\/register\/action/i,
    remedy:
      'Its resource provider is not registered: `az provider register --wait --namespace <namespace>`, once for the subscription.',
    lasting: true,
  },
  {
    codes: /SoftDeleted/i,
    says: /deleted state|deleted but recoverable/i,
    remedy:
      'Azure keeps the name for as long as what was deleted can be recovered: recover that (a vault: `az keyvault recover --name <name>`), purge it, or set another `name`.',
    lasting: true,
  },
  {
    codes: /AuthorizationFailed|Forbidden/i,
    remedy:
      'Whoever provisions has its role on the resource group of the services only: see that the assignment is there and that nothing denies it.',
  },
  {
    codes: /PolicyViolation|RequestDisallowedByPolicy/i,
    remedy: 'A policy of the subscription forbids it: what the message names.',
    lasting: true,
  },
  {
    codes: /ScopeLocked/i,
    remedy: 'Take the lock from the resource group or the resource.',
    lasting: true,
  },
  {
    codes: /SkuNotAvailable|RegionIsOfferRestricted|LocationNotAvailable|RestrictedLocation/i,
    remedy: 'Use another size or region.',
    lasting: true,
  },
  {
    codes: /FailedWritingAdditionalKubernetesObjects/,
    remedy:
      'A ConfigMap or a secret of its name is there and is not its own: delete it, and have the operator look again, which it does not by itself: `kubectl rollout restart deployment/azureserviceoperator-controller-manager --namespace azureserviceoperator-system`; or give the dependency another name.',
  },
  {
    codes: /^TimedOut$/,
    remedy: 'It goes on in Azure: run the update again to wait for it further.',
  },
  {
    codes: /^NotInCluster$/,
    remedy:
      'Somebody deleted it, or a deletion that was interrupted came to its end: `pulumi refresh`, and run the update again, which makes it anew.',
    lasting: true,
  },
  {
    codes: /^BeingDeleted$/,
    remedy: 'Once it is gone: `pulumi refresh`, and run the update again, which makes it anew.',
  },
  {
    codes: /AzureResourceNotFound/,
    remedy: 'It was deleted in Azure: what manages it makes it again on its next attempt.',
  },
  {
    codes: /ClusterUnreachable/,
    remedy: 'See that the API server can be reached from here, and run the update again.',
  },
];

function entryOf(reason: string, details: string): Remedy | undefined {
  return remedies.find(({ says }) => says?.test(details)) ?? remedies.find(({ codes }) => codes.test(reason));
}

/** Whether an answer stays the same until somebody did something about it: a name that is taken, a used up quota, a policy. */
export function isLasting(reason: string, details: string): boolean {
  return entryOf(reason, details)?.lasting ?? false;
}

/** What to do about an answer of Azure or of the operator; a code can also be in what is said. */
export function remedyOf(reason: string, details: string): string {
  return (
    (entryOf(reason, details) ?? remedies.find(({ codes }) => codes.test(details)))?.remedy ??
    'Correct the dependency in the stack file and run the update again.'
  );
}
