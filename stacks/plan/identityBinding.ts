import { nameRule } from '../../components/azure/naming';
import type { ServiceAccountReference } from '../../components/identity/subjects';
import { digestOf } from '../../components/resource/digest';
import type { ApplicationSettings, StackSettings } from '../settings/schema';
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

const digestLength = 10;

/**
 * Returns the name of an identity's binding. It has no hyphens, so a digest keeps `a-b` and `ab` apart.
 * @param azureName name of the identity, which starts with a letter
 */
function bindingName(azureName: string): string {
  const [, longest] = nameRule('identityBinding').length;
  const readable = azureName.toLowerCase().replace(/[^a-z0-9]/g, '');
  return `${readable.slice(0, longest - digestLength)}${digestOf(azureName, digestLength)}`;
}

/** Returns the binding of an identity for those of its applications that use it through one; undefined if none does. */
export function planBinding(
  settings: StackSettings,
  azureName: string,
  applications: readonly ApplicationSettings[],
): BindingPlan | undefined {
  const accounts = applications
    .filter(isBound)
    .flatMap((application) => subjectsOf(settings, application))
    .map(({ namespace, serviceAccount }) => ({ namespace, serviceAccount }));
  if (accounts.length === 0) return undefined;
  return { name: bindingName(azureName), role: `use-${azureName}`, accounts };
}
