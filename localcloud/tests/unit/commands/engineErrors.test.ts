import { deploymentFailed, parseErrors, withEventLog } from '../../../commands/engineErrors';
import type { LocalStack } from '../../../commands/localStack';
import { locateInstance } from '../../../daemon/instance';
import { product } from '../../support/product';
import { COMMAND, commandLine } from '../../../project';

const event = (severity: string, message: string): string =>
  JSON.stringify({ sequence: 1, timestamp: 2, diagnosticEvent: { severity, message, color: 'never' } });

const log = '/state/local/logs/localcloud.log';
const stack = { name: 'local', source: 'Pulumi.local.yaml', file: '/state/local/Pulumi.local.yaml' };
const dev = { name: 'dev', source: 'examples/dev.yaml', file: '/state/local/Pulumi.dev.yaml' };

describe("the engine's event log", () => {
  it('returns the text of every error, without colours, and nothing else', () => {
    const text = [
      event('info#err', 'working'),
      JSON.stringify({ sequence: 2, resourcePreEvent: { metadata: {} } }),
      event('error', '<{%reset%}>first\nline two<{%reset%}>\n'),
      event('warning', 'careful'),
      event('error', '\u001b[31msecond\u001b[0m'),
      '{"sequence": 9, "diagnosticEvent": {"sev',
    ].join('\n');
    expect(parseErrors(text)).toEqual(['first\nline two', 'second']);
  });

  it('returns what mandatory policies refuse, and not what others advise', () => {
    const text = ['mandatory', 'advisory']
      .map((enforcementLevel, index) => ({
        policyEvent: { message: 'x', enforcementLevel, policyName: `p${index}` },
      }))
      .map((event) => JSON.stringify(event))
      .join('\n');
    expect(parseErrors(text)).toEqual(['refused by policy p0']);
  });

  it('is requested with the option and variable that the engine needs', () => {
    const context = { instance: locateInstance('/project', {}), stack, pulumi: '/pulumi', env: { A: '1' } };
    expect(withEventLog(context).env).toEqual({ A: '1', PULUMI_DEBUG_COMMANDS: 'true' });
  });
});

const failed = (errors: string[], log: string, stack: LocalStack, inPreview = false) =>
  deploymentFailed(errors, log, stack, product, inPreview);

describe('a failed deployment', () => {
  it('that the program refused says that nothing was changed', () => {
    const error = failed(['Pulumi.local.yaml is invalid'], log, stack);
    expect(error.message).toBe('The configuration was refused; nothing was changed.');
    expect(error.hint).toBe('Correct Pulumi.local.yaml as described above and run the command again.');
    expect(error.exitCode).toBe(1);
  });

  it('that policies refused names each, and how to except it', () => {
    const refused = ['tags', 'access-mode', 'tags'].map((name) => `refused by policy ${name}`);
    const error = failed([...refused, 'resource kv is invalid'], log, dev);
    expect(error.message).toBe(
      'pulumi up failed, refused by the policy pack (tags, access-mode); completed changes are kept.',
    );
    expect(error.hint).toBe(
      'Correct examples/dev.yaml as described above, or add an exception, and run the command again.',
    );
  });

  it('says that nothing was changed where the preview failed', () => {
    const messageOf = (error: string) => failed([error], log, dev, true).message;
    expect(messageOf('refused by policy tags')).toBe(
      'pulumi up failed, refused by the policy pack (tags); nothing was changed.',
    );
    expect(messageOf('ConflictError: taken')).toBe('pulumi up failed; nothing was changed.');
  });

  it('name the policy that refused, whatever the engine reports of what it stops', () => {
    const closing = 'grpc: the client connection is closing';
    const { message } = failed([closing, 'refused by policy kept-in-production'], log, dev);
    expect(message).toContain('refused by the policy pack (kept-in-production)');
  });

  it('that replaces a cluster with its contents says why it cannot, and the hint', () => {
    const error = failed(['grpc: the client connection is closing', 'update failed'], log, dev);
    expect(error.message).toContain('replaces a cluster and the resources in it');
    expect(error.message).toContain('https://github.com/pulumi/pulumi/issues/14650');
    expect(error.hint).toBe(
      `Undo the change in examples/dev.yaml. Or remove everything first: ${commandLine('clean')}, then ${commandLine('up --stack dev')}.`,
    );
  });

  it('over the name of a deleted secret says how to recover it', () => {
    const error = failed(
      ['Conflict: Secret invoices-files is currently in a deleted but recoverable state, and its name …'],
      log,
      dev,
    );
    expect(error.message).toContain('the name of the deleted secret invoices-files is still reserved');
    expect(error.hint).toContain('az keyvault secret recover --name invoices-files');
    expect(error.hint).toContain(`${COMMAND} import --stack dev`);
  });

  it('over an existing resource says how to import it', () => {
    const error = failed(["cannot create already existing resource '/subscriptions/s'", 'failed'], log, dev);
    expect(error.message).toContain('already exists; completed changes are kept');
    expect(error.hint).toBe(
      `Import it with ${commandLine('import --stack dev')}, and run the command again.`,
    );
  });

  it('over an existing resource names Pulumi where the product has no import', () => {
    const { import: _import, ...commands } = product.commands;
    const error = deploymentFailed(['RoleAssignmentExists'], log, dev, { ...product, commands }, false);
    expect(error.hint).toBe(
      `Import it with ${commandLine('pulumi --stack dev import')}, and run the command again.`,
    );
  });

  it.each([
    '400 BadRequest: Issuer and subject combination already exists for this Managed Identity.',
    '409 RoleAssignmentExists: The role assignment already exists.',
    '/subscriptions/s exists in Azure, and the stack would create it.',
  ])('over anything else that exists says the same: %s', (message) => {
    expect(failed([message], log, dev).hint).toContain(`${COMMAND} import --stack dev`);
  });

  it('of another kind names the log', () => {
    const error = failed(['ConflictError: taken', 'update failed'], log, stack);
    expect(error.message).toBe('pulumi up failed; completed changes are kept.');
    expect(error.hint).toContain(log);
  });
});
