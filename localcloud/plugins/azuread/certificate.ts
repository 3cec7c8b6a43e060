import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { containsUnknown, reveal, type CheckFailure, type Properties } from '../protocol';
import { oneAtATime } from '../resources/oneAtATime';
import type { DeclaredFields, ResourceOperations } from '../resources/provider';
import { certificateKey, encodings } from './certificateKey';
import { credentialIn, credentialLists, hasKeyId, type Credential } from './credentials';
import { checkDates, goDuration, wholeSeconds } from './dates';
import { untilGone, untilVisible } from './graph/visible';
import { checkApplicationId, credentialId, entityId, isGuid, objectIdIn, parseCredentialId } from './ids';
import { graphOperations } from './resource';
import type { Rules } from './rules';
import type { Session } from './session';

const kind = 'certificate';
const keyTypes = ['AsymmetricX509Cert', 'Symmetric'];

const rules: Rules = {
  supported: [
    'applicationId',
    'encoding',
    'endDate',
    'endDateRelative',
    'keyId',
    'startDate',
    'type',
    'value',
  ],
  updatable: [],
  chosen: ['endDate', 'keyId', 'startDate'],
  defaults: { encoding: 'pem' },
  sets: [],
};

const inputsSchema = z.object({
  applicationId: z.string(),
  encoding: z.enum(encodings),
  endDate: z.string().optional(),
  endDateRelative: z.string().optional(),
  keyId: z.string().optional(),
  startDate: z.string().optional(),
  type: z.string().default(''),
  value: z.string(),
});

/**
 * Returns the operations on a certificate with which an application signs in. Graph has no request for a single
 * certificate: the whole list is written, so writes to one application are sent one after the other. Rules:
 * internal/services/applications/application_certificate_resource.go of hashicorp/terraform-provider-azuread.
 */
export function certificate(fields: DeclaredFields, session: () => Session): ResourceOperations {
  async function find(
    applicationId: string,
    keyId: string,
    signal: AbortSignal,
  ): Promise<Credential | undefined> {
    const application = await session().graph.get(applicationId, signal);
    return credentialIn(credentialLists(application).keyCredentials, keyId);
  }

  return graphOperations('certificate', fields, {
    rules,
    secrets: ['value'],
    check,

    async create(inputs, signal) {
      const settings = inputsSchema.parse(inputs);
      const { applicationId, keyId = randomUUID() } = settings;
      const id = credentialId(objectIdIn('applications', applicationId), kind, keyId);
      const key = keyCredential(settings, keyId, new Date());
      await oneAtATime(applicationId, async () => {
        const { graph } = session();
        const { keyCredentials } = credentialLists(await graph.get(applicationId, signal));
        if (keyCredentials.some((other) => hasKeyId(other, keyId))) {
          throw new Error(
            `cannot create already existing resource '${id}': import it, or choose another keyId`,
          );
        }
        await graph.patch(applicationId, { keyCredentials: [...keyCredentials, key] }, signal);
        // Otherwise the next write would read the list without this key, and so remove it.
        await untilVisible(() => find(applicationId, keyId, signal), signal);
      });
      return { id };
    },

    async read(id, _state, signal) {
      const { objectId, keyId } = parseCredentialId(kind, id);
      const applicationId = entityId('applications', objectId);
      // As in the official provider, a refresh fails if the application itself is missing.
      const credential = await find(applicationId, keyId, signal);
      if (credential === undefined) return undefined;
      const { startDateTime, endDateTime, type } = credential;
      return {
        applicationId,
        keyId,
        startDate: startDateTime ?? '',
        endDate: endDateTime ?? '',
        type: type ?? '',
      };
    },

    async delete(id, _state, signal) {
      const { objectId, keyId } = parseCredentialId(kind, id);
      const applicationId = entityId('applications', objectId);
      await oneAtATime(applicationId, async () => {
        const { graph } = session();
        const { keyCredentials } = credentialLists(await graph.get(applicationId, signal));
        const left = keyCredentials.filter((other) => !hasKeyId(other, keyId));
        await graph.patch(applicationId, { keyCredentials: left }, signal);
        await untilGone(() => find(applicationId, keyId, signal), signal);
      });
    },
  });
}

function keyCredential(settings: z.infer<typeof inputsSchema>, keyId: string, now: Date): Properties {
  const { value, encoding, type, startDate, endDate, endDateRelative } = settings;
  const duration = endDateRelative === undefined ? undefined : goDuration(endDateRelative);
  const relative = duration === undefined ? undefined : new Date(now.getTime() + duration).toISOString();
  const end = endDate ?? relative;
  return {
    keyId,
    type,
    usage: 'Verify',
    key: certificateKey(value, encoding),
    ...(startDate === undefined ? {} : { startDateTime: wholeSeconds(startDate) }),
    ...(end === undefined ? {} : { endDateTime: wholeSeconds(end) }),
  };
}

function check(inputs: Properties): CheckFailure[] {
  const failures = [...checkApplicationId(inputs), ...checkDates(inputs)];
  const known = (name: string): string | undefined => {
    const value = inputs[name];
    const text = value === undefined || containsUnknown(value) ? undefined : reveal(value);
    return typeof text === 'string' ? text : undefined;
  };
  const oneOf = (property: string, allowed: readonly string[]): void => {
    const value = known(property);
    if (value === undefined || allowed.includes(value)) return;
    failures.push({
      property,
      reason: `'${value}' is not allowed: ${property} must be ${allowed.join(' or ')}`,
    });
  };
  oneOf('encoding', encodings);
  oneOf('type', keyTypes);
  const keyId = known('keyId');
  if (keyId !== undefined && !isGuid(keyId)) {
    failures.push({ property: 'keyId', reason: `'${keyId}' is not a UUID` });
  }
  const relative = known('endDateRelative');
  if (relative !== undefined && goDuration(relative) === undefined) {
    failures.push({ property: 'endDateRelative', reason: `'${relative}' is not a duration such as 240h` });
  }
  // The official provider reads the duration as the start date (credentials.go), and fails.
  for (const other of ['endDate', 'startDate']) {
    if (inputs['endDateRelative'] !== undefined && inputs[other] !== undefined) {
      const reason = `endDateRelative conflicts with ${other}: set only endDate`;
      failures.push({ property: 'endDateRelative', reason });
    }
  }
  return failures;
}
