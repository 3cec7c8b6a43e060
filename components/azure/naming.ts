import { digestOf } from '../resource/digest';

/** The rule for names of one type of resource. */
export interface NameRule {
  /** The smallest and the greatest number of characters. */
  readonly length: readonly [number, number];
  readonly pattern: RegExp;
  /** The rule in words, for messages. In the table below, it does not include the number of characters. */
  readonly allowed: string;
}

const dnsLabel = {
  length: [1, 63],
  pattern: /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/,
  allowed: 'lower-case letters, digits and hyphens, starting and ending with a letter or digit',
} satisfies NameRule;

const networkName = (...length: [number, number]): NameRule => ({
  length,
  pattern: /^[A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9_])?$/,
  allowed: 'letters, digits and _ . -, starting with a letter or digit and ending with one or with _',
});

/**
 * Rules for all names that the components create or accept. Azure's are in "Naming rules and restrictions for Azure
 * resources" (MicrosoftDocs azure-resource-manager/management/resource-name-rules), those of federated credentials in
 * Azure/azure-rest-api-specs ManagedIdentity.json, and those of Kubernetes in RFC 1123.
 */
const rules = {
  resourceGroup: {
    length: [1, 90],
    // Letters of any script (azure-docs articles/azure-resource-manager/management/resource-name-rules.md).
    pattern: /^[\p{L}\p{N}_().-]*[\p{L}\p{N}_()-]$/u,
    allowed: 'letters, digits and _ ( ) . -, not ending with a period',
  },
  userAssignedIdentity: {
    length: [3, 128],
    pattern: /^[A-Za-z0-9][A-Za-z0-9_-]*$/,
    allowed: 'letters, digits, hyphens and underscores, starting with a letter or digit',
  },
  /** An identity of an identity binding (azure-rest-api-specs IdentityBinding.tsp). */
  boundIdentity: {
    length: [3, 128],
    pattern: /^[A-Za-z0-9-]+$/,
    allowed: 'letters, digits and hyphens',
  },
  /** The resource group of an identity of an identity binding (there, too). */
  groupOfBoundIdentity: {
    length: [1, 90],
    pattern: /^[A-Za-z0-9-]+$/,
    allowed: 'letters, digits and hyphens',
  },
  federatedIdentityCredential: {
    length: [3, 120],
    pattern: /^[A-Za-z0-9][A-Za-z0-9_-]*$/,
    allowed: 'letters, digits, hyphens and underscores, starting with a letter or digit',
  },
  identityBinding: {
    length: [1, 63],
    pattern: /^[a-z][a-z0-9]*$/,
    allowed: 'lower-case letters and digits, starting with a letter',
  },
  keyVault: {
    length: [3, 24],
    pattern: /^[A-Za-z](?!.*--)[A-Za-z0-9-]*[A-Za-z0-9]$/,
    allowed:
      'letters, digits and single hyphens, starting with a letter and ending with a letter or digit, unique in all of Azure',
  },
  keyVaultSecret: {
    length: [1, 127],
    pattern: /^[A-Za-z0-9-]+$/,
    allowed: 'letters, digits and hyphens',
  },
  managedCluster: {
    length: [1, 63],
    pattern: /^[A-Za-z0-9]([A-Za-z0-9_-]*[A-Za-z0-9])?$/,
    allowed: 'letters, digits, hyphens and underscores, starting and ending with a letter or digit',
  },
  logWorkspace: {
    length: [4, 63],
    pattern: /^[A-Za-z0-9][A-Za-z0-9-]*[A-Za-z0-9]$/,
    allowed: 'letters, digits and hyphens, starting and ending with a letter or digit',
  },
  privateEndpoint: networkName(2, 64),
  virtualNetwork: networkName(2, 64),
  subnet: networkName(1, 80),
  networkSecurityGroup: networkName(1, 80),
  dnsZone: {
    length: [1, 63],
    pattern: /^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)+$/,
    allowed: 'letters, digits, hyphens, underscores and periods, as a DNS name',
  },
  namespace: dnsLabel,
  // A DNS subdomain.
  serviceAccount: {
    length: [1, 253],
    pattern: /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/,
    allowed: 'lower-case letters, digits, hyphens and periods, as a DNS name',
  },
  application: dnsLabel,
  helmRelease: {
    ...dnsLabel,
    length: [1, 53],
    allowed: `${dnsLabel.allowed}, because a Helm release has this name`,
  },
  // Names of variables begin with it, so it must not begin with a digit.
  dependency: {
    length: [1, 40],
    pattern: /^[a-z]([a-z0-9-]*[a-z0-9])?$/,
    allowed:
      'lower-case letters, digits and hyphens, starting with a letter and ending with a letter or digit',
  },
  storageAccount: {
    length: [3, 24],
    pattern: /^[a-z0-9]+$/,
    allowed: 'lower-case letters and digits, unique in all of Azure',
  },
  postgresql: {
    length: [3, 63],
    // Azure Service Operator refuses two hyphens in a row.
    pattern: /^[a-z0-9]+(-[a-z0-9]+)*$/,
    allowed:
      'lower-case letters, digits and single hyphens, starting and ending with a letter or digit, unique in all of Azure',
  },
  postgresqlDatabase: {
    length: [1, 63],
    pattern: /^[A-Za-z_][A-Za-z0-9_-]*$/,
    allowed: 'letters, digits, hyphens and underscores, starting with a letter or an underscore',
  },
  redis: {
    length: [1, 63],
    pattern: /^[A-Za-z0-9]+(-[A-Za-z0-9]+)*$/,
    allowed:
      'letters, digits and single hyphens, starting and ending with a letter or digit, unique in all of Azure',
  },
  serviceBus: {
    length: [6, 50],
    pattern: /^[A-Za-z](?!.*(-sb|-mgmt)$)[A-Za-z0-9-]*[A-Za-z0-9]$/,
    allowed:
      'letters, digits and hyphens, starting with a letter, ending with a letter or digit and not with -sb or -mgmt, unique in all of Azure',
  },
  serviceBusQueue: {
    length: [1, 260],
    pattern: /^[A-Za-z0-9]([A-Za-z0-9._/-]*[A-Za-z0-9])?$/,
    allowed: 'letters, digits and . _ - /, starting and ending with a letter or digit',
  },
} satisfies Record<string, NameRule>;

/** A type of name that has a rule. */
export type NamedType = keyof typeof rules;

/** Returns the rule for names of `type`. */
export function nameRule(type: NamedType): NameRule {
  const rule: NameRule = rules[type];
  const [minLength, maxLength] = rule.length;
  return { ...rule, allowed: `${minLength} to ${maxLength} ${rule.allowed}` };
}

/** Tells whether `name` is valid for a `type`. */
export function isValidName(type: NamedType, name: string): boolean {
  const { length, pattern } = nameRule(type);
  const [minLength, maxLength] = length;
  return name.length >= minLength && name.length <= maxLength && pattern.test(name);
}

/** Length of the digest at the end of a shortened name: 40 bits, enough for the names under one parent. */
const digestLength = 10;

/**
 * Returns `name` if it is short enough for `type`, otherwise its beginning and a digest of the whole. The result is
 * deterministic, readable, and different for different names. Use it only for names that no person types.
 */
export function fitName(type: NamedType, name: string): string {
  const [, maxLength] = nameRule(type).length;
  if (name.length <= maxLength) return name;
  return `${name.slice(0, maxLength - digestLength - 1)}-${digestOf(name, digestLength)}`;
}
