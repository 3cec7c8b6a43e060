import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { locateStack, rememberSource, upCommand } from '../../../commands/localStack';
import { COMMAND } from '../../../project';

let projectRoot = '';
beforeEach(() => {
  projectRoot = mkdtempSync(path.join(os.tmpdir(), 'stacks-'));
});
afterEach(() => rmSync(projectRoot, { recursive: true }));

const instance = () => ({ projectRoot, folder: path.join(projectRoot, '.state', 'local') });

describe('a stack of the local cloud', () => {
  it('is by default local, with the configuration next to the project file', () => {
    expect(locateStack(instance())).toEqual({
      name: 'local',
      source: 'Pulumi.local.yaml',
      file: path.join(projectRoot, '.state', 'local', 'Pulumi.local.yaml'),
    });
  });

  it('has its own configuration for each name', () => {
    expect(locateStack(instance(), { stack: 'dev' })).toMatchObject({
      source: 'Pulumi.dev.yaml',
      file: path.join(projectRoot, '.state', 'local', 'Pulumi.dev.yaml'),
    });
  });

  it('remembers its file until another is named', () => {
    const stackFile = path.join(projectRoot, 'examples', 'a', 'Pulumi.a.yaml');
    rememberSource(instance(), locateStack(instance(), { stack: 'dev', stackFile }));
    expect(locateStack(instance(), { stack: 'dev' }).source).toBe('examples/a/Pulumi.a.yaml');
    expect(locateStack(instance()).source).toBe('Pulumi.local.yaml');

    const usual = path.join(projectRoot, 'Pulumi.dev.yaml');
    rememberSource(instance(), locateStack(instance(), { stack: 'dev', stackFile: usual }));
    expect(locateStack(instance(), { stack: 'dev' }).source).toBe('Pulumi.dev.yaml');
  });

  it.each(['', 'a/b', '../x', 'a b', 'x'.repeat(101)])('refuses the name %j', (stack) => {
    expect(() => locateStack(instance(), { stack })).toThrow('is not a valid stack name');
  });

  it('is deployed with the command for its name', () => {
    expect(upCommand({ name: 'local' })).toBe(`${COMMAND} up`);
    expect(upCommand({ name: 'dev' })).toBe(`${COMMAND} up --stack dev`);
  });
});
