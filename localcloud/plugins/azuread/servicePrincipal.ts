import * as z from 'zod';
import { containsUnknown, reveal, type CheckFailure, type Properties } from '../protocol';
import { same } from '../resources/compare';
import { textAt } from '../resources/propertyPath';
import type { DeclaredFields, ResourceOperations } from '../resources/provider';
import { deprecatedFeatures, featureTags } from './featureTags';
import { quoted } from './graph/client';
import { GraphFailure, isNotFound } from './graph/failure';
import { retried } from './graph/visible';
import { entityId, isGuid, objectIdIn } from './ids';
import { firstOwners, ownersOf, settleOwners, declaredOwners } from './owners';
import { graphOperations, type Created } from './resource';
import { sorted, type Rules } from './rules';
import type { Session } from './session';

const rules: Rules = {
  supported: ['accountEnabled', 'clientId', 'description', 'notes', 'owners', 'tags', 'useExisting'],
  updatable: ['accountEnabled', 'description', 'notes', 'owners', 'tags', 'useExisting'],
  chosen: ['tags'],
  defaults: { accountEnabled: true },
  sets: ['owners', 'tags'],
};

/** The properties of a service principal in Graph that the plugin reads. */
const viewSchema = z.object({
  id: z.string(),
  appId: z.string(),
  displayName: z.string().nullish(),
  accountEnabled: z.boolean().nullish(),
  alternativeNames: z.array(z.string()).nullish(),
  appOwnerOrganizationId: z.string().nullish(),
  description: z.string().nullish(),
  notes: z.string().nullish(),
  replyUrls: z.array(z.string()).nullish(),
  servicePrincipalNames: z.array(z.string()).nullish(),
  servicePrincipalType: z.string().nullish(),
  signInAudience: z.string().nullish(),
  tags: z.array(z.string()).nullish(),
});

/** Errors for an application that not every replica of the directory shows yet. */
const early = [
  {
    status: 400,
    message: /The appId '.+' of the service principal does not reference a valid application object/,
  },
  {
    status: 403,
    message: /the backing application of the service principal being created must in the local tenant/,
  },
];

/**
 * Returns the operations on the service principal of an application. Rules:
 * internal/services/serviceprincipals/service_principal_resource.go of hashicorp/terraform-provider-azuread.
 */
export function servicePrincipal(fields: DeclaredFields, session: () => Session): ResourceOperations {
  return graphOperations('service principal', fields, {
    rules,
    secrets: [],
    check,

    async create(inputs, signal) {
      const { graph } = session();
      const clientId = textAt(inputs, 'clientId');
      const [existing] = await graph.list('/servicePrincipals', signal, `appId eq ${quoted(clientId)}`);
      if (existing !== undefined) return adopted(session(), existing, inputs, signal);
      const body = {
        ...bodyOf(inputs, {}),
        appId: clientId,
        'owners@odata.bind': firstOwners(await session().callerId(signal), declaredOwners(inputs)),
      };
      const isEarly = (error: unknown): boolean =>
        error instanceof GraphFailure &&
        early.some(({ status, message }) => error.status === status && message.test(error.message));
      const created = await retried(() => graph.post('/servicePrincipals', body, signal), isEarly, signal);
      const id = entityId('servicePrincipals', viewSchema.parse(created).id);
      const settle = async (): Promise<void> => {
        // Repeating the same write shows whether the directory has the service principal already.
        const write = (): Promise<void> => graph.patch(id, bodyOf(inputs, {}), signal);
        await retried(write, isNotFound, signal);
        await settleOwners(session(), id, declaredOwners(inputs), signal);
      };
      return { id, settle };
    },

    async read(id, _state, signal) {
      objectIdIn('servicePrincipals', id);
      const principal = await session().graph.find(id, signal);
      if (principal === undefined) return undefined;
      return { ...servicePrincipalOutputs(principal), owners: await ownersOf(session(), id, signal) };
    },

    async update(id, inputs, state, signal) {
      await session().graph.patch(id, bodyOf(inputs, state), signal);
      if (!same(inputs['owners'], state['owners'])) {
        await settleOwners(session(), id, declaredOwners(inputs), signal);
      }
    },

    async delete(id, state, signal) {
      try {
        await session().graph.delete(id, signal);
      } catch (error) {
        // The official provider ignores this error for a service principal that it adopted.
        if (state['useExisting'] !== true) throw error;
      }
    },
  });
}

/** Returns the outputs of a service principal from Graph's answer. */
export function servicePrincipalOutputs(principal: Properties): Properties {
  const view = viewSchema.parse(principal);
  const tags = view.tags ?? [];
  return {
    accountEnabled: view.accountEnabled ?? false,
    alternativeNames: view.alternativeNames ?? [],
    applicationTenantId: view.appOwnerOrganizationId ?? '',
    clientId: view.appId,
    description: view.description ?? '',
    displayName: view.displayName ?? '',
    featureTags: [featureTags(tags)],
    features: [deprecatedFeatures(tags)],
    notes: view.notes ?? '',
    objectId: view.id,
    redirectUris: view.replyUrls ?? [],
    servicePrincipalNames: (view.servicePrincipalNames ?? []).filter((name) => name !== view.appId),
    signInAudience: view.signInAudience ?? '',
    tags: sorted(tags),
    type: view.servicePrincipalType ?? '',
  };
}

function bodyOf(inputs: Properties, state: Properties): Properties {
  return {
    accountEnabled: inputs['accountEnabled'] ?? true,
    description: inputs['description'] || null,
    notes: inputs['notes'] || null,
    tags: inputs['tags'] ?? state['tags'] ?? [],
  };
}

/** Adopts an existing service principal, if the program allows it. It keeps its owners unless the program sets some. */
function adopted(session: Session, existing: Properties, inputs: Properties, signal: AbortSignal): Created {
  const id = entityId('servicePrincipals', viewSchema.parse(existing).id);
  const owners = declaredOwners(inputs);
  const settle = async (): Promise<void> => {
    await session.graph.patch(id, bodyOf(inputs, {}), signal);
    if (owners.length > 0) await settleOwners(session, id, owners, signal);
  };
  if (inputs['useExisting'] === true) return { id, settle };
  throw new Error(
    `cannot create already existing resource '${id}', the service principal of ${textAt(inputs, 'clientId')}: import it, or set useExisting`,
  );
}

function check(inputs: Properties): CheckFailure[] {
  const value = inputs['clientId'] ?? '';
  const clientId = containsUnknown(value) ? undefined : reveal(value);
  if (typeof clientId !== 'string' || isGuid(clientId)) return [];
  const reason = `'${clientId}' is not a client id: use the application's clientId`;
  return [{ property: 'clientId', reason }];
}
