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

describe('a wrong hosted cluster', () => {
  it.each<[string, readonly string[], RegExp]>([
    [
      'an unknown component',
      ['components: { dns: {} }'],
      /hostedClusters\[0\]\.components\.dns: is not a known key\. Allowed: cloudProvider, controlPlaneOperator, .*, kms\./,
    ],
    [
      'a setting of the other way to sign in',
      ['authentication: WorkloadIdentities', 'imageRegistry: false'],
      /imageRegistry: false has no meaning with `authentication: WorkloadIdentities`/,
    ],
    [
      'a long name of a secret',
      [`components: { disk: { secretName: ${'a'.repeat(128)} } }`],
      /components\.disk\.secretName.*1 to 127 letters, digits and hyphens/,
    ],
    [
      'two components with one secret',
      ['components: { disk: { secretName: shared }, file: { secretName: Shared } }'],
      /components\.file\.secretName: "Shared" is the name of a secret of the credentials of aks-workload-identity:hostedClusters\[0\] already; the two differ only in case/,
    ],
    [
      'a private topology whose operator has no identity',
      ['authentication: WorkloadIdentities', 'spec: { platform: { azure: { topology: Private } } }'],
      /controlPlaneOperator: is missing: with `spec\.platform\.azure\.topology`.* Allowed: true\. Set `controlPlaneOperator: true`/,
    ],
    [
      'a spec that takes no identities',
      ['spec: { platform: null }'],
      /spec\.platform: null is no object, into which the identities could be written/,
    ],
    [
      'certificates of which many would be valid at a time',
      ['certificates: { validityDays: 30, renewBeforeDays: 16 }'],
      /certificates\.renewBeforeDays: 16 is more than half of the 30 days.*Allowed: at most 15/,
    ],
    [
      'an identity in the spec',
      ['spec: { platform: { azure: { azureAuthenticationConfig: {} } } }'],
      /spec\.platform\.azure\.azureAuthenticationConfig.*follows from the other settings/,
    ],
    [
      'settings of kms without a key',
      ['components: { kms: {} }'],
      /components\.kms: an object is of a component that gets no identity\. Set `kms`, the key, or remove this\./,
    ],
    [
      'settings of a component that is off',
      ['authentication: WorkloadIdentities', 'components: { controlPlaneOperator: {} }'],
      /components\.controlPlaneOperator: .* Set `controlPlaneOperator: true`, or remove this\./,
    ],
    [
      'a key in the spec alone',
      ['spec: { secretEncryption: { type: kms, kms: { azure: { activeKey: {} } } } }'],
      /spec\.secretEncryption\.kms\.azure\.activeKey: .* names a key or an identity that the stack does not know of\. Set `kms`/,
    ],
    [
      'another encryption than that of its key',
      [
        'spec: { secretEncryption: { type: aescbc } }',
        `kms: { vault: ${subscription}/resourceGroups/etcd/providers/Microsoft.KeyVault/vaults/kv-etcd, key: etcd, version: 0123456789abcdef0123456789abcdef }`,
      ],
      /spec\.secretEncryption\.type: "aescbc" follows from the other settings/,
    ],
  ])('is refused: %s', (_, fields, message) => {
    const { configuration, lines } = withHosted(fields);
    expect(configuration).toBeUndefined();
    expect(lines.join('\n')).toMatch(message);
  });

  it('is refused with access policies, which cannot name secrets', () => {
    const { lines } = withHosted(
      [],
      head.replace('{ name: kv-test }', '{ name: kv-test, access: accessPolicy }'),
    );
    expect(lines.join('\n')).toMatch(/vault\.access.*their reader would read all other secrets as well/);
  });

  it('is refused on an external cluster without the identity that reads the vault', () => {
    const { lines } = withHosted(
      [],
      head.replace(
        '- name: aks-1',
        '- { name: aks-1, mode: external, issuer: https://issuer.example/aks-1 }',
      ),
    );
    expect(lines.join('\n')).toMatch(/hostedClusters\[0\]\.reader: is missing: aks-1 is no cluster of AKS/);
  });

  it('is refused on a cluster that is not in the file', () => {
    const { lines } = withHosted([], head.replace('aks-1', 'aks-2'));
    expect(lines.join('\n')).toMatch(
      /managementCluster: "aks-1" is no cluster of this stack\. Allowed: aks-2/,
    );
  });

  it('is refused if an application has a secret of that name in the central vault', () => {
    const { lines } = withHosted(
      [],
      `${head}  aks-workload-identity:applications:\n    - { name: orders, image: 'x/y:1', secrets: [cpo-hc1-json] }\n`,
    );
    expect(lines.join('\n')).toMatch(
      /controlPlaneOperator\.secretName: "cpo-hc1-json" is the name of a secret of aks-workload-identity:applications\[0\] already/,
    );
  });
});
