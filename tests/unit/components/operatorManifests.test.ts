import type { ManifestObject } from '../../../components/hypershift/operatorManifests';
import {
  inOrder,
  operatorsIn,
  operatorVariable,
  readerVariable,
  withReader,
} from '../../../components/hypershift/operatorManifests';
import { operatorDeployment } from './support/hyperShiftManifests';

const object = (kind: string, name = kind.toLowerCase()): ManifestObject => ({
  ...{ apiVersion: 'v1', kind, metadata: { name } },
});

describe('the order of manifests', () => {
  it('has namespaces first, then definitions, and at last what runs', () => {
    const kinds = ['Deployment', 'ConfigMap', 'CustomResourceDefinition', 'ServiceAccount', 'Namespace'];

    expect(inOrder(kinds.map((kind) => object(kind))).map((step) => step.map(({ kind }) => kind))).toEqual([
      ['Namespace'],
      ['CustomResourceDefinition'],
      ['ConfigMap', 'ServiceAccount'],
      ['Deployment'],
    ]);
  });

  it('has no empty steps', () => {
    expect(inOrder([object('ConfigMap')])).toEqual([[object('ConfigMap')]]);
  });
});

describe("HyperShift's operator", () => {
  it('is found by the label of its pods, in any namespace and under any name', () => {
    const operator = operatorDeployment({ name: 'ho', namespace: 'elsewhere' });
    const dns = operatorDeployment({ component: 'external-dns' });

    expect(operatorsIn([object('ConfigMap', 'operator'), dns, operator])).toEqual([operator]);
  });

  it('gets the identity that reads the vault, in the container of the operator alone', () => {
    const operator = operatorDeployment({ env: { A: '1', [readerVariable]: 'before' }, sidecar: true });
    const { spec } = withReader(operator, 'client') as {
      spec: { replicas: number; template: { metadata: object; spec: { containers: object[] } } };
    };

    expect(spec.template.spec.containers).toMatchObject([
      { name: 'sidecar' },
      {
        name: 'operator',
        env: [
          { name: 'A', value: '1' },
          { name: readerVariable, value: 'client' },
        ],
      },
    ]);
    expect(spec.template.spec.containers[0]).not.toHaveProperty('env');
    expect(spec).toMatchObject({ replicas: 1, template: { metadata: { labels: { name: 'operator' } } } });
    expect(operatorVariable(operator, readerVariable)).toBe('before');
  });
});
