import { check, head } from './stackFileText';

// What these do not prove: that the engine reads YAML as this does; its own rules are named where they are followed. What
// is wrong with a stack file is in problems/, and that those of the project are valid, the tests of the examples prove.

describe('a stack file that is valid', () => {
  it('gives what the program would have', () => {
    const { configuration, lines, notes } = check(head);

    expect({ lines, notes }).toEqual({ lines: [], notes: [] });
    expect(configuration).toMatchObject({
      environment: 'test',
      settings: { location: 'westeurope', clusters: [{ name: 'aks-1' }] },
    });
  });

  it('may have keys without a namespace, merged mappings and scalars in any form, as for the engine', () => {
    const { configuration, lines } = check(`
x-defaults: &small { tier: Free, nodes: { count: 1 } }
config:
  location: westeurope
  aks-workload-identity:resourceGroup: 1234
  aks-workload-identity:vault: '{"name":"kv-test"}'
  aks-workload-identity:protect: "false"
  aks-workload-identity:clusters:
    - <<: *small
      name: aks-1
  azure-native:location: northeurope
`);

    expect(lines).toEqual([]);
    expect(configuration?.settings).toMatchObject({
      location: 'westeurope',
      resourceGroup: { name: '1234' },
      protect: false,
      clusters: [{ name: 'aks-1', tier: 'Free', nodes: { count: 1 } }],
    });
  });
});

describe('a stack file with problems', () => {
  it('gives no configuration', () => {
    expect(check(head.replace('westeurope', 'West Europe')).configuration).toBeUndefined();
  });
});

describe('what is not read', () => {
  it('is an object of encrypted values as a whole: not even the names are known', () => {
    const { lines, notes } = check(`${head}  aks-workload-identity:secretValues: { secure: v1:abc }\n`);
    expect(lines).toEqual([]);
    expect(notes).toEqual([
      'aks-workload-identity:secretValues is encrypted as a whole: only the Pulumi engine checks its names.',
    ]);
  });

  it('is whether such an object has the kubeconfig of a cluster outside of Azure', () => {
    const { configuration, lines, notes } = check(`${head}    - name: edge
      mode: external
      issuer: https://issuer.example/
  aks-workload-identity:kubeconfigs: { secure: v1:abc }
`);
    expect(lines).toEqual([]);
    expect(notes).toHaveLength(1);
    expect(configuration?.settings.clusters).toHaveLength(2);
  });

  it('is an environment of Pulumi ESC', () => {
    expect(check(`environment: [shared]\n${head}`).notes).toEqual([
      'Pulumi.test.yaml imports an environment of Pulumi ESC, which is not read here.',
    ]);
  });
});
