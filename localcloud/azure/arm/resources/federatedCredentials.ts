import { z } from 'zod';
import type { ResourceDocument } from '../../store/documents';
import { body, readBody } from '../body';
import type { ArmContext } from '../context';
import { present, systemData } from '../context';
import type { ArmCall, ArmEndpoint } from '../endpoint';
import { ArmError, badRequest, notFound } from '../errors';
import { identities } from './identities';

const TYPE = `${identities.type}/federatedIdentityCredentials`;
const LIST = `${identities.path}/federatedIdentityCredentials`;
const PATH = `${LIST}/{credentialName}`;

/** Sources of the rules: MicrosoftDocs/entra-docs, workload-identity-federation-considerations. */
const MOST_PER_IDENTITY = 20;
const LONGEST = 600;
const NAME = /^[a-zA-Z0-9]{1}[a-zA-Z0-9-_]{2,119}$/;
/** Milliseconds that a write takes, so that two at a time meet each other as they do in Azure. */
const WRITE_DURATION = 40;

const createBody = body({
  properties: z.strictObject({ issuer: z.string(), subject: z.string(), audiences: z.array(z.string()) }),
});

function checkProperties(properties: { issuer: string; subject: string; audiences: string[] }): void {
  if (properties.audiences.length !== 1) {
    throw badRequest('Federated identity credentials must have exactly one audience.', 'audiences');
  }
  const [audience = ''] = properties.audiences;
  for (const [name, value] of Object.entries({
    issuer: properties.issuer,
    subject: properties.subject,
    audience,
  })) {
    if (value === '' || value.length > LONGEST) {
      throw badRequest(
        `The ${name} of a federated identity credential has 1 to ${LONGEST} characters; this one has ${value.length}.`,
        name,
      );
    }
    if (value.includes('*')) {
      throw badRequest(
        `The ${name} '${value}' has a wildcard, which federated identity credentials do not support.`,
        name,
      );
    }
  }
  if (!URL.canParse(properties.issuer) || new URL(properties.issuer).protocol !== 'https:') {
    throw badRequest(`The issuer '${properties.issuer}' is not an https URL.`, 'issuer');
  }
}

/** Federated identity credentials: at most one write at a time under an identity. */
export function federatedCredentialEndpoints(context: ArmContext): ArmEndpoint[] {
  const { store } = context;
  const writing = new Set<string>();

  const parentOf = (call: ArmCall): ResourceDocument => {
    const parent = store.resources.get(identities.idOf(context, call));
    if (parent !== undefined) return parent;
    throw new ArmError(404, 'NotFound', "The parent user-assigned identity doesn't exist.");
  };
  const siblings = (parent: ResourceDocument): ResourceDocument[] =>
    store
      .below(parent.id)
      .filter((child) => child.type === TYPE)
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  const nameOf = (call: ArmCall): string => call.params['credentialName'] ?? '';
  const idOf = (parent: ResourceDocument, call: ArmCall): string =>
    `${parent.id}/federatedIdentityCredentials/${nameOf(call)}`;

  const alone = async <T>(parent: ResourceDocument, work: () => T): Promise<T> => {
    const key = parent.id.toLowerCase();
    if (writing.has(key)) {
      throw new ArmError(
        409,
        'ConcurrentFederatedIdentityCredentialsWritesForSingleManagedIdentity',
        `Too many Federated Identity Credentials are written concurrently for the managed identity '${key}'. Concurrent Federated Identity Credentials writes under the same managed identity are not supported.`,
      );
    }
    writing.add(key);
    try {
      await context.clock.sleep(WRITE_DURATION);
      return work();
    } finally {
      writing.delete(key);
    }
  };

  const write = (
    call: ArmCall,
    parent: ResourceDocument,
  ): { created: boolean; credential: ResourceDocument } => {
    const { issuer, subject, audiences } = readBody(createBody, call.body, TYPE).properties;
    checkProperties({ issuer, subject, audiences });
    const existing = store.resources.get(idOf(parent, call));
    const others = siblings(parent).filter(
      (other) => other.name.toLowerCase() !== nameOf(call).toLowerCase(),
    );
    if (
      others.some((other) => other.properties['issuer'] === issuer && other.properties['subject'] === subject)
    ) {
      throw badRequest('Issuer and subject combination already exists for this Managed Identity.');
    }
    if (existing === undefined && others.length >= MOST_PER_IDENTITY) {
      throw badRequest(
        `The managed identity '${parent.name}' has ${others.length} federated identity credentials; at most ${MOST_PER_IDENTITY} are allowed.`,
      );
    }
    const credential: ResourceDocument = {
      id: existing?.id ?? idOf(parent, call),
      name: existing?.name ?? nameOf(call),
      type: TYPE,
      properties: { issuer, subject, audiences },
      // Starts the time until Entra knows it; a change takes as long to be seen.
      internal: { writtenAt: context.clock.now() },
      systemData: systemData(context, call.caller, existing?.systemData),
    };
    store.resources.set(credential.id, credential);
    return { created: existing === undefined, credential };
  };

  return [
    {
      operation: 'FederatedIdentityCredentials_CreateOrUpdate',
      method: 'PUT',
      path: PATH,
      type: TYPE,
      action: `${TYPE}/write`,
      handle: async (call) => {
        if (!NAME.test(nameOf(call))) {
          throw badRequest(`Federated Identity Credential name '${nameOf(call)}' is invalid.`, 'name');
        }
        const parent = parentOf(call);
        const { created, credential } = await alone(parent, () => write(call, parentOf(call)));
        return { status: created ? 201 : 200, body: present(credential) };
      },
    },
    {
      operation: 'FederatedIdentityCredentials_Get',
      method: 'GET',
      path: PATH,
      type: TYPE,
      action: `${TYPE}/read`,
      handle: (call) => {
        const parent = parentOf(call);
        const credential = store.resources.get(idOf(parent, call));
        if (credential === undefined) {
          throw notFound(TYPE, `${parent.name}/${nameOf(call)}`, call.params['resourceGroupName'] ?? '');
        }
        return { status: 200, body: present(credential) };
      },
    },
    {
      operation: 'FederatedIdentityCredentials_Delete',
      method: 'DELETE',
      path: PATH,
      type: TYPE,
      action: `${TYPE}/delete`,
      handle: async (call) => {
        const parent = parentOf(call);
        const deleted = await alone(parent, () => store.resources.delete(idOf(parent, call)));
        return { status: deleted ? 200 : 204 };
      },
    },
    {
      operation: 'FederatedIdentityCredentials_List',
      method: 'GET',
      path: LIST,
      type: TYPE,
      action: `${TYPE}/read`,
      query: ['$top'],
      handle: (call) => {
        const found = siblings(parentOf(call));
        const top = Number(call.query.get('$top') ?? found.length);
        return { status: 200, body: { value: found.slice(0, top).map(present) } };
      },
    },
  ];
}
