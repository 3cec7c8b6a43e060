import * as z from 'zod';
import type { CheckFailure, Properties } from '../protocol';
import { oneAtATime } from '../resources/oneAtATime';
import type { DeclaredFields, ResourceOperations } from '../resources/provider';
import { credentialIn, credentialLists, type Credential } from './credentials';
import { checkDates, wholeSeconds } from './dates';
import { isNotFound } from './graph/failure';
import { untilGone, untilVisible } from './graph/visible';
import { checkApplicationId, credentialId, entityId, objectIdIn, parseCredentialId } from './ids';
import { graphOperations, type Created } from './resource';
import type { Rules } from './rules';
import type { Session } from './session';

const kind = 'password';

const rules: Rules = {
  supported: ['applicationId', 'displayName', 'endDate', 'rotateWhenChanged', 'startDate'],
  updatable: [],
  chosen: ['displayName', 'endDate', 'startDate'],
  defaults: {},
  sets: [],
};

const inputsSchema = z.object({
  applicationId: z.string(),
  displayName: z.string().optional(),
  endDate: z.string().optional(),
  startDate: z.string().optional(),
});
const addedSchema = z.object({ keyId: z.string(), secretText: z.string() });

/**
 * Returns the operations on a client secret of an application. Entra generates the secret. Rules:
 * internal/services/applications/application_password_resource.go of hashicorp/terraform-provider-azuread.
 */
export function password(fields: DeclaredFields, session: () => Session): ResourceOperations {
  async function find(id: string, signal: AbortSignal): Promise<Credential | undefined> {
    const { objectId, keyId } = parseCredentialId(kind, id);
    const application = await session().graph.get(entityId('applications', objectId), signal);
    return credentialIn(credentialLists(application).passwordCredentials, keyId);
  }

  return graphOperations('password', fields, {
    rules,
    secrets: ['value'],
    check,

    async create(inputs, signal) {
      const { applicationId, displayName, startDate, endDate } = inputsSchema.parse(inputs);
      const passwordCredential: Properties = {
        ...(displayName === undefined ? {} : { displayName }),
        ...(startDate === undefined ? {} : { startDateTime: wholeSeconds(startDate) }),
        ...(endDate === undefined ? {} : { endDateTime: wholeSeconds(endDate) }),
      };
      return oneAtATime(applicationId, async (): Promise<Created> => {
        const added = await session().graph.post(
          `${applicationId}/addPassword`,
          { passwordCredential },
          signal,
        );
        const { keyId, secretText } = addedSchema.parse(added);
        const id = credentialId(objectIdIn('applications', applicationId), kind, keyId);
        const settle = async (): Promise<void> => {
          await untilVisible(() => find(id, signal), signal);
        };
        return { id, outputs: { keyId, value: secretText }, settle };
      });
    },

    async read(id, _state, signal) {
      const { objectId, keyId } = parseCredentialId(kind, id);
      const credential = await find(id, signal).catch((error: unknown) => {
        if (isNotFound(error)) return undefined;
        throw error;
      });
      if (credential === undefined) return undefined;
      const { displayName, customKeyIdentifier, startDateTime, endDateTime } = credential;
      // Older passwords have their name in this member.
      const older = Buffer.from(customKeyIdentifier ?? '', 'base64').toString('utf8');
      return {
        applicationId: entityId('applications', objectId),
        displayName: displayName ?? older,
        keyId,
        startDate: startDateTime ?? '',
        endDate: endDateTime ?? '',
      };
    },

    async delete(id, _state, signal) {
      const { objectId, keyId } = parseCredentialId(kind, id);
      const applicationId = entityId('applications', objectId);
      await oneAtATime(applicationId, async () => {
        await session().graph.post(`${applicationId}/removePassword`, { keyId }, signal);
        await untilGone(() => find(id, signal), signal);
      });
    },
  });
}

function check(inputs: Properties): CheckFailure[] {
  return [...checkApplicationId(inputs), ...checkDates(inputs)];
}
