import { createsOf, isUnknown, textAt, typeOf, type Create, type Inputs, type Step } from '../preview';
import { UserError } from '../userError';
import { entraTypes } from './entra';
import { completed, importableTypes } from './types';

/** A resource that would be created in Azure or Entra. */
export interface Candidate extends Create {
  /** Resource id; undefined in Entra, and while an input that is part of it is unknown. */
  id: string | undefined;
}

/**
 * Returns the resources that would be created in Azure or Entra.
 * @param subscription subscription for providers that name none
 * @throws UserError if the subscription is needed and unknown: nothing would be found, as if nothing existed
 */
export function candidatesOf(steps: readonly Step[], subscription: string | undefined): Candidate[] {
  const inputs = new Map(steps.map(({ urn, newState: state }) => [urn, state?.inputs]));
  return createsOf(steps).flatMap((create): Candidate[] => {
    const token = typeOf(create.urn);
    if (token in entraTypes) return [{ ...create, id: undefined }];
    const type = importableTypes[token];
    if (type === undefined) return [];
    const provider = inputs.get(create.provider?.split('::').slice(0, 4).join('::') ?? '');
    const pending = isUnknown(provider?.['subscriptionId']);
    const own = pending ? undefined : (textAt(provider, 'subscriptionId') ?? subscription);
    if (own === undefined && !pending && type.id.includes('{subscriptionId}')) {
      throw new UserError(
        "The stack's subscription is unknown, so Azure cannot be searched.",
        'Set ARM_SUBSCRIPTION_ID (or `pulumi config set azure-native:subscriptionId <id>`), or select one with `az account set --subscription <id>`.',
      );
    }
    const id = completed(type.id, (path) =>
      path === 'subscriptionId' ? own : (textAt(create.inputs, path) ?? parentsName(create, path, inputs)),
    );
    return [{ ...create, id }];
  });
}

/**
 * Returns the name of a parent in Azure (`resourceGroupName`, `vaultName`) that would be created as well. A preview does not
 * know the parent's outputs, but its inputs, where the name has the same key.
 */
function parentsName(
  { propertyDependencies }: Create,
  key: string,
  inputs: ReadonlyMap<string, Inputs | undefined>,
): string | undefined {
  const parent = propertyDependencies?.[key]?.find((urn) =>
    importableTypes[typeOf(urn)]?.id.endsWith(`{${key}}`),
  );
  return parent === undefined ? undefined : textAt(inputs.get(parent), key);
}
