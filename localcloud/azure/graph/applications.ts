import { newApplication } from '../identity/application';
import type { ApplicationDocument } from '../store/documents';
import { selects } from './answer';
import { createBody, patchBody } from './applicationSchema';
import { APPLICATION, presentApplication } from './applicationView';
import { merged, readBody } from './body';
import type { GraphCall, GraphContext } from './context';
import { softDelete } from './deletedItems';
import { entityEndpoints } from './entityEndpoints';
import { conflict } from './errors';
import { replaced } from './keyCredentials';
import { findApplication } from './lookup';
import { ownerIn } from './owners';

/** Refuses identifier URIs that another application has. Source of the message: MicrosoftLearning/AI-102-AIEngineer #204. */
function checkUris({ store }: GraphContext, own: ApplicationDocument, uris: readonly string[] = []): void {
  const taken = store.applications
    .values()
    .filter(({ objectId }) => objectId !== own.objectId)
    .flatMap(({ properties }) => properties['identifierUris'] ?? []);
  if (!uris.some((uri) => taken.includes(uri))) return;
  throw conflict('Another object with the same value for property identifierUris already exists.');
}

function create(context: GraphContext, call: GraphCall): ApplicationDocument {
  const {
    displayName,
    keyCredentials = [],
    'owners@odata.bind': references,
    ...properties
  } = readBody(createBody, call.body, 'Application');
  const now = context.clock.now();
  const application = newApplication(displayName, now);
  checkUris(context, application, properties.identifierUris);
  const owners = references?.map((reference) => ownerIn(context, reference)) ?? [call.caller.objectId];
  const created = {
    ...application,
    owners: [...new Set(owners)],
    certificates: replaced([], keyCredentials, now),
    properties: merged({}, properties),
  };
  context.store.applications.set(created.objectId, created);
  return created;
}

/** Changes an application, and the name of its service principal with it. */
function update(context: GraphContext, call: GraphCall): void {
  const application = findApplication(context, call);
  const {
    displayName = application.displayName,
    keyCredentials,
    ...properties
  } = readBody(patchBody, call.body, 'Application');
  checkUris(context, application, properties.identifierUris);
  const certificates =
    keyCredentials === undefined
      ? application.certificates
      : replaced(application.certificates, keyCredentials, context.clock.now());
  context.store.applications.set(application.objectId, {
    ...application,
    displayName,
    certificates,
    properties: merged(application.properties, properties),
  });
  const principal = context.store.principalByClientId(application.clientId);
  if (principal === undefined || principal.displayName === displayName) return;
  context.store.principals.set(principal.objectId, { ...principal, displayName });
}

function remove(context: GraphContext, call: GraphCall): void {
  const application = findApplication(context, call);
  const principal = context.store.principalByClientId(application.clientId);
  if (principal !== undefined) softDelete(context, { type: 'servicePrincipal', principal });
  softDelete(context, { type: 'application', application });
}

/** Applications. */
export const applicationEndpoints = entityEndpoints(APPLICATION, {
  create: (context, call) => presentApplication(create(context, call)),
  list: ({ store }) => store.applications.values().map((application) => presentApplication(application)),
  find: (context, call) =>
    presentApplication(findApplication(context, call), {
      withKeys: selects(call, APPLICATION, 'keyCredentials'),
    }),
  update,
  remove,
});
