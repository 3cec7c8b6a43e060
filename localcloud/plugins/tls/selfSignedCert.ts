import { containsUnknown, reveal, revealAll, Secret, type CheckFailure, type Properties } from '../protocol';
import { changesBetween, topLevel } from '../resources/compare';
import { withDefaults } from '../resources/defaults';
import { markMembers } from '../resources/drift';
import { previewOutputs } from '../resources/preview';
import type { DeclaredFields, ResourceOperations } from '../resources/provider';
import { isAddress, issue, readPrivateKey, requestSchema } from './certificate';
import { keyUseNames } from './keyUses';
import { notImportable } from './privateKey';
import { alwaysReady, readyForRenewal } from './renewal';
import { reason } from '../../logger';

const defaults = {
  earlyRenewalHours: 0,
  isCaCertificate: false,
  setSubjectKeyId: false,
  setAuthorityKeyId: false,
} as const;

/** The least allowed value of integer inputs. */
const least = { validityPeriodHours: 0, earlyRenewalHours: 0, maxPathLength: -1 } as const;
/** The input whose change is only written to the state. Every other change needs another certificate. */
const updatable = 'earlyRenewalHours';

/**
 * Returns the operations on a self-signed certificate. Rules: internal/provider/resource_self_signed_cert.go of
 * hashicorp/terraform-provider-tls.
 *
 * @param now returns the time for issuing a certificate and for deciding on its renewal
 */
export function selfSignedCert(fields: DeclaredFields, now: () => Date): ResourceOperations {
  return {
    check,

    diff(oldState, oldInputs, news) {
      const detailed = changesBetween(
        withDefaults(defaults, oldInputs),
        withDefaults(defaults, news),
        new Set(Object.keys(fields.inputs).filter((name) => name !== updatable)),
      );
      const renewed = readyForRenewal({ ...oldState, [updatable]: news[updatable] ?? 0 }, now());
      if (renewed) detailed['readyForRenewal'] = 'update-replace';
      const paths = Object.keys(detailed);
      return {
        changes: paths.length > 0,
        replaces: topLevel(paths.filter((path) => detailed[path]?.endsWith('-replace'))),
        diffs: topLevel(paths),
        detailed,
      };
    },

    async create(inputs, options) {
      const complete = withDefaults(defaults, inputs);
      if (options.preview) return { id: '', state: previewOutputs(fields.outputs, complete) };
      const request = requestSchema.parse(revealAll(complete));
      const issued = await issue(request, now());
      const state: Properties = {
        ...complete,
        privateKeyPem: new Secret(request.privateKeyPem),
        keyAlgorithm: readPrivateKey(request.privateKeyPem).algorithm,
        certPem: issued.pem,
        validityStartTime: issued.validFrom.toISOString(),
        validityEndTime: issued.validTo.toISOString(),
        readyForRenewal: alwaysReady(complete),
      };
      return { id: issued.serialNumber, state: markMembers(state, inputs) };
    },

    read(id, state, inputs) {
      if (Object.keys(state).length === 0) throw notImportable('tls:SelfSignedCert');
      const ready = readyForRenewal(state, now());
      return Promise.resolve({ id, state: ready ? { ...state, readyForRenewal: true } : state, inputs });
    },

    update(_id, oldState, news) {
      const { [updatable]: window } = withDefaults(defaults, news);
      return Promise.resolve({
        state: { ...oldState, ...(window === undefined ? {} : { [updatable]: window }) },
      });
    },

    delete: () => Promise.resolve(),
  };
}

function check(inputs: Properties): CheckFailure[] {
  const failures: CheckFailure[] = [];
  const fail = (property: string, reason: string): void => void failures.push({ property, reason });
  const known = (name: string): unknown => {
    const value = inputs[name];
    return value === undefined || containsUnknown(value) ? undefined : reveal(value);
  };

  for (const name of ['privateKeyPemWo', 'privateKeyPemWoVersion']) {
    if (name in inputs) {
      fail(name, `'${name}' is not supported by the local cloud's tls plugin: set privateKeyPem`);
    }
  }
  const key = known('privateKeyPem');
  if (inputs['privateKeyPem'] === undefined) {
    fail('privateKeyPem', "missing required property 'privateKeyPem'");
  } else if (typeof key === 'string') {
    const problem = keyProblem(key);
    if (problem) fail('privateKeyPem', `'privateKeyPem' is not a usable private key: ${problem}`);
  }
  for (const [name, minimum] of Object.entries(least)) {
    const value = known(name);
    if (typeof value === 'number' && !(Number.isInteger(value) && value >= minimum)) {
      fail(name, `${name} is ${value}: it must be an integer of at least ${minimum}`);
    }
  }
  for (const use of texts(known('allowedUses'))) {
    if (!keyUseNames.includes(use)) {
      fail('allowedUses', `'${use}' is not a key use: allowed are ${keyUseNames.join(', ')}`);
    }
  }
  for (const address of texts(known('ipAddresses'))) {
    if (!isAddress(address)) fail('ipAddresses', `'${address}' is not an IP address`);
  }
  const isCa = known('isCaCertificate') === true;
  const subject = inputs['subject'];
  if (isCa && (subject === undefined || Object.keys(known('subject') ?? { unknown: true }).length === 0)) {
    fail('subject', 'a CA certificate needs a subject with at least one name');
  }
  if (known('setAuthorityKeyId') === true && !isCa && inputs['setSubjectKeyId'] === undefined) {
    fail('setAuthorityKeyId', "setAuthorityKeyId needs the subject's key id: set setSubjectKeyId to true");
  }
  return failures;
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** Returns the error for an invalid key. It never contains the key, which is a secret. */
function keyProblem(pem: string): string | undefined {
  try {
    readPrivateKey(pem);
    return undefined;
  } catch (error) {
    return reason(error);
  }
}
