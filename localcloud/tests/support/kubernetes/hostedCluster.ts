/** A HostedCluster (v1beta1), as far as its identities are concerned; all other members are fixed. */
export interface HostedClusterBody {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace: string };
  spec: {
    platform: {
      type: string;
      azure: { azureAuthenticationConfig: Record<string, unknown>; [name: string]: unknown };
    };
    secretEncryption?: Record<string, unknown>;
    services: unknown[];
    [name: string]: unknown;
  };
}

const subscription = '00000000-0000-4000-8000-000000000001';
const tenantId = '00000000-0000-4000-8000-000000000002';
const network = `/subscriptions/${subscription}/resourceGroups/net/providers/Microsoft.Network`;
const clientId = (number: number) => `00000000-0000-4000-8000-0000000000${number}`;

/** Components of the control plane that HyperShift's API names in both modes. */
const components = [
  'cloudProvider',
  'controlPlaneOperator',
  'nodePoolManagement',
  'disk',
  'file',
  'imageRegistry',
  'ingress',
  'network',
] as const;

/** The credentials of a component: a secret in the vault. */
export const certificate = (name: string, number: number) => ({
  clientID: clientId(number),
  credentialsSecretName: `${name}-json`,
  objectEncoding: 'utf-8',
});

const hostedCluster = (
  name: string,
  azure: { azureAuthenticationConfig: Record<string, unknown> } & Record<string, unknown>,
  more: object,
): HostedClusterBody => ({
  apiVersion: 'hypershift.openshift.io/v1beta1',
  kind: 'HostedCluster',
  metadata: { name, namespace: 'clusters' },
  spec: {
    release: { image: 'quay.io/openshift-release-dev/ocp-release:4.20.0-x86_64' },
    pullSecret: { name: `${name}-pull-secret` },
    services: [
      { service: 'APIServer', servicePublishingStrategy: { type: 'LoadBalancer' } },
      ...['OAuthServer', 'Konnectivity', 'Ignition'].map((service) => ({
        service,
        servicePublishingStrategy: { type: 'Route' },
      })),
    ],
    platform: {
      type: 'Azure',
      azure: {
        location: 'westeurope',
        subscriptionID: subscription,
        tenantID: tenantId,
        resourceGroup: `${name}-managed`,
        vnetID: `${network}/virtualNetworks/${name}`,
        subnetID: `${network}/virtualNetworks/${name}/subnets/nodes`,
        securityGroupID: `${network}/networkSecurityGroups/${name}`,
        ...azure,
      },
    },
    ...more,
  },
});

/** Mode `ManagedIdentities`, with all nine components. */
export const withManagedIdentities = (): HostedClusterBody =>
  hostedCluster(
    'hc1',
    {
      azureAuthenticationConfig: {
        azureAuthenticationConfigType: 'ManagedIdentities',
        managedIdentities: {
          controlPlane: {
            managedIdentitiesKeyVault: { name: 'kv-hc1', tenantID: tenantId },
            ...Object.fromEntries(components.map((name, index) => [name, certificate(name, 11 + index)])),
          },
          dataPlane: {
            diskMSIClientID: clientId(21),
            fileMSIClientID: clientId(22),
            imageRegistryMSIClientID: clientId(23),
          },
        },
      },
    },
    {
      secretEncryption: {
        type: 'kms',
        kms: {
          provider: 'Azure',
          azure: {
            activeKey: { keyVaultName: 'kv-hc1', keyName: 'hc1', keyVersion: '0123456789abcdef' },
            keyVaultAccess: 'Public',
            kms: certificate('kms', 19),
          },
        },
      },
    },
  );

/** Mode `WorkloadIdentities`. */
export const withWorkloadIdentities = (): HostedClusterBody =>
  hostedCluster(
    'hc2',
    {
      topology: 'Public',
      azureAuthenticationConfig: {
        azureAuthenticationConfigType: 'WorkloadIdentities',
        workloadIdentities: Object.fromEntries(
          components.map((name, index) => [name, { clientID: clientId(31 + index) }]),
        ),
      },
    },
    {
      issuerURL: 'https://oidc.example.test/hc2',
      serviceAccountSigningKey: { name: 'hc2-signing-key' },
    },
  );
