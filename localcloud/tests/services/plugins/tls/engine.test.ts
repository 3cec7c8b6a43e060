import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as automation from '@pulumi/pulumi/automation';
import * as tls from '@pulumi/tls';
import { withCloud } from '../../../support/azure';
import { openEngine } from '../../../support/plugins/engine';

// Proves, with the real engine and the real npm package, that keys and certificates stay as they are, are renewed
// in their window, and that the key is a secret.
function program(earlyRenewalHours: number): automation.PulumiFn {
  return () => {
    const key = new tls.PrivateKey('key', { algorithm: 'RSA', rsaBits: 2048 });
    const certificate = new tls.SelfSignedCert('certificate', {
      privateKeyPem: key.privateKeyPem,
      validityPeriodHours: 100,
      earlyRenewalHours,
      allowedUses: ['digital_signature', 'client_auth'],
      subject: { commonName: 'disk.example' },
    });
    const { certPem: pem, validityEndTime } = certificate;
    return Promise.resolve({ pem, validityEndTime, key: key.privateKeyPem, publicKey: key.publicKeyPem });
  };
}

const cloud = withCloud({ groups: [] });
const projectName = 'tls-engine';
let stack: automation.Stack;
let backend: string;

beforeAll(async () => {
  const engine = await openEngine(cloud, ['tls']);
  backend = engine.backend;
  stack = await automation.LocalWorkspace.createOrSelectStack(
    { stackName: 'test', projectName, program: program(10) },
    engine.settings,
  );
}, 600_000);

/** A key, a certificate and the stack. */
const resourceCount = 3;

async function output(name: string): Promise<string> {
  const outputs = await stack.outputs();
  return String(outputs[name]?.value);
}

describe('the real engine with the plugin', () => {
  it('previews and creates a key and its certificate', async () => {
    expect((await stack.preview()).changeSummary).toEqual({ create: resourceCount });
    const result = await stack.up();
    expect(result.summary.resourceChanges).toEqual({ create: resourceCount });
    expect(result.stdout + result.stderr).not.toContain('warning');
    const certificate = new X509Certificate(await output('pem'));
    expect(certificate.subject).toBe('CN=disk.example');
    expect(certificate.publicKey.export({ type: 'spki', format: 'pem' })).toBe(await output('publicKey'));
  }, 120_000);

  it('keeps the key out of outputs and the state', async () => {
    expect((await stack.outputs())['key']?.secret).toBe(true);
    const state = readFileSync(path.join(backend, '.pulumi', 'stacks', projectName, 'test.json'), 'utf8');
    // Compared as booleans, because a failure must not print the state.
    expect({ plain: state.includes('PRIVATE KEY'), encrypted: state.includes('"ciphertext"') }).toEqual({
      plain: false,
      encrypted: true,
    });
  }, 120_000);

  it('changes nothing the second time, nor in a refresh', async () => {
    const pem = await output('pem');
    expect((await stack.up()).summary.resourceChanges).toEqual({ same: resourceCount });
    expect((await stack.refresh()).summary.resourceChanges).toEqual({ same: resourceCount });
    expect(await output('pem')).toBe(pem);
  }, 120_000);

  it('updates a window in place, and replaces a certificate in its window', async () => {
    const pem = await output('pem');
    stack.workspace.program = program(20);
    expect((await stack.up()).summary.resourceChanges).toEqual({ update: 1, same: resourceCount - 1 });
    expect(await output('pem')).toBe(pem);

    stack.workspace.program = program(100);
    expect((await stack.up()).summary.resourceChanges).toEqual({ replace: 1, same: resourceCount - 1 });
    expect(await output('pem')).not.toBe(pem);

    // Such a window never ends.
    expect((await stack.up()).summary.resourceChanges).toEqual({ replace: 1, same: resourceCount - 1 });
    stack.workspace.program = program(10);
    expect((await stack.up()).summary.resourceChanges).toEqual({ update: 1, same: resourceCount - 1 });
  }, 240_000);

  it('deletes both', async () => {
    expect((await stack.destroy()).summary.resourceChanges).toEqual({ delete: resourceCount });
  }, 120_000);
});
