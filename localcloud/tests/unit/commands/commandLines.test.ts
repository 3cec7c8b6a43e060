import { launcher } from '../../../commands/plugins';
import { changesCommittedSettings, withPolicyPack, withStackFile } from '../../../commands/pulumiCommand';
import { checkRequirements } from '../../../commands/requirements';
import { meansLocal } from '../../../commands/localEnvironment';
import { policyPack, PROJECT, SECRET_VALUES } from '../../../project';
import { splitStackChoice, stackOf } from '../../../commands/stackArgument';
import { product } from '../../support/product';

describe("the user's pulumi arguments", () => {
  it.each([
    [
      ['up', '--yes'],
      ['up', '--config-file', '/f', '--yes'],
    ],
    [
      ['--color', 'never'],
      ['--color', 'never'],
    ],
    [
      ['--logtostderr', 'preview'],
      ['--logtostderr', 'preview', '--config-file', '/f'],
    ],
    [
      ['config', 'get', 'a'],
      ['config', '--config-file', '/f', 'get', 'a'],
    ],
    [
      ['stack', 'output'],
      ['stack', 'output'],
    ],
    [
      ['up', '--config-file', '/own'],
      ['up', '--config-file', '/own'],
    ],
    [
      ['up', '--config-file=/own'],
      ['up', '--config-file=/own'],
    ],
    [[], []],
  ])('%j get the stack file if the command accepts one', (args, expected) => {
    expect(withStackFile(args, '/f')).toEqual(expected);
  });

  it.each([
    [
      ['up', '--yes'],
      ['up', ...policyPack, '--yes'],
    ],
    [
      ['--logtostderr', 'preview'],
      ['--logtostderr', 'preview', ...policyPack],
    ],
    [
      ['destroy', '--yes'],
      ['destroy', '--yes'],
    ],
    [
      ['up', '--policy-pack', 'own'],
      ['up', '--policy-pack', 'own'],
    ],
    [
      ['up', '--policy-pack=own'],
      ['up', '--policy-pack=own'],
    ],
    [[], []],
  ])('%j get the policy pack if the command shows or makes changes', (args, expected) => {
    expect(withPolicyPack(args)).toEqual(expected);
  });
});

describe('settings that are not encrypted', () => {
  const name = `${PROJECT}:revoked`;
  it.each([
    ['config set revoked.a b --path', true],
    ['config set-all --plaintext a=b', true],
    ['config set --secret a b', false],
    ['config rm --stack dev --path revoked.applications.orders', true],
    [`--logtostderr cfg remove ${name}`, true],
    [`config rm ${SECRET_VALUES}`, false],
    [`config rm other:revoked`, false],
    ['config rm kubeconfigs', false],
    ['config get revoked', false],
    ['stack rm revoked', false],
  ])('%s changes them: %s', (line, expected) => {
    expect(changesCommittedSettings(line.split(' '), [name, SECRET_VALUES])).toBe(expected);
  });
});

describe('the stack of a command line', () => {
  it.each([
    [['verify', '--stack', 'local'], 'local'],
    [['verify', '--json', '--stack=dev'], 'dev'],
    [['verify', '-s', 'local'], 'local'],
    [['verify'], undefined],
    [['verify', '--stack'], undefined],
  ])('%j is %s', (args, expected) => {
    expect(stackOf(args)).toBe(expected);
  });
});

describe('the stack of a pulumi command line', () => {
  it.each([
    [['preview', '--diff'], {}, ['preview', '--diff']],
    [['--stack', 'prod', 'preview'], { stack: 'prod' }, ['preview']],
    [['-s=prod', 'preview'], { stack: 'prod' }, ['preview']],
    [['preview', '--stack', 'prod'], { stack: 'prod' }, ['preview', '--stack', 'prod']],
    [
      ['--stack=dev', '--stack-file', 'a.yaml', 'up', '--yes'],
      { stack: 'dev', stackFile: 'a.yaml' },
      ['up', '--yes'],
    ],
    [['up', '--stack-file=a.yaml', '--yes'], { stackFile: 'a.yaml' }, ['up', '--yes']],
    [['--file', 'a.yaml', 'preview'], { stackFile: 'a.yaml' }, ['preview']],
    [['preview', '--file=a.yaml', '--diff'], { stackFile: 'a.yaml' }, ['preview', '--diff']],
    [
      ['--file=a.yaml', 'import', '--file', 'b.json'],
      { stackFile: 'a.yaml' },
      ['import', '--file', 'b.json'],
    ],
    [
      ['stack', 'export', '--file', 'b.json'],
      { stackFile: undefined },
      ['stack', 'export', '--file', 'b.json'],
    ],
    [['plugin', 'install', '--file=b'], {}, ['plugin', 'install', '--file=b']],
    [['config', 'set', 'a', '--', '--stack'], {}, ['config', 'set', 'a', '--', '--stack']],
  ])('%j', (args, choice, rest) => {
    expect(splitStackChoice(args)).toEqual({ choice: expect.objectContaining(choice) as unknown, rest });
  });
});

describe('the cloud of a command', () => {
  const deployed = (stack: string): boolean => stack === 'dev';
  it.each([
    ['stack local', ['verify', '--stack', 'local'], true],
    ['a stack that the local cloud has', ['verify', '--stack', 'dev'], true],
    ['a stack that it does not have', ['verify', '--stack', 'prod'], false],
    ['a stack that it does not have, with --local', ['verify', '--stack', 'prod', '--local'], true],
    ['a stack that it has, with --no-local', ['verify', '--stack', 'dev', '--no-local'], false],
    ['the last word', ['verify', '--local', '--stack=prod', '--no-local'], false],
    ['a command that needs no cloud', ['validate', '--stack', 'dev'], false],
    ['the stack that the command reads', ['promote', '--from', 'dev', '--stack', 'prod'], true],
    ['no stack', ['verify'], false],
    ['its help', ['verify', '--stack', 'dev', '--help'], false],
  ])('is the local one or Azure: %s', (_what, args, expected) => {
    expect(meansLocal(product, args, deployed)).toBe(expected);
  });
});

describe('the script that starts a plugin', () => {
  it('quotes paths with blanks and quotes', () => {
    expect(launcher('/opt/my node', "/it's/a.cjs")).toBe(
      `#!/bin/sh\nexec '/opt/my node' --enable-source-maps '/it'\\''s/a.cjs' "$@"\n`,
    );
  });
});

describe('the machine', () => {
  it.each(['20.19.0', '22.1.0', '24.0.0'])('may have Node %s', (version) => {
    expect(() => checkRequirements(version, 'linux')).not.toThrow();
  });

  it.each(['18.20.0', '20.18.3'])('may not have Node %s', (version) => {
    expect(() => checkRequirements(version, 'linux')).toThrow(`Node ${version} is too old: 20.19 or newer`);
  });

  it('must run Linux', () => {
    expect(() => checkRequirements('22.1.0', 'darwin')).toThrow('Linux only, and this is darwin');
  });
});
