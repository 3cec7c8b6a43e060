import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { stackFileText } from '../../../cli/init/fromAzureFile';
import { stackSchemaFile } from '../../../cli/init/schemaFile';

// Where the first line of a stack file of `init --from-azure` leads an editor. That the package has the schema there, the
// test of the packages proves.

const project = mkdtempSync(path.join(tmpdir(), 'schema-'));
afterAll(() => rmSync(project, { recursive: true }));

const firstLine = (file: string) =>
  stackFileText(
    {},
    { subscription: 's', file: path.join(project, file), schema: stackSchemaFile(project) },
  ).split('\n')[0];

const line = (schema: string) => `# yaml-language-server: $schema=${schema}/stack.schema.json`;

it('is the schema of the package in a repository that uses the packages', () => {
  const packaged = 'node_modules/@aks-workload-identity/stacks/schemas';
  expect(firstLine('Pulumi.prod.yaml')).toBe(line(`./${packaged}`));
  expect(firstLine('stacks/Pulumi.prod.yaml')).toBe(line(`../${packaged}`));
});

it('is the own schema in a checkout of the project', () => {
  mkdirSync(path.join(project, 'schemas'));
  writeFileSync(path.join(project, 'schemas', 'stack.schema.json'), '{}');

  expect(firstLine('Pulumi.prod.yaml')).toBe(line('./schemas'));
  expect(firstLine('stacks/Pulumi.prod.yaml')).toBe(line('../schemas'));
});
