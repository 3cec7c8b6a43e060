import * as z from 'zod';
import { DeletedSecretInTheWay, SecretStore, secretValue } from '../../store/secretStore';
import type { NewVersion } from '../../store/secretStore';
import type { ResourceDocument, SecretDocument, SecretVersionDocument } from '../../store/documents';
import { body, readBody, tags, withReadOnly } from '../body';
import type { ArmContext } from '../context';
import type { ArmCall, ArmEndpoint } from '../endpoint';
import { ArmError, badRequest } from '../errors';
import { ChildResource } from './childResource';
import { checkName } from './nameRules';
import { vaults } from './vaults';

const vaultSecrets = new ChildResource(vaults, 'secrets', 'secretName');

const attributes = withReadOnly(
  { enabled: z.boolean().optional(), nbf: z.int().optional(), exp: z.int().optional() },
  ['created', 'updated'],
).optional();
const READ_ONLY = ['secretUri', 'secretUriWithVersion'];
const createBody = body({
  location: z.unknown().optional(),
  tags,
  properties: withReadOnly(
    { value: secretValue.optional(), contentType: z.string().optional(), attributes },
    READ_ONLY,
  ),
});
const patchBody = body({
  location: z.unknown().optional(),
  tags,
  properties: withReadOnly(
    { value: secretValue.optional(), contentType: z.string().optional(), attributes },
    READ_ONLY,
  ).optional(),
});

/** A secret as the control plane returns it, without its value. */
function present(
  vault: ResourceDocument,
  secret: SecretDocument,
  version: SecretVersionDocument,
): Record<string, unknown> {
  const uri = `${String(vault.properties['vaultUri'])}secrets/${secret.name}`;
  const { enabled, nbf, exp, created, updated, contentType } = version;
  return {
    id: `${vault.id}/secrets/${secret.name}`,
    name: secret.name,
    type: vaultSecrets.type,
    location: vault.location,
    tags: version.tags ?? {},
    properties: {
      attributes: { enabled, nbf, exp, created, updated },
      contentType,
      secretUri: uri,
      secretUriWithVersion: `${uri}/${version.version}`,
    },
  };
}

/**
 * Secrets through the resource manager: they can be written and listed, but values cannot be read. Only the
 * data plane deletes them.
 */
export function vaultSecretEndpoints(context: ArmContext): ArmEndpoint[] {
  const secrets = new SecretStore(context.store, context.clock);
  const vaultOf = (call: ArmCall): ResourceDocument => vaultSecrets.parentOf(context, call);
  const nameOf = (call: ArmCall): string => vaultSecrets.nameIn(call);

  const required = (
    call: ArmCall,
    vault: ResourceDocument,
  ): { secret: SecretDocument; version: SecretVersionDocument } => {
    const secret = secrets.get(vault, nameOf(call));
    const version = secret === undefined ? undefined : secrets.version(secret);
    if (secret === undefined || version === undefined) throw vaultSecrets.missing(call, vault);
    return { secret, version };
  };

  const set = (call: ArmCall, vault: ResourceDocument, requested: NewVersion): Record<string, unknown> => {
    try {
      const version = secrets.set(vault, nameOf(call), requested);
      return present(vault, required(call, vault).secret, version);
    } catch (error) {
      if (!(error instanceof DeletedSecretInTheWay)) throw error;
      throw new ArmError(
        409,
        'Conflict',
        `Secret ${nameOf(call)} is currently in a deleted but recoverable state, and its name cannot be reused; in this state, the secret can only be recovered or purged.`,
      );
    }
  };

  return [
    vaultSecrets.endpoint('PUT', 'Secrets_CreateOrUpdate', (call) => {
      const vault = vaultOf(call);
      checkName(vaultSecrets.type, nameOf(call));
      const body = readBody(createBody, call.body, vaultSecrets.type);
      if (body.properties.value === undefined) {
        throw badRequest('The value of a secret is needed.', 'properties.value');
      }
      const existed = secrets.get(vault, nameOf(call)) !== undefined;
      const answer = set(call, vault, {
        value: body.properties.value,
        contentType: body.properties.contentType,
        tags: body.tags,
        attributes: body.properties.attributes,
      });
      return { status: existed ? 200 : 201, body: answer };
    }),
    vaultSecrets.endpoint('PATCH', 'Secrets_Update', (call) => {
      const vault = vaultOf(call);
      const { secret, version } = required(call, vault);
      const body = readBody(patchBody, call.body, vaultSecrets.type);
      const change = {
        contentType: body.properties?.contentType ?? version.contentType,
        tags: body.tags ?? version.tags,
        attributes: body.properties?.attributes,
      };
      const value = body.properties?.value;
      if (value !== undefined) return { status: 200, body: set(call, vault, { ...change, value }) };
      return { status: 200, body: present(vault, secret, secrets.update(secret, version, change)) };
    }),
    vaultSecrets.endpoint('GET', 'Secrets_Get', (call) => {
      const vault = vaultOf(call);
      const { secret, version } = required(call, vault);
      return { status: 200, body: present(vault, secret, version) };
    }),
    vaultSecrets.listEndpoint(
      'Secrets_List',
      (call) => {
        const vault = vaultOf(call);
        return secrets.list(vault, 'live').flatMap((secret) => {
          const version = secrets.version(secret);
          return version === undefined ? [] : [present(vault, secret, version)];
        });
      },
      ['$top'],
    ),
  ];
}
