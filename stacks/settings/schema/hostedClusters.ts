import * as z from 'zod';
import { dnsZoneType, securityGroupType } from '../../../components/azure/resourceId';
import { HostedClusterComponent } from '../../../components/hypershift/components';
import { releaseFileField, secretName } from './applications';
import { existingIdentityField } from './clusters';
import {
  boolean,
  choice,
  field,
  freeForm,
  guidField,
  issuerPattern,
  name,
  object,
  pattern,
  resourceGroupId,
  resourceId,
  subnetId,
  validity,
} from './fields';
import { vaultId } from './vaults';

const role = guidField(
  "Role of the component, possibly a custom one. Default: Azure's built-in role for it.",
).optional();

/** Returns the settings of all components, each with the fields in `shape`, which depend on how the hosted cluster signs in. */
const components = <T extends z.ZodRawShape>(shape: T) => {
  const settings = object('Settings of one component.', shape).optional();
  const names = Object.values(HostedClusterComponent);
  return object(
    'Components of the control plane that differ from the defaults.',
    Object.fromEntries(names.map((component) => [component, settings])) as Record<
      HostedClusterComponent,
      typeof settings
    >,
  ).default({});
};

const spec = (description: string) =>
  freeForm(description, 'an object, such as { release: …, pullSecret: …, services: … }');

/** The part of a hosted cluster that is promoted from one environment to the next. */
export const hostedClusterRelease = object('A release. Once an environment has it, it is never changed.', {
  spec: spec(
    'The `spec` of the HostedCluster, without fields that follow from the settings in the stack file.',
  ),
});

const fields = {
  managementCluster: name('application', 'The cluster in `clusters` that runs the control plane.'),
  namespace: object('Namespace of the HostedCluster on the management cluster.', {
    name: name('namespace', 'Name of the namespace.').default('clusters'),
    existing: boolean(
      "Whether the namespace exists: it is used and never deleted. With `secretProviderClasses: stack`, the control plane's namespace must also exist.",
    ).default(false),
  }).prefault({}),
  issuer: pattern(
    issuerPattern,
    "Issuer of the hosted cluster's tokens (`issuerURL`), exactly as in the tokens, including a trailing slash.",
    'an https:// URL without query or fragment, reachable by Entra',
  ),
  resourceGroup: resourceGroupId(
    "Resource group of the hosted cluster's own resources, such as its machines and disks. It must exist.",
  ),
  subnet: subnetId("Subnet of the hosted cluster's nodes. It must exist."),
  securityGroup: resourceId(
    securityGroupType,
    'networkSecurityGroup',
    "Network security group of the hosted cluster's nodes. It must exist.",
  ),
  dnsZone: resourceId(
    dnsZoneType,
    'dnsZone',
    'DNS zone of the base domain, in which the ingress operator writes records. Default: the operator gets no access to a zone.',
  ).optional(),
  kms: object('The key with which the API server encrypts its secrets. Default: none.', {
    vault: vaultId,
    key: pattern(/^[0-9A-Za-z-]{1,127}$/, 'Name of the key.', '1 to 127 letters, digits and hyphens'),
    version: pattern(/^[0-9a-f]{32}$/, 'Version of the key.', '32 hexadecimal digits'),
  }).optional(),
  spec: spec(
    'The `spec` of the HostedCluster, without fields that follow from these settings; the stack then creates the HostedCluster. Default: somebody else owns the HostedCluster, and the output `hostedClusters` has a merge patch for it.',
  ).optional(),
  release: releaseFileField(
    'hosted cluster',
    '. `spec` is merged into that of the release.',
    './hosted-clusters/hc1.yaml',
  ).optional(),
  retainOnDelete: boolean(
    'true: the identities stay in Azure and in Entra when the hosted cluster is removed from the stack file or the stack is destroyed, and so does the HostedCluster of `spec`. false: they are deleted, and HyperShift deletes the machines.',
  ).optional(),
};

// HyperShift composes the name of a namespace from this name and its own namespace (openshift/hypershift api HostedCluster).
export const hostedClusterName = name(
  'namespace',
  'Name of the hosted cluster, which is part of the names of its identities.',
);

const authentication = <T extends string>(value: T) =>
  field(z.literal(value), {
    description:
      'How its control plane signs in. ManagedIdentities: with certificates in the central vault. WorkloadIdentities: with federation.',
    allowed: 'ManagedIdentities, WorkloadIdentities',
  });

const byCertificate = z.strictObject({
  name: hostedClusterName,
  authentication: authentication('ManagedIdentities').optional().default('ManagedIdentities'),
  ...fields,
  imageRegistry: boolean('Whether the image registry has an identity in the control plane.').default(true),
  components: components({
    role,
    secretName: secretName.optional(),
  }),
  certificates: object(
    'The certificates with which the control plane signs in.',
    validity('certificate'),
  ).prefault({}),
  objectEncoding: choice(['utf-8', 'hex', 'base64'], 'Encoding of the credentials in the vault.').default(
    'utf-8',
  ),
  reader: existingIdentityField(
    "Identity on the management cluster's nodes that reads the credentials (HyperShift's ARO_HCP_KEY_VAULT_USER_CLIENT_ID). Default: that of the Secrets Store add-on.",
  ).optional(),
  secretProviderClasses: choice(
    ['hypershift', 'stack'],
    "Who creates the SecretProviderClasses of the control plane. hypershift: HyperShift's operators on the management cluster. stack: this stack.",
  ).default('hypershift'),
});

const byFederation = z.strictObject({
  name: hostedClusterName,
  authentication: authentication('WorkloadIdentities'),
  ...fields,
  controlPlaneOperator: boolean(
    'Whether the control plane operator has an identity, which it needs for a private topology (Private Link).',
  ).default(false),
  components: components({ role }),
});

export const hostedCluster = field(z.discriminatedUnion('authentication', [byCertificate, byFederation]), {
  description: 'A hosted cluster of HyperShift.',
  allowed:
    'an object with at least `name`, `managementCluster`, `issuer`, `resourceGroup`, `subnet` and `securityGroup`',
});
