import type { ApplicationDocument } from '../store/documents';
import type { GraphContext } from './context';
import { badRequest, conflict } from './errors';

/**
 * Returns the application for a new or restored service principal; throws if there is none, or if it already has a service
 * principal. Sources of the messages: openshift/openshift-azure #1534, Azure/reliable-web-app-pattern-java #185.
 */
export function backingApplication({ store }: GraphContext, clientId: string): ApplicationDocument {
  const application = store.applicationByClientId(clientId);
  if (application === undefined) {
    throw badRequest(
      `The appId '${clientId}' of the service principal does not reference a valid application object.`,
    );
  }
  if (store.principalByClientId(clientId) === undefined) return application;
  throw conflict(
    `The service principal cannot be created, updated, or restored because the service principal name ${clientId} is already in use.`,
  );
}
