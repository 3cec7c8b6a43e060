import { readFileSync } from 'node:fs';
import path from 'node:path';
import { satisfies } from 'semver';

// Each package says which versions of Node it is for; npm warns (EBADENGINE) on others.

const root = path.resolve(__dirname, '..', '..', '..');
const read = (file: string) => JSON.parse(readFileSync(path.join(root, file), 'utf8')) as unknown;
const { engines } = read('package.json') as { engines: { node: string } };
const { packages } = read('package-lock.json') as {
  packages: Record<string, { engines?: { node?: string } }>;
};

describe('the versions of Node', () => {
  it.each(['20.19.0', '22.17.0', '22.23.3', '24.0.0', '24.21.0'])('have %s among them', (version) => {
    expect(satisfies(version, engines.node)).toBe(true);
  });

  it.each(['22.17.0', '24.0.0'])('give no warning at an installation with %s', (version) => {
    const others = Object.entries(packages).filter(
      ([, { engines: own }]) => own?.node !== undefined && !satisfies(version, own.node),
    );

    expect(others.map(([place]) => place)).toEqual([]);
  });

  it.each(['.github/actions/setup/action.yml', '.azure-pipelines/setup.yml'])('are those of %s', (file) => {
    const [, version = ''] =
      /(?:node-version|versionSpec): (\d+)/.exec(readFileSync(path.join(root, file), 'utf8')) ?? [];

    expect(satisfies(`${version}.17.0`, engines.node)).toBe(true);
  });
});
