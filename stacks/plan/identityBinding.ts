import { nameRule } from '../../components/azure/naming';
import type { ServiceAccountReference } from '../../components/identity/subjects';
import { digestOf } from '../../components/resource/digest';
import type { ApplicationSettings, ExistingId, StackSettings } from '../settings/schema';
import { subjectsOf } from './accounts';

/** An AKS identity binding of one identity on one cluster. */
export interface BindingPlan {
  /** Name in Azure. */
  readonly name: string;
  /** Name of the ClusterRole and of the ClusterRoleBinding in the cluster. */
  readonly role: string;
  /** The service accounts that may use the identity. */
  readonly accounts: readonly ServiceAccountReference[];
}

/** Tells whether the application uses its identity through an AKS identity binding. */
export const isBound = ({ trust }: Pick<ApplicationSettings, 'trust'>): boolean =>
  trust === 'identityBinding';

/** The identity of a binding. */
interface BoundIdentity {
  /** Name that the stack would give it, which starts with a letter. */
  readonly azureName: string;
  readonly existing?: ExistingId;
}

/**
 * Returns the binding of an identity for those of its applications that use it through one; undefined if none does. The digest in its
 * names differs for each identity, so the binding of another one is created before this one is deleted. It also keeps `a-b` and `ab`
 * apart: the binding's name has no hyphens.
 */
export function planBinding(
  settings: StackSettings,
  { azureName, existing }: BoundIdentity,
  applications: readonly ApplicationSettings[],
): BindingPlan | undefined {
  const accounts = applications
    .filter(isBound)
    .flatMap((application) => subjectsOf(settings, application))
    .map(({ namespace, serviceAccount }) => ({ namespace, serviceAccount }));
  if (accounts.length === 0) return undefined;
  const id = existing?.id ?? `${settings.resourceGroup.name}/${azureName}`;
  const digest = digestOf(`${azureName}\n${id.toLowerCase()}`, 10);
  const [, longest] = nameRule('identityBinding').length;
  const readable = azureName.toLowerCase().replace(/[^a-z0-9]/g, '');
  return {
    name: `${readable.slice(0, longest - digest.length)}${digest}`,
    role: `use-${azureName}-${digest}`,
    accounts,
  };
}
