import { launcher } from '../../../localcloud/commands/plugins';
import { withStackFile } from '../../../localcloud/commands/pulumiCommand';
import { checkRequirements } from '../../../localcloud/commands/requirements';
import { stackOf } from '../../../localcloud/commands/stackArgument';

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
  ])('%j get the stack file where they take one', (args, expected) => {
    expect(withStackFile(args, '/f')).toEqual(expected);
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

describe('the script that starts a plugin', () => {
  it('keeps paths with blanks and quotes whole', () => {
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
