import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import {
  CREDENTIAL_NAME,
  credentialProblem,
  LONGEST_TEXT,
  MOST_CREDENTIALS,
} from '../identity/federatedCredentialRules';
import type { ApplicationDocument, FederatedCredentialDocument } from '../store/documents';
import type { Kind } from './answer';
import { ONE, list, entityReply } from './answer';
import type { Entity } from './body';
import { odataType, readBody, text } from './body';
import type { GraphCall, GraphContext, GraphEndpoint } from './context';
import { badRequest, conflict, notFound } from './errors';
import { findApplication } from './lookup';

const TYPE = 'FederatedIdentityCredential';
const PATH = 'applications/{id}/federatedIdentityCredentials';
const members = {
  '@odata.type': odataType,
  name: z.string(),
  issuer: z.string().min(1, 'it is not empty'),
  subject: z.string().min(1, 'it is not empty'),
  audiences: z.array(z.string().min(1, 'it is not empty')),
  description: text(LONGEST_TEXT),
};
const createBody = z.strictObject(members);
const patchBody = z.strictObject({ ...members, id: z.string() }).partial();

const CREDENTIAL: Kind = {
  set: 'federatedIdentityCredentials',
  type: 'federatedIdentityCredential',
  members: ['id', 'name', 'issuer', 'subject', 'description', 'audiences'],
  // Source: microsoftgraph/microsoft-graph-docs-contrib `api-reference/v1.0/resources/federatedidentitycredential.md`.
  filtered: { name: 'text', subject: 'text' },
};

const present = ({ writtenAt: _writtenAt, ...credential }: FederatedCredentialDocument): Entity => credential;

/** Source of the code: Azure/azure-workload-identity #434. */
const invalid = (message: string): Error => badRequest(message, 'InvalidFederatedIdentityCredentialValue');

/**
 * Stores a credential; replaces the one with its id. Source of the rules: `identity/federatedCredentialRules.ts`; of the
 * messages for a taken name and for a taken pair of issuer and subject: Azure/azure-dev #1482, Azure/azure-workload-identity
 * #434. The other messages are those of managed identities.
 */
function save(
  context: GraphContext,
  application: ApplicationDocument,
  credential: FederatedCredentialDocument,
): void {
  const { id, name, issuer, subject } = credential;
  if (!CREDENTIAL_NAME.test(name)) throw invalid(`Federated Identity Credential name '${name}' is invalid.`);
  const problem = credentialProblem(credential);
  if (problem !== undefined) throw invalid(problem.message);
  const others = application.federatedCredentials.filter((other) => other.id !== id);
  if (others.some((other) => other.name === name)) {
    throw conflict(`FederatedIdentityCredential with name ${name} already exists.`);
  }
  if (others.some((other) => other.issuer === issuer && other.subject === subject)) {
    throw invalid(
      `The combination of issuer and subject must be unique for the application. Issuer ${issuer} and Subject: ${subject} already exist. paramName: FederatedIdentityCredential.Subject, paramValue: ${subject}, objectType: Microsoft.Online.DirectoryServices.Application`,
    );
  }
  if (others.length >= MOST_CREDENTIALS) {
    throw invalid(
      `The application '${application.displayName}' has ${others.length} federated identity credentials; at most ${MOST_CREDENTIALS} are allowed.`,
    );
  }
  context.store.applications.set(application.objectId, {
    ...application,
    federatedCredentials: [...others, credential],
  });
}

/** The credential in the path, by its id or its name. */
function find(application: ApplicationDocument, { params }: GraphCall): FederatedCredentialDocument {
  const idOrName = params['credential'] ?? '';
  const credential = application.federatedCredentials.find(
    ({ id, name }) => id === idOrName.toLowerCase() || name === idOrName,
  );
  if (credential === undefined) throw notFound(idOrName);
  return credential;
}

/** Federated identity credentials of applications. */
export const federatedCredentialEndpoints: GraphEndpoint[] = [
  {
    operation: 'CreateFederatedIdentityCredential',
    method: 'POST',
    path: PATH,
    handle(context, call) {
      const application = findApplication(context, call);
      const { description = null, ...body } = readBody(createBody, call.body, TYPE);
      const credential = { id: randomUUID(), ...body, description, writtenAt: context.clock.now() };
      save(context, application, credential);
      return entityReply(call, CREDENTIAL, present(credential), 201);
    },
  },
  {
    operation: 'ListFederatedIdentityCredentials',
    method: 'GET',
    path: PATH,
    query: ['$select', '$filter', '$top', '$skiptoken'],
    handle: (context, call) =>
      list(call, CREDENTIAL, findApplication(context, call).federatedCredentials.map(present)),
  },
  {
    operation: 'GetFederatedIdentityCredential',
    method: 'GET',
    path: `${PATH}/{credential}`,
    query: ONE,
    handle: (context, call) =>
      entityReply(call, CREDENTIAL, present(find(findApplication(context, call), call))),
  },
  {
    operation: 'UpdateFederatedIdentityCredential',
    method: 'PATCH',
    path: `${PATH}/{credential}`,
    handle(context, call) {
      const application = findApplication(context, call);
      const current = find(application, call);
      const body = readBody(patchBody, call.body, TYPE);
      const {
        issuer = current.issuer,
        subject = current.subject,
        audiences = current.audiences,
        description = current.description,
      } = body;
      // Terraform's provider azuread sends both unchanged.
      for (const name of ['id', 'name'] as const) {
        if (body[name] !== undefined && body[name] !== current[name]) {
          throw invalid(
            `The ${name} of the federated identity credential '${current.name}' cannot be changed.`,
          );
        }
      }
      save(context, application, {
        ...current,
        issuer,
        subject,
        audiences,
        description,
        writtenAt: context.clock.now(),
      });
      return { status: 204 };
    },
  },
  {
    operation: 'DeleteFederatedIdentityCredential',
    method: 'DELETE',
    path: `${PATH}/{credential}`,
    handle(context, call) {
      const application = findApplication(context, call);
      const { id } = find(application, call);
      context.store.applications.set(application.objectId, {
        ...application,
        federatedCredentials: application.federatedCredentials.filter((other) => other.id !== id),
      });
      return { status: 204 };
    },
  },
];
