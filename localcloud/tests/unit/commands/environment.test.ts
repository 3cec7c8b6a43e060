import path from 'node:path';
import { locateInstance } from '../../../daemon/instance';
import {
  clientEnvironment,
  outsideEnvironment,
  pulumiEnvironment,
  renderExports,
} from '../../../commands/environment';
import { installation, PROJECT, variable } from '../../../project';

const instance = locateInstance('/project', { HOME: '/home/u' });
const credentials = {
  tenantId: 'tenant',
  subscriptionId: 'subscription',
  clientId: 'client',
  clientSecret: 'hidden',
  pulumiPassphrase: 'passphrase',
};
const run = { azurePort: 4001, proxyPort: 4002 };

describe('the environment for clients', () => {
  it('points at the local cloud, directly and by proxy, with an administrator', () => {
    expect(clientEnvironment(instance, run, credentials)).toMatchObject({
      AZURE_AUTHORITY_HOST: 'https://127.0.0.1:4001/',
      AZURE_RESOURCE_MANAGER_ENDPOINT: 'https://127.0.0.1:4001',
      AZURE_RESOURCE_MANAGER_AUDIENCE: 'https://management.azure.com/',
      AZURE_TENANT_ID: 'tenant',
      AZURE_SUBSCRIPTION_ID: 'subscription',
      ARM_CLIENT_ID: 'client',
      ARM_CLIENT_SECRET: 'hidden',
      HTTPS_PROXY: 'http://127.0.0.1:4002',
      NO_PROXY: '127.0.0.1,localhost',
      NODE_EXTRA_CA_CERTS: '/project/.state/local/tls/ca.crt',
      SSL_CERT_FILE: '/project/.state/local/tls/ca.crt',
    });
  });

  it('never contains the passphrase of the stack', () => {
    expect(JSON.stringify(clientEnvironment(instance, run, credentials))).not.toContain('passphrase');
  });
});

describe('the environment for the engine', () => {
  const tools = {
    pulumi: '/cache/p/pulumi',
    helm: '/cache/helm',
  };
  const env = pulumiEnvironment(instance, run, credentials, tools, 'local', { PATH: '/bin:/cache/p' });

  it('keeps the engine’s files inside the instance', () => {
    expect(env).toMatchObject({
      PULUMI_HOME: '/project/.state/local/pulumi-home',
      PULUMI_BACKEND_URL: 'file:///project/.state/local/pulumi?metadata=skip',
      PULUMI_STACK: 'local',
      [variable('HELM')]: '/cache/helm',
      [variable('LANGUAGE_HOST')]: path.join(installation, 'dist', 'pulumi-language-nodejs.cjs'),
      PATH: '/cache/p:/bin',
    });
  });

  it('has no port except the proxy’s, so that the state depends on none', () => {
    const values = Object.values(env).filter((value) => value.includes('400'));
    expect(values).toEqual(['http://127.0.0.1:4002', 'http://127.0.0.1:4002']);
  });

  it('does not change when it is applied twice', () => {
    expect(pulumiEnvironment(instance, run, credentials, tools, 'local', env)).toEqual(env);
  });

  it('gives the verification a short timeout, because nothing has to propagate', () => {
    expect(env[variable('VERIFY_TIMEOUT')]).toBe('5');
  });

  it('keeps the user’s own timeout of the verification, however often it is applied', () => {
    const own = pulumiEnvironment(instance, run, credentials, tools, 'local', {
      PATH: '/bin',
      [variable('VERIFY_TIMEOUT')]: '90',
    });
    expect(own[variable('VERIFY_TIMEOUT')]).toBe('90');
    // `up` starts `verify`, which starts itself again; each applies these variables to its inherited ones.
    const child = { PATH: '/bin', [variable('VERIFY_TIMEOUT')]: '90', ...own };
    expect(
      pulumiEnvironment(instance, run, credentials, tools, 'local', child)[variable('VERIFY_TIMEOUT')],
    ).toBe('90');
  });
});

describe('the environment for the outside', () => {
  it('has no variable of this local cloud', () => {
    const inside = { ...clientEnvironment(instance, run, credentials), PATH: '/bin' };
    const outside = outsideEnvironment(inside, instance);
    expect(outside.PATH).toBe('/bin');
    for (const name of [
      'HTTPS_PROXY',
      'https_proxy',
      'SSL_CERT_FILE',
      'NODE_EXTRA_CA_CERTS',
      'REQUESTS_CA_BUNDLE',
    ]) {
      expect(outside).not.toHaveProperty(name);
    }
  });

  it("keeps the user's own proxy", () => {
    const own = { HTTPS_PROXY: 'http://proxy.example:3128', SSL_CERT_FILE: '/etc/ssl/own.pem' };
    expect(outsideEnvironment(own, instance)).toEqual(own);
  });
});

describe('export lines', () => {
  it('are quoted for a shell if necessary', () => {
    expect(renderExports({ A: 'https://127.0.0.1:1/', B: "it's $HOME" })).toBe(
      "export A=https://127.0.0.1:1/\nexport B='it'\\''s $HOME'\n",
    );
  });
});

describe('the paths of an instance', () => {
  it('follow the variables STATE and CACHE', () => {
    const moved = locateInstance('/project', {
      [variable('STATE')]: '/elsewhere',
      [variable('CACHE')]: '/cache',
    });
    expect(moved.runFile).toBe('/elsewhere/local/run.json');
    expect(moved.cacheDir).toBe('/cache');
    expect(locateInstance('/project', { XDG_CACHE_HOME: '/x' }).cacheDir).toBe(`/x/${PROJECT}`);
  });
});
