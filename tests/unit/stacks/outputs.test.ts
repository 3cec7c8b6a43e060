import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as ts from 'typescript';
import { workloadOf } from '../../../stacks/outputs/stackReference';
import { twoClusters } from '../verification/outputs.fixture';

// What these do not prove: that a stack exports these outputs; the tests of the environment do.

const root = path.join(__dirname, '../../..');

/** Stands for azure-native, whose own types alone take the compiler half a minute. */
const azure = `
import type { Input } from '@pulumi/pulumi';
export declare class RoleAssignment {
  constructor(name: string, args: Record<'scope' | 'principalId' | 'principalType' | 'roleDefinitionId', Input<string>>);
}`;

/** What the compiler says of programs of the project that are in no file; one by one. */
function errorsOf(...sources: string[]): string[][] {
  const folder = path.join(root, 'consumers/orders-storage');
  const stub = path.join(folder, 'azure.d.ts');
  const virtual = new Map([
    [stub, azure],
    ...sources.map((source, index) => [path.join(folder, `${index}.ts`), source] as const),
  ]);
  const { config } = ts.readConfigFile(path.join(root, 'tsconfig.json'), (name) => ts.sys.readFile(name)) as {
    config: unknown;
  };
  const options = {
    ...ts.parseJsonConfigFileContent(config, ts.sys, root).options,
    ...{ noEmit: true, skipLibCheck: true, paths: { '@pulumi/azure-native/*': [stub] } },
  };
  const host = ts.createCompilerHost(options);
  host.readFile = (name) => virtual.get(name) ?? ts.sys.readFile(name);
  host.fileExists = (name) => virtual.has(name) || ts.sys.fileExists(name);
  const files = [...virtual.keys()].slice(1);
  const program = ts.createProgram(files, options, host);
  return files.map((file) =>
    ts
      .getPreEmitDiagnostics(program, program.getSourceFile(file))
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')),
  );
}

describe('the page on outputs', () => {
  const page = readFileSync(path.join(root, 'docs/outputs.md'), 'utf8');
  const [, example = ''] = /```ts\n([\s\S]*?)```/.exec(page) ?? [];

  it('has an example that compiles against the types of the outputs, and would not with a wrong name', () => {
    expect(example).toContain('environmentOutput');
    const [errors, wrongOutput, wrongField] = errorsOf(
      example,
      example.replace("'workloads'", "'workload'"),
      example.replace('orders.version', 'orders.release'),
    );
    expect(errors).toEqual([]);
    expect(wrongOutput).not.toEqual([]);
    expect(wrongField).toEqual([expect.stringContaining("Property 'release' does not exist")]);
  });

  it.each(Object.keys(twoClusters()))('describes %s', (output) => {
    expect(page).toContain(`\`${output}\``);
  });
});

describe('workloadOf', () => {
  const { workloads } = twoClusters();

  it('finds an application on a cluster', () => {
    expect(workloadOf(workloads, { cluster: 'aks-1', application: 'billing' })).toMatchObject({
      cluster: 'aks-1',
      application: 'billing',
    });
  });

  it('names what there is if it is not there', () => {
    expect(() => workloadOf(workloads, { cluster: 'aks-2', application: 'billing' })).toThrow(
      'The environment has no application billing on aks-2. There are: aks-1/orders, aks-2/orders, aks-1/billing, aks-2/reports.',
    );
    expect(() => workloadOf([], { cluster: 'aks-1', application: 'x' })).toThrow('There are: none.');
  });
});
