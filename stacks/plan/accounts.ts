import type { ServiceAccountReference } from '../../components/identity/subjects';
import type { ApplicationSettings, StackSettings } from '../settings/schema';

/** A service account that an identity trusts, and the audience that its tokens must have. */
export interface SubjectPlan extends ServiceAccountReference {
  readonly audience: string;
}

/** Returns the service account that the application's pods run under. */
export function accountOf({ name, namespace, serviceAccount }: ApplicationSettings): ServiceAccountReference {
  return { namespace: namespace?.name ?? name, serviceAccount: serviceAccount?.name ?? name };
}

/** Returns the names of all service accounts of the application, that of its pods first. */
export function serviceAccountNames(application: ApplicationSettings): string[] {
  return [accountOf(application).serviceAccount, ...application.serviceAccounts];
}

/** Returns the audience of the tokens that its pods present. */
export function audienceOf(
  settings: Pick<StackSettings, 'audience'>,
  application: Pick<ApplicationSettings, 'audience'>,
): string {
  return application.audience ?? settings.audience;
}

/** Returns every service account of the application, with the audience that its tokens must have. */
export function subjectsOf(settings: StackSettings, application: ApplicationSettings): SubjectPlan[] {
  const { namespace } = accountOf(application);
  const audience = audienceOf(settings, application);
  return serviceAccountNames(application).map((serviceAccount) => ({ namespace, serviceAccount, audience }));
}

/** Tells whether the application's namespace already exists and the stack only uses it. */
export function usesExistingNamespace({ namespace }: ApplicationSettings): boolean {
  return namespace?.existing === true;
}

/** Tells whether the service account of the application's pods already exists and the stack only annotates it. */
export function usesExistingServiceAccount({ serviceAccount }: ApplicationSettings): boolean {
  return serviceAccount?.existing === true;
}
