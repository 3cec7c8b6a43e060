import { X509Certificate } from 'node:crypto';
import * as azuread from '@pulumi/azuread';
import * as automation from '@pulumi/pulumi/automation';
import * as tls from '@pulumi/tls';
import { withCloud } from '../../../support/azure';
import { openEngine } from '../../../support/plugins/engine';

// Proves, with the real engine and the real npm packages, that an application and its credentials stay as they
// are, and that a renewed certificate is registered before the old one is removed.

/** Differences of the program between runs. */
interface Variant {
  earlyRenewalHours: number;
  subject: string;
}

const base: Variant = { earlyRenewalHours: 10, subject: 'system:serviceaccount:shop:orders' };

function program({ earlyRenewalHours, subject }: Variant): automation.PulumiFn {
  return async () => {
    const client = await azuread.getClientConfig();
    const key = new tls.PrivateKey('key', { algorithm: 'RSA', rsaBits: 2048 });
    const certificate = new tls.SelfSignedCert('certificate', {
      privateKeyPem: key.privateKeyPem,
      validityPeriodHours: 100,
      earlyRenewalHours,
      allowedUses: ['digital_signature', 'client_auth'],
      subject: { commonName: 'disk.example' },
    });
    const application = new azuread.Application('disk', {
      displayName: 'disk',
      owners: [client.objectId],
      tags: ['cluster:shop', 'component:disk'],
    });
    const principal = new azuread.ServicePrincipal('disk', { clientId: application.clientId });
    new azuread.ApplicationCertificate('disk', {
      applicationId: application.id,
      type: 'AsymmetricX509Cert',
      value: certificate.certPem,
    });
    const password = new azuread.ApplicationPassword('disk', { applicationId: application.id });
    new azuread.ApplicationFederatedIdentityCredential('disk', {
      applicationId: application.id,
      displayName: 'shop',
      issuer: 'https://issuer.example/',
      subject,
      audiences: ['openshift'],
    });
    const group = new azuread.Group('disk', { displayName: 'disk', securityEnabled: true });
    new azuread.GroupMember('disk', {
      groupObjectId: group.objectId,
      memberObjectId: principal.objectId,
    });
    new azuread.Group('outer', {
      displayName: 'outer',
      securityEnabled: true,
      members: [group.objectId],
    });
    const found = azuread.getApplicationOutput({ clientId: application.clientId });
    return {
      id: application.id,
      objectId: principal.objectId,
      group: group.id,
      found: found.displayName,
      password: password.value,
      pem: certificate.certPem,
    };
  };
}

const cloud = withCloud({ groups: [] });
let settings: automation.LocalWorkspaceOptions;
let stack: automation.Stack;

beforeAll(async () => {
  ({ settings } = await openEngine(cloud, ['azuread', 'tls']));
  stack = await automation.LocalWorkspace.createOrSelectStack(
    { stackName: 'test', projectName: 'azuread-engine', program: program(base) },
    settings,
  );
}, 600_000);

/** Ten resources and the stack. */
const resourceCount = 11;

async function output(name: string): Promise<string> {
  const outputs = await stack.outputs();
  return String(outputs[name]?.value);
}

/** Fingerprints of the certificates that Graph has for the application. */
async function registered(): Promise<string[]> {
  const { keyCredentials } = (await cloud
    .graph()
    .api(await output('id'))
    .select('keyCredentials')
    .get()) as { keyCredentials: { key: string }[] };
  return keyCredentials.map(({ key }) => new X509Certificate(Buffer.from(key, 'base64')).fingerprint);
}

const fingerprint = async (): Promise<string> => new X509Certificate(await output('pem')).fingerprint;

describe('the real engine with the plugin', () => {
  it('previews and creates every type', async () => {
    expect((await stack.preview()).changeSummary).toEqual({ create: resourceCount });
    const result = await stack.up();
    expect(result.summary.resourceChanges).toEqual({ create: resourceCount });
    expect(result.outputs['found']?.value).toBe('disk');
    expect(result.outputs['password']?.secret).toBe(true);
    expect(result.stdout + result.stderr).not.toContain('warning');
    expect(await registered()).toEqual([await fingerprint()]);
  }, 120_000);

  it('changes nothing the second time, nor after a refresh', async () => {
    expect((await stack.up()).summary.resourceChanges).toEqual({ same: resourceCount });
    expect((await stack.refresh()).summary.resourceChanges).toEqual({ same: resourceCount });
    expect((await stack.up({ refresh: true })).summary.resourceChanges).toEqual({ same: resourceCount });
  }, 120_000);

  it('registers a renewed certificate before it removes the old one', async () => {
    const before = await fingerprint();
    const steps: string[] = [];
    stack.workspace.program = program({ ...base, earlyRenewalHours: 100 });
    const result = await stack.up({
      onEvent: ({ resOutputsEvent: event }) => {
        if (event?.metadata.type.endsWith(':ApplicationCertificate')) steps.push(event.metadata.op);
      },
    });
    expect(result.summary.resourceChanges).toEqual({ replace: 2, same: resourceCount - 2 });
    expect(steps.indexOf('create-replacement')).toBeGreaterThanOrEqual(0);
    expect(steps.indexOf('delete-replaced')).toBeGreaterThan(steps.indexOf('create-replacement'));
    expect(await fingerprint()).not.toBe(before);
    expect(await registered()).toEqual([await fingerprint()]);
  }, 120_000);

  it('updates a federated credential in place', async () => {
    stack.workspace.program = program({ ...base, subject: 'system:serviceaccount:shop:billing' });
    expect((await stack.up()).summary.resourceChanges).toEqual({ update: 2, same: resourceCount - 2 });
  }, 120_000);

  it('imports what exists', async () => {
    const [application, objectId] = [await output('id'), await output('objectId')];
    const group = await output('group');
    const groupObjectId = group.replace('/groups/', '');
    const other = await automation.LocalWorkspace.createOrSelectStack(
      {
        stackName: 'importing',
        projectName: 'azuread-engine',
        program: async () => {
          const { clientId, displayName, objectId: owner } = await ofApplication(application);
          const options = (id: string) => ({ import: id, retainOnDelete: true });
          new azuread.Application('disk', { displayName, owners: [owner] }, options(application));
          new azuread.ServicePrincipal('disk', { clientId }, options(`/servicePrincipals/${objectId}`));
          new azuread.Group('disk', { displayName: 'disk', securityEnabled: true }, options(group));
          const member = `${groupObjectId}/member/${objectId}`;
          new azuread.GroupMember('disk', { groupObjectId, memberObjectId: objectId }, options(member));
        },
      },
      settings,
    );
    expect((await other.up()).summary.resourceChanges).toEqual({ import: 4, create: 1 });
    await other.destroy();
  }, 120_000);

  it('deletes everything', async () => {
    const id = await output('id');
    expect((await stack.destroy()).summary.resourceChanges).toEqual({ delete: resourceCount });
    await expect(cloud.graph().api(id).get()).rejects.toMatchObject({ statusCode: 404 });
  }, 120_000);
});

/** What an import states of the application, and its owner. */
async function ofApplication(
  id: string,
): Promise<{ clientId: string; displayName: string; objectId: string }> {
  const { objectId } = await azuread.getClientConfig();
  const found = await azuread.getApplication({ objectId: id.replace('/applications/', '') });
  return { clientId: found.clientId, displayName: found.displayName, objectId };
}
