interface Remedy {
  /** Azure's codes, or the operator's. */
  readonly codes: RegExp;
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
    remedy:
      'Register the resource provider once for the subscription: `az provider register --namespace <namespace>`.',
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
      'A ConfigMap or a secret of its name is there and is not its own: delete it, or give the dependency another name.',
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

function entryOf(reason: string): Remedy | undefined {
  return remedies.find(({ codes }) => codes.test(reason));
}

/** Whether an answer stays the same until somebody did something about it: a name that is taken, a used up quota, a policy. */
export function isLasting(reason: string): boolean {
  return entryOf(reason)?.lasting ?? false;
}

/** What to do about an answer of Azure or of the operator. */
export function remedyOf(reason: string, details: string): string {
  return (
    (entryOf(reason) ?? entryOf(details))?.remedy ??
    'Correct the dependency in the stack file and run the update again.'
  );
}
