import * as z from 'zod';
import { reveal, type CheckFailure, type Properties, type Value } from '../protocol';
import { same } from '../resources/compare';
import { oneAtATime } from '../resources/oneAtATime';
import type { DeclaredFields, ResourceOperations } from '../resources/provider';
import { refuseDuplicate } from './duplicates';
import { featureTags } from './featureTags';
import { GraphFailure, isNotFound } from './graph/failure';
import { retried } from './graph/visible';
import { entityId, isGuid, objectIdIn } from './ids';
import { firstOwners, ownersOf, settleOwners, declaredOwners } from './owners';
import { graphOperations } from './resource';
import { sorted, type Rules } from './rules';
import type { Session } from './session';

const updatable = [
  'description',
  'displayName',
  'identifierUris',
  'notes',
  'owners',
  'preventDuplicateNames',
  'serviceManagementReference',
  'signInAudience',
  'tags',
];

const rules: Rules = {
  supported: updatable,
  updatable,
  chosen: ['tags'],
  defaults: { preventDuplicateNames: false, signInAudience: 'AzureADMyOrg' },
  sets: ['identifierUris', 'owners', 'tags'],
};

/** Audiences with accounts in Entra. Those with personal accounts need an input that the local cloud does not have. */
const audiences = ['AzureADMyOrg', 'AzureADMultipleOrgs'];

/** The properties of an application in Graph that the plugin reads. */
const viewSchema = z.object({
  id: z.string(),
  appId: z.string(),
  displayName: z.string(),
  description: z.string().nullish(),
  notes: z.string().nullish(),
  serviceManagementReference: z.string().nullish(),
  signInAudience: z.string().nullish(),
  publisherDomain: z.string().nullish(),
  applicationTemplateId: z.string().nullish(),
  identifierUris: z.array(z.string()).nullish(),
  tags: z.array(z.string()).nullish(),
  info: z.object({ logoUrl: z.string().nullish() }).nullish(),
});

/**
 * Returns the operations on an application registration. Rules: internal/services/applications/application_resource.go
 * of hashicorp/terraform-provider-azuread.
 */
export function application(fields: DeclaredFields, session: () => Session): ResourceOperations {
  return graphOperations('application', fields, {
    rules,
    secrets: [],
    check,

    async mayCreate(inputs, signal) {
      await refuseDuplicate(session(), 'applications', inputs, undefined, signal);
    },

    async create(inputs, signal) {
      const { graph } = session();
      const body = {
        ...bodyOf(inputs, {}),
        identifierUris: inputs['identifierUris'] ?? [],
        'owners@odata.bind': firstOwners(await session().callerId(signal), declaredOwners(inputs)),
      };
      const created = viewSchema.parse(await graph.post('/applications', body, signal));
      const id = entityId('applications', created.id);
      const settle = async (): Promise<void> => {
        // Writing the same name again shows whether the directory has the application already (the provider's #1764).
        const write = (): Promise<void> => graph.patch(id, { displayName: body.displayName }, signal);
        const isEarly = (error: unknown): boolean =>
          isNotFound(error) || (error instanceof GraphFailure && error.status === 409);
        await retried(write, isEarly, signal);
        await settleOwners(session(), id, declaredOwners(inputs), signal);
      };
      return { id, settle };
    },

    async read(id, _state, signal) {
      objectIdIn('applications', id);
      const application = await session().graph.find(id, signal);
      if (application === undefined) return undefined;
      return { ...applicationOutputs(application), owners: await ownersOf(session(), id, signal) };
    },

    async update(id, inputs, state, signal) {
      await oneAtATime(id, async () => {
        await refuseDuplicate(session(), 'applications', inputs, id, signal);
        const body = bodyOf(inputs, state);
        const { identifierUris = [] } = inputs;
        if (!same(identifierUris, state['identifierUris'] ?? [])) body['identifierUris'] = identifierUris;
        await session().graph.patch(id, body, signal);
        if (!same(inputs['owners'], state['owners'])) {
          await settleOwners(session(), id, declaredOwners(inputs), signal);
        }
      });
    },

    async delete(id, _state, signal) {
      await session().graph.deleteUntilGone(id, signal);
    },
  });
}

/** Returns the outputs of an application from Graph's answer. */
export function applicationOutputs(application: Properties): Properties {
  const view = viewSchema.parse(application);
  const tags = sorted(view.tags ?? []);
  return {
    clientId: view.appId,
    description: view.description ?? '',
    displayName: view.displayName,
    featureTags: [featureTags(view.tags ?? [])],
    identifierUris: sorted(view.identifierUris ?? []),
    logoUrl: view.info?.logoUrl ?? '',
    notes: view.notes ?? '',
    objectId: view.id,
    publisherDomain: view.publisherDomain ?? '',
    serviceManagementReference: view.serviceManagementReference ?? '',
    signInAudience: view.signInAudience ?? '',
    tags,
    templateId: view.applicationTemplateId ?? '',
  };
}

function bodyOf(inputs: Properties, state: Properties): Properties & { displayName: Value } {
  return {
    displayName: inputs['displayName'] ?? '',
    description: inputs['description'] || null,
    notes: inputs['notes'] || null,
    serviceManagementReference: inputs['serviceManagementReference'] || null,
    signInAudience: inputs['signInAudience'] ?? '',
    tags: inputs['tags'] ?? state['tags'] ?? [],
  };
}

function check(inputs: Properties): CheckFailure[] {
  const failures: CheckFailure[] = [];
  const { displayName, signInAudience } = inputs;
  if (displayName === '') failures.push({ property: 'displayName', reason: 'displayName is empty' });
  const audience = signInAudience === undefined ? undefined : reveal(signInAudience);
  if (typeof audience === 'string' && !audiences.includes(audience)) {
    const reason = `'${audience}' is not a sign-in audience of the local cloud: allowed are ${audiences.join(', ')}`;
    failures.push({ property: 'signInAudience', reason });
  }
  const owners = inputs['owners'] === undefined ? [] : reveal(inputs['owners']);
  for (const owner of Array.isArray(owners) ? owners : []) {
    if (typeof owner === 'string' && !isGuid(owner)) {
      failures.push({ property: 'owners', reason: `'${owner}' is not an object id of a principal` });
    }
  }
  return failures;
}
