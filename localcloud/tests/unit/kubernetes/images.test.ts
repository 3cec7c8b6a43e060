import { imageRepository } from '../../../kubernetes/imageReference';
import { standardImages } from '../../../kubernetes/images';
import { withFlags } from '../../../kubernetes/imageTable';
import { kwokConfig } from '../../../kubernetes/controlplane/kwokStages';
import { parseAllDocuments } from 'yaml';

describe('image references', () => {
  it.each([
    ['nginx', 'nginx'],
    ['nginx:1.27', 'nginx'],
    ['quay.io/jetstack/cert-manager-webhook:v1.21.2', 'quay.io/jetstack/cert-manager-webhook'],
    ['registry:5000/a/b', 'registry:5000/a/b'],
    ['registry:5000/a/b:1@sha256:00ff', 'registry:5000/a/b'],
    ['a/b@sha256:00ff', 'a/b'],
  ])('%s is of repository %s', (reference, expected) => {
    expect(imageRepository(reference)).toBe(expected);
  });
});

describe('flags set for a process', () => {
  it('replace those of the chart, in each notation, and are added if it has none', () => {
    const args = ['--v=2', '--secure-port=10250', '--healthz-port', '6080', '-metrics=1', 'check', '--flag'];
    expect(withFlags(args, { 'secure-port': '1', 'healthz-port': '2', metrics: '3', new: '4' })).toEqual([
      '--v=2',
      'check',
      '--flag',
      '--secure-port=1',
      '--healthz-port=2',
      '--metrics=3',
      '--new=4',
    ]);
  });

  it('do not replace the flag after one without a value', () => {
    expect(withFlags(['--secure', '--other=1'], { secure: 'yes' })).toEqual(['--other=1', '--secure=yes']);
  });
});

describe('the standard image table', () => {
  const toolchain = {
    require: (tool: string) => Promise.resolve(`/tools/${tool}`),
    definitions: () => Promise.resolve('/tools/crds'),
  };
  const images = standardImages({
    toolchain,
    scripts: { 'ghcr.io/example/program': '/dist/program.cjs' },
    workingFolder: '/project',
  });
  const context = {
    args: ['--v=2', '--secure-port=10250'],
    port: (port: number | string) => Number(port) + 10_000,
    mount: () => undefined,
    folder: '/nowhere',
  };
  const commandOf = async (repository: string) => {
    const command = images[repository]?.command;
    return typeof command === 'function' ? await command(new AbortController().signal) : command;
  };

  it('runs cert-manager’s programs as subcommands of one program', async () => {
    for (const part of ['controller', 'webhook', 'cainjector', 'startupapicheck'])
      expect(await commandOf(`quay.io/jetstack/cert-manager-${part}`)).toEqual(['/tools/cert-manager', part]);
  });

  it('gives a webhook its own ports', () => {
    expect(images['quay.io/jetstack/cert-manager-webhook']?.args?.(context)).toEqual([
      '--v=2',
      '--bind-address=127.0.0.1',
      '--secure-port=20250',
      '--healthz-port=16080',
      '--metrics-listen-address=0',
    ]);
  });

  describe('of Azure Service Operator', () => {
    const operator = images['mcr.microsoft.com/k8s/azureserviceoperator'];

    it('runs the vendor’s program, with the definitions of its image', async () => {
      expect(await commandOf('mcr.microsoft.com/k8s/azureserviceoperator')).toEqual([
        '/tools/azure-service-operator',
      ]);
      expect(await operator?.files?.()).toEqual({ crds: '/tools/crds' });
    });

    it.each([
      [['--webhook-port=9443', '--v=2'], 19443],
      [['--webhook-port=9444', '--v=2'], 19444],
      [['--v=2'], 19443],
    ])('gives it its own ports instead of the chart’s: %j', (args, webhooks) => {
      expect(operator?.args?.({ ...context, args })).toEqual([
        '--v=2',
        `--webhook-port=${webhooks}`,
        '--health-addr=127.0.0.1:18081',
      ]);
    });

    it('sets the token’s path in the pod’s volume, and none without a volume', () => {
      const mount = (folder: string) => (folder === '/var/run/secrets/tokens' ? '/pods/1/tokens' : undefined);
      expect(operator?.env?.({ ...context, mount })).toEqual({
        AZURE_FEDERATED_TOKEN_FILE: '/pods/1/tokens/azure-identity',
      });
      expect(operator?.env?.(context)).toEqual({});
    });
  });

  it('sets where a script listens', async () => {
    const repository = 'ghcr.io/example/program';
    expect(await commandOf(repository)).toEqual([process.execPath, '/dist/program.cjs']);
    expect(images[repository]?.env?.(context)).toEqual({ HOST: '127.0.0.1', PORT: '18080' });
  });

  it.each(['registry.k8s.io/jobset/jobset', 'us-central1-docker.pkg.dev/k8s-staging-images/jobset/jobset'])(
    'gives JobSet its own ports and the mounted certificate as %s',
    async (repository) => {
      const mount = (folder: string) =>
        folder === '/tmp/k8s-webhook-server/serving-certs' ? '/pods/1/certs' : undefined;
      expect(await commandOf(repository)).toEqual(['/tools/jobset']);
      expect(images[repository]?.args?.({ ...context, args: ['--config=/c.yaml'], mount })).toEqual([
        '--config=/c.yaml',
        '--webhook-host=127.0.0.1',
        '--webhook-port=19443',
        '--webhook-cert-dir=/pods/1/certs',
        '--health-probe-bind-address=127.0.0.1:18081',
        '--metrics-bind-address=0',
      ]);
    },
  );
});

interface Stage {
  metadata: { name: string };
  spec: { selector: { matchExpressions: { key: string; operator: string; values?: string[] }[] } };
}

describe("kwok's stages", () => {
  it('leave out every pod with an image of the table, deletion included', () => {
    const stages = parseAllDocuments(kwokConfig(['a/b', 'c/d'])).map((document) => document.toJS() as Stage);
    const excluding = stages.filter(({ spec }) =>
      spec.selector.matchExpressions.some(
        ({ key, operator, values }) =>
          key.startsWith('.spec.containers[].image') && operator === 'NotIn' && values?.join() === 'a/b,c/d',
      ),
    );
    expect(stages.map(({ metadata }) => metadata.name)).toEqual([
      'node-ready',
      'pod-ready',
      'pod-complete',
      'pod-delete',
    ]);
    expect(excluding.map(({ metadata }) => metadata.name)).toEqual([
      'pod-ready',
      'pod-complete',
      'pod-delete',
    ]);
  });

  it('simulate all pods if the table is empty', () => {
    expect(kwokConfig([])).not.toContain('.spec.containers[].image');
  });
});
