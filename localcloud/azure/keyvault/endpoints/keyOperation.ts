import { constants, createPublicKey, privateDecrypt, publicEncrypt } from 'node:crypto';
import type { CloudReply } from '../../server/exchange';
import { authorise } from '../authorize';
import { keyOperationBody, readBody } from '../body';
import type { VaultCall, VaultContext } from '../context';
import { badParameter, VaultError } from '../errors';
import { keyId } from '../present';
import { requiredKey } from './keys';

type Operation = 'encrypt' | 'decrypt' | 'wrapKey' | 'unwrapKey';

const HASHES = { 'RSA-OAEP': 'sha1', 'RSA-OAEP-256': 'sha256' };

/** `POST /keys/{name}[/{version}]/{operation}`, with the latest version if the path has none. */
export const keyOperation =
  (operation: Operation) =>
  (context: VaultContext, call: VaultCall): CloudReply => {
    const [, name = '', ...rest] = call.segments;
    authorise(context, call, operation, name);
    const { alg, value } = readBody(keyOperationBody, call.body);
    const { key, version } = requiredKey(context, call, rest.length > 1 ? rest[0] : undefined);
    if (!version.enabled)
      throw refused(`Operation ${operation} is not allowed on a disabled key.`, 'KeyDisabled');
    if (!version.operations.includes(operation))
      throw refused(`Operation ${operation} is not permitted on this key.`, 'KeyOperationForbidden');
    const data = Buffer.from(value, 'base64url');
    const privateKey = context.keys.privateKey(version);
    const options = { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: HASHES[alg] };
    const isOpening = operation === 'decrypt' || operation === 'unwrapKey';
    let result: Buffer;
    try {
      result = isOpening
        ? privateDecrypt({ key: privateKey, ...options }, data)
        : publicEncrypt({ key: createPublicKey(privateKey), ...options }, data);
    } catch {
      throw badParameter(`The key cannot ${operation} this value with ${alg}.`);
    }
    return {
      status: 200,
      body: { kid: keyId(call.vault, key, version), value: result.toString('base64url') },
    };
  };

const refused = (message: string, inner: string): VaultError =>
  new VaultError(403, 'Forbidden', message, inner);
