import { createHash, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { isUnknown, revealAll, Secret, Unsupported, type CheckFailure, type Properties } from '../protocol';
import { changesBetween, topLevel } from '../resources/compare';
import { withDefaults } from '../resources/defaults';
import { previewOutputs } from '../resources/preview';
import { textAt } from '../resources/propertyPath';
import type { DeclaredFields, ResourceOperations } from '../resources/provider';

/** The official provider's defaults. They are outputs even if the algorithm does not use them. */
const defaults = { rsaBits: 2048, ecdsaCurve: 'P224' } as const;
const algorithms = ['RSA', 'ECDSA'] as const;
const rsaBits = { least: 2048, most: 4096 };

/** OpenSSL's names of curves, by the provider's. P224, the default, is not in Web Cryptography. */
const curves: Readonly<Record<string, string>> = {
  P256: 'prime256v1',
  P384: 'secp384r1',
  P521: 'secp521r1',
};

/**
 * Returns the operations on a private key. Outputs in OpenSSH format are empty, as the official provider's are for a P224
 * key. Rules: internal/provider/resource_private_key.go of hashicorp/terraform-provider-tls.
 */
export function privateKey(fields: DeclaredFields): ResourceOperations {
  return {
    check,

    diff(_oldState, oldInputs, news) {
      const detailed = changesBetween(
        withDefaults(defaults, oldInputs),
        withDefaults(defaults, news),
        new Set(Object.keys(fields.inputs)),
      );
      const changed = topLevel(Object.keys(detailed));
      return { changes: changed.length > 0, replaces: changed, diffs: changed, detailed };
    },

    async create(inputs, options) {
      const complete = withDefaults(defaults, inputs);
      if (options.preview) return { id: '', state: previewOutputs(fields.outputs, complete) };
      const key = await generate(revealAll(complete));
      return { id: idOf(key.publicKey), state: { ...complete, ...outputsOf(key) } };
    },

    read(id, state, inputs) {
      if (Object.keys(state).length === 0) throw notImportable('tls:PrivateKey');
      return Promise.resolve({ id, state, inputs });
    },

    update() {
      throw new Error('tls:PrivateKey has no update: every change replaces the key');
    },

    delete: () => Promise.resolve(),
  };
}

/** Returns the error for an import. As in the official provider, only the state has these resources. */
export function notImportable(type: string): Unsupported {
  return new Unsupported(
    `${type} cannot be imported or read, because only a stack's state has it: create a new one`,
  );
}

function check(inputs: Properties): CheckFailure[] {
  const { algorithm = '', rsaBits: bits, ecdsaCurve } = withDefaults(defaults, revealAll(inputs));
  if (isUnknown(algorithm)) return [];
  if (algorithm === 'RSA' && typeof bits === 'number') return checkBits(bits);
  if (algorithm === 'ECDSA' && typeof ecdsaCurve === 'string') return checkCurve(ecdsaCurve);
  if (algorithms.some((known) => known === algorithm)) return [];
  return [
    {
      property: 'algorithm',
      reason: `'${textAt(inputs, 'algorithm')}' is not an algorithm of the local cloud's tls plugin: allowed are ${algorithms.join(', ')}`,
    },
  ];
}

function checkBits(bits: number): CheckFailure[] {
  if (Number.isInteger(bits) && bits >= rsaBits.least && bits <= rsaBits.most) return [];
  const reason = `rsaBits is ${bits}: allowed are ${rsaBits.least} to ${rsaBits.most} in the local cloud`;
  return [{ property: 'rsaBits', reason }];
}

function checkCurve(curve: string): CheckFailure[] {
  if (curve in curves) return [];
  const reason = `'${curve}' is not a curve of the local cloud's tls plugin: set ecdsaCurve to ${Object.keys(curves).join(', ')} (the default is ${defaults.ecdsaCurve})`;
  return [{ property: 'ecdsaCurve', reason }];
}

interface KeyPair {
  publicKey: KeyObject;
  privateKey: KeyObject;
}

function generate(inputs: Properties): Promise<KeyPair> {
  const { rsaBits: bits } = inputs;
  const make = promisify(generateKeyPair);
  return textAt(inputs, 'algorithm') === 'RSA'
    ? make('rsa', { modulusLength: Number(bits) })
    : make('ec', { namedCurve: curves[textAt(inputs, 'ecdsaCurve')] ?? '' });
}

/** Returns the SHA-1 checksum of the public key, which is the official provider's id. */
function idOf(key: KeyObject): string {
  return createHash('sha1')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('hex');
}

function outputsOf({ publicKey, privateKey: key }: KeyPair): Properties {
  const pem =
    key.asymmetricKeyType === 'rsa'
      ? key.export({ type: 'pkcs1', format: 'pem' })
      : key.export({ type: 'sec1', format: 'pem' });
  return {
    privateKeyPem: new Secret(pem.toString()),
    privateKeyPemPkcs8: new Secret(key.export({ type: 'pkcs8', format: 'pem' }).toString()),
    privateKeyOpenssh: new Secret(''),
    publicKeyPem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    publicKeyOpenssh: '',
    publicKeyFingerprintMd5: '',
    publicKeyFingerprintSha256: '',
  };
}
