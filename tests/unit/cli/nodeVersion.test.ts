import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { satisfies } from 'semver';
import { engines } from '../../../package.json';
import { projectRoot } from '../../support/command';

/** Starts the command as if by another version of Node. */
function startedWith(version: string) {
  const command = pathToFileURL(path.join(projectRoot, 'cli/bin.mjs')).href;
  const script = `Object.defineProperty(process.versions, 'node', { value: '${version}' }); await import('${command}');`;
  return spawnSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' });
}

it.each(['18.20.8', '20.18.3', '21.7.3', '22.16.0', '23.11.1'])(
  'the command refuses Node %s, which the package excludes',
  (version) => {
    const { status, stderr } = startedWith(version);
    expect(satisfies(version, engines.node)).toBe(false);
    expect(stderr).toMatch(
      new RegExp(`^error: Node ${version} is not supported: .*\\n  → Install Node 22 or 24`),
    );
    expect(status).toBe(1);
  },
);
