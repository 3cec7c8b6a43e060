import { check, head } from './stackFileText';

const subscription = '/subscriptions/22222222-2222-4222-8222-222222222222';
const network = `${subscription}/resourceGroups/net/providers/Microsoft.Network`;

/** A stack file with one hosted cluster, of these further fields. */
const withHosted = (fields: readonly string[] = [], before = head) =>
  check(`${before}  aks-workload-identity:hostedClusters:
    - name: hc1
      managementCluster: aks-1
      issuer: https://issuer.example/hc1
      resourceGroup: ${subscription}/resourceGroups/hc1
      subnet: ${network}/virtualNetworks/vnet/subnets/nodes
      securityGroup: ${network}/networkSecurityGroups/nsg
${fields.map((field) => `      ${field}\n`).join('')}`);

/** The plan of the one hosted cluster. */
function planOf(fields: readonly string[] = []) {
  const { configuration, lines } = withHosted(fields);
  const [hosted] = configuration?.plan.clusters[0]?.hostedClusters ?? [];
  if (hosted === undefined) throw new Error(lines.join('\n'));
  return hosted;
}

describe('the plan of a hosted cluster', () => {
  it('has eight components by default, each with a secret named as by HyperShift', () => {
    const { components, identityPrefix, grantee, namespaces, makesClasses } = planOf();
    expect(components.map(({ component, secret }) => [component, secret])).toEqual([
      ['cloudProvider', 'cloud-provider-hc1-json'],
      ['controlPlaneOperator', 'cpo-hc1-json'],
      ['nodePoolManagement', 'nodepool-mgmt-hc1-json'],
      ['ingress', 'ingress-hc1-json'],
      ['network', 'cncc-hc1-json'],
      ['disk', 'azure-disk-hc1-json'],
      ['file', 'azure-file-hc1-json'],
      ['imageRegistry', 'ciro-hc1-json'],
    ]);
    expect({ identityPrefix, grantee, namespaces, makesClasses }).toEqual({
      identityPrefix: 'id-test-hc1',
      grantee: 'hosted_hc1',
      namespaces: [],
      makesClasses: false,
    });
  });

  it('has kms with a key, and no image registry where that is off', () => {
    const { components } = planOf([
      'imageRegistry: false',
      `kms: { vault: ${subscription}/resourceGroups/etcd/providers/Microsoft.KeyVault/vaults/kv-etcd, key: etcd, version: 0123456789abcdef0123456789abcdef }`,
    ]);
    const names = components.map(({ component }) => component);
    expect(names).toContain('kms');
    expect(names).not.toContain('imageRegistry');
  });

  it('has no certificate and no secret where all components sign in by federation', () => {
    const { components, certificates } = planOf(['authentication: WorkloadIdentities']);
    expect(certificates).toBeUndefined();
    expect(components.every(({ secret }) => secret === undefined)).toBe(true);
  });

  it('makes the namespaces in which the stack makes something', () => {
    const { namespaces } = planOf(['secretProviderClasses: stack', 'spec: { release: { image: x } }']);
    expect(namespaces).toEqual([
      { name: 'clusters', existing: false },
      { name: 'clusters-hc1', existing: false },
    ]);
  });
});
