import { podField, resourceField } from '../../../kubernetes/agent/fields';
import { wholeQuantity } from '../../../kubernetes/agent/quantity';
import { testPod } from './support';

const address = { podIp: '10.244.128.1', hostIp: '10.224.0.4' };

describe('fields of the downward API', () => {
  const pod = testPod({ metadata: { labels: { b: 'two', a: 'o"ne' }, annotations: { 'x/y': 'z' } } });

  it.each([
    ['metadata.name', 'pod'],
    ['metadata.namespace', 'default'],
    ["metadata.labels['b']", 'two'],
    ["metadata.labels['absent']", ''],
    ["metadata.annotations['x/y']", 'z'],
    ['metadata.labels', 'a="o\\"ne"\nb="two"'],
    ['status.podIP', '10.244.128.1'],
    ['status.hostIP', '10.224.0.4'],
  ])('%s', (path, expected) => {
    expect(podField(pod, path, address)).toBe(expected);
  });

  it('refuses an unsupported field by name', () => {
    expect(() => podField(pod, 'spec.priority', address)).toThrow(
      'fieldRef.fieldPath "spec.priority" is not supported',
    );
  });
});

describe('resources', () => {
  it.each([
    ['1', '1', 1],
    ['100m', '1', 1],
    ['100m', '1m', 100],
    ['1500m', '1', 2],
    ['128Mi', '1', 134217728],
    ['128Mi', '1Mi', 128],
    ['1G', '1Mi', 954],
    ['1e3', '1', 1000],
  ])('%s in units of %s is %d', (quantity, divisor, expected) => {
    expect(wholeQuantity(quantity, divisor)).toBe(expected);
  });

  it('refuses invalid quantities', () => {
    expect(() => wholeQuantity('much', '1')).toThrow('"much" is not a quantity');
  });

  it('reads limits and requests of the named container, and returns one CPU without a limit', () => {
    const containers = [
      { name: 'main', image: 'x', resources: { limits: { memory: '64Mi' }, requests: { cpu: '250m' } } },
      { name: 'side', image: 'x' },
    ];
    expect(resourceField(containers, { resource: 'limits.memory', divisor: '1Mi' }, 'main')).toBe('64');
    expect(resourceField(containers, { resource: 'requests.cpu', divisor: '1m' }, 'main')).toBe('250');
    expect(resourceField(containers, { resource: 'limits.cpu', containerName: 'side' }, 'main')).toBe('1');
  });
});
