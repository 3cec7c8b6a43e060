import * as z from 'zod';
import { containsUnknown, reveal, type CheckFailure, type Properties } from '../protocol';
import { oneAtATime } from '../resources/oneAtATime';
import { textAt } from '../resources/propertyPath';
import type { DeclaredFields, ResourceOperations } from '../resources/provider';
import { untilVisible } from './graph/visible';
import { checkApplicationId, credentialId, entityId, objectIdIn, parseCredentialId } from './ids';
import { graphOperations } from './resource';
import type { Rules } from './rules';
import type { Session } from './session';

const kind = 'federatedIdentityCredential';
const longestName = 120;

const rules: Rules = {
  supported: ['applicationId', 'audiences', 'description', 'displayName', 'issuer', 'subject'],
  updatable: ['audiences', 'description', 'issuer', 'subject'],
  chosen: [],
  defaults: {},
  sets: [],
};

const viewSchema = z.object({
  id: z.string(),
  name: z.string(),
  issuer: z.string(),
  subject: z.string(),
  audiences: z.array(z.string()),
  description: z.string().nullish(),
});

/**
 * Returns the operations on a federated credential: an application's trust in another issuer. Rules:
 * internal/services/applications/application_federated_identity_credential_resource.go of
 * hashicorp/terraform-provider-azuread.
 */
export function federatedCredential(fields: DeclaredFields, session: () => Session): ResourceOperations {
  return graphOperations('federated identity credential', fields, {
    rules,
    secrets: [],
    check,

    async create(inputs, signal) {
      const applicationId = textAt(inputs, 'applicationId');
      return oneAtATime(applicationId, async () => {
        const { graph } = session();
        await graph.get(applicationId, signal);
        const path = `${applicationId}/federatedIdentityCredentials`;
        const { id } = viewSchema.parse(await graph.post(path, bodyOf(inputs), signal));
        const own = credentialId(objectIdIn('applications', applicationId), kind, id);
        const settle = async (): Promise<void> => {
          await untilVisible(() => graph.find(pathOf(own), signal), signal);
        };
        return { id: own, settle };
      });
    },

    async read(id, _state, signal) {
      const { objectId, keyId } = parseCredentialId(kind, id);
      const credential = await session().graph.find(pathOf(id), signal);
      if (credential === undefined) return undefined;
      const { name, issuer, subject, audiences, description } = viewSchema.parse(credential);
      return {
        applicationId: entityId('applications', objectId),
        audiences,
        credentialId: keyId,
        description: description ?? '',
        displayName: name,
        issuer,
        subject,
      };
    },

    async update(id, inputs, _state, signal) {
      const { objectId, keyId } = parseCredentialId(kind, id);
      await oneAtATime(entityId('applications', objectId), () =>
        session().graph.patch(pathOf(id), { id: keyId, ...bodyOf(inputs) }, signal),
      );
    },

    async delete(id, _state, signal) {
      const { objectId } = parseCredentialId(kind, id);
      await oneAtATime(entityId('applications', objectId), () =>
        session().graph.deleteUntilGone(pathOf(id), signal),
      );
    },
  });
}

function pathOf(id: string): string {
  const { objectId, keyId } = parseCredentialId(kind, id);
  return `${entityId('applications', objectId)}/federatedIdentityCredentials/${keyId}`;
}

function bodyOf(inputs: Properties): Properties {
  const { audiences = [], description = '', displayName = '', issuer = '', subject = '' } = inputs;
  return { audiences, description, issuer, name: displayName, subject };
}

function check(inputs: Properties): CheckFailure[] {
  const failures = checkApplicationId(inputs);
  const name = inputs['displayName'] === undefined ? undefined : reveal(inputs['displayName']);
  if (typeof name === 'string' && (name === '' || name.length > longestName)) {
    const reason = `displayName has ${name.length} characters: allowed are 1 to ${longestName}`;
    failures.push({ property: 'displayName', reason });
  }
  const { audiences = [] } = inputs;
  const list = containsUnknown(audiences) ? undefined : reveal(audiences);
  if (Array.isArray(list) && (list.length !== 1 || list[0] === '')) {
    failures.push({ property: 'audiences', reason: 'audiences must have exactly one element' });
  }
  return failures;
}
