/** What helps against an answer of Azure, by its code; the most special first. */
const remedies: readonly (readonly [RegExp, string])[] = [
  [
    /AlreadyTaken|AlreadyInUse|AlreadyExists|NameUnavailable|NameNotAvailable|NameInUse|ServerNameAlreadyExists/i,
    'Names of its kind are unique in all of Azure: set another `name`.',
  ],
  [/NameInvalid|NameNotValid|InvalidResourceName|ReservedResourceName/i, 'Set another `name`.'],
  [
    /Quota|MaxStorageAccounts|CountPerSubscriptionExceeded/i,
    'Ask for a higher limit of the subscription in this region, or use another region or size.',
  ],
  [
    /MissingSubscriptionRegistration|SubscriptionNotRegistered|MissingRegistrationForLocation|NoRegisteredProvider/i,
    'Register the resource provider once for the subscription: `az provider register --namespace <namespace>`.',
  ],
  [
    /AuthorizationFailed|Forbidden/i,
    'Whoever provisions has its role on the resource group of the services only: see that the assignment is there and that nothing denies it.',
  ],
  [
    /PolicyViolation|RequestDisallowedByPolicy/i,
    'A policy of the subscription forbids it: what the message names.',
  ],
  [/ScopeLocked/i, 'Take the lock from the resource group or the resource.'],
  [
    /SkuNotAvailable|RegionIsOfferRestricted|LocationNotAvailable|RestrictedLocation/i,
    'Use another size or region.',
  ],
  [
    /FailedWritingAdditionalKubernetesObjects/,
    'A ConfigMap or a secret of its name is there and is not its own: delete it, or give the dependency another name.',
  ],
  [/AzureResourceNotFound/, 'It was deleted in Azure: what manages it makes it again on its next attempt.'],
  [/ClusterUnreachable/, 'See that the API server can be reached from here, and run the update again.'],
];

/** What to do about an answer of Azure or of the operator. */
export function remedyOf(reason: string, details: string): string {
  const found =
    remedies.find(([pattern]) => pattern.test(reason)) ?? remedies.find(([pattern]) => pattern.test(details));
  return found?.[1] ?? 'Correct the dependency in the stack file and run the update again.';
}
