import * as z from 'zod';
import {
  CREDENTIAL_NAME,
  credentialProblem,
  MOST_CREDENTIALS,
} from '../../identity/federatedCredentialRules';
import type { CloudReply } from '../../server/exchange';
import type { ResourceDocument } from '../../store/documents';
import { body, readBody } from '../body';
import type { ArmContext } from '../context';
import { systemData } from '../context';
import type { ArmCall, ArmEndpoint } from '../endpoint';
import { ArmError, badRequest } from '../errors';
import { ChildResource } from './childResource';
import { identities } from './identities';

const credentials = new ChildResource(identities, 'federatedIdentityCredentials', 'credentialName', {
  parentMissing: () => new ArmError(404, 'NotFound', "The parent user-assigned identity doesn't exist."),
});

/** Milliseconds that a write takes, so that concurrent writes conflict as they do in Azure. */
const WRITE_DURATION = 40;

const createBody = body({
  properties: z
    .strictObject({
      issuer: z.string().nullish(),
      subject: z.string().nullish(),
      audiences: z.array(z.string()).nullish(),
    })
    .nullish(),
});

/** Returns the properties; throws if one is missing or empty (workload-identity-federation-considerations, Errors). */
function complete(requested: z.infer<typeof createBody>['properties']): {
  issuer: string;
  subject: string;
  audiences: string[];
} {
  const { issuer, subject, audiences } = requested ?? {};
  if (!issuer?.trim() || !subject?.trim() || !audiences || audiences.includes('')) {
    throw badRequest('Federated Identity Credential from HTTP body has empty properties');
  }
  return { issuer, subject, audiences };
}

/** Federated identity credentials, with at most one concurrent write per identity. */
export function federatedCredentialEndpoints(context: ArmContext): ArmEndpoint[] {
  const writing = new Set<string>();

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

  const write = (call: ArmCall): CloudReply => {
    const { issuer, subject, audiences } = complete(
      readBody(createBody, call.body, credentials.type).properties,
    );
    const problem = credentialProblem({ issuer, subject, audiences });
    if (problem !== undefined) throw badRequest(problem.message, problem.target);
    const { parent, id, name, existing } = credentials.target(context, call);
    const others = credentials.within(context, parent).filter((other) => other.id !== id);
    if (
      others.some((other) => other.properties['issuer'] === issuer && other.properties['subject'] === subject)
    ) {
      throw badRequest('Issuer and subject combination already exists for this Managed Identity.');
    }
    if (existing === undefined && others.length >= MOST_CREDENTIALS) {
      throw badRequest(
        `The managed identity '${parent.name}' has ${others.length} federated identity credentials; at most ${MOST_CREDENTIALS} are allowed.`,
      );
    }
    const credential: ResourceDocument = {
      id,
      name,
      type: credentials.type,
      properties: { issuer, subject, audiences },
      // Start of the propagation delay to Entra, also after a change.
      internal: { writtenAt: context.clock.now() },
      systemData: systemData(context, call.caller, existing?.systemData),
    };
    return credentials.kept(context, credential, existing);
  };

  return [
    credentials.endpoint('PUT', 'FederatedIdentityCredentials_CreateOrUpdate', (call) => {
      const name = credentials.nameIn(call);
      if (!CREDENTIAL_NAME.test(name)) {
        throw badRequest(`Federated Identity Credential name '${name}' is invalid.`, 'name');
      }
      return alone(credentials.parentOf(context, call), () => write(call));
    }),
    ...credentials.reads(context, {
      get: 'FederatedIdentityCredentials_Get',
      list: 'FederatedIdentityCredentials_List',
      listQuery: ['$top'],
    }),
    credentials.endpoint('DELETE', 'FederatedIdentityCredentials_Delete', async (call) => {
      const { parent, id } = credentials.find(context, call);
      const deleted = await alone(parent, () => context.store.resources.delete(id));
      return { status: deleted ? 200 : 204 };
    }),
  ];
}
