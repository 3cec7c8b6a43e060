import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { apiVersionOf } from '../../../../plugins/kubernetes/client/kinds';
import { helmVariables, settingNames } from '../../../../plugins/kubernetes/config/settings';
import { forceNewPaths } from '../../../../plugins/kubernetes/objects/forceNew';
import { kindOfToken } from '../../../../plugins/kubernetes/objects/token';
import { releaseInputs, repositoryInputs } from '../../../../plugins/kubernetes/releases/properties';
import { releaseState } from '../../../../plugins/kubernetes/releases/state';
import { isObject } from '../../../../plugins/protocol';

// This proves that the plugin's inputs and outputs have the names that the npm package declares.
const packageFolder = path.dirname(require.resolve('@pulumi/kubernetes/package.json'));

function parse(file: string): ts.SourceFile {
  const text = readFileSync(path.join(packageFolder, file), 'utf8');
  return ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true);
}

type Members = Map<string, string>;

/** Members of an interface, or of the outputs of a class, by name, with the text of their types. */
function membersOf(statements: readonly ts.Statement[], name: string): Members {
  for (const statement of statements) {
    const isType = ts.isInterfaceDeclaration(statement) || ts.isClassDeclaration(statement);
    if (!isType || statement.name?.text !== name) continue;
    return new Map(
      [...statement.members].flatMap((member): [string, string][] =>
        ts.isPropertySignature(member) || ts.isPropertyDeclaration(member)
          ? [[member.name.getText().replaceAll(/["']/g, ''), member.type?.getText() ?? '']]
          : [],
      ),
    );
  }
  throw new Error(`${name} is not declared`);
}

/** The statements of a namespace such as `core.v1`. */
function namespaceOf(source: ts.SourceFile, name: string): readonly ts.Statement[] {
  return name.split('.').reduce<readonly ts.Statement[]>((statements, step) => {
    const found = statements.find(
      (statement): statement is ts.ModuleDeclaration =>
        ts.isModuleDeclaration(statement) && statement.name.text === step,
    );
    if (found?.body === undefined || !ts.isModuleBlock(found.body)) throw new Error(`no namespace ${step}`);
    return found.body.statements;
  }, source.statements);
}

const inputTypes = parse('types/input.d.ts');
const outputTypes = parse('types/output.d.ts');
const sorted = (names: Iterable<string>): string[] => [...names].sort();

describe('the provider', () => {
  it('has the declared inputs', () => {
    const declared = membersOf(parse('provider.d.ts').statements, 'ProviderArgs');
    expect(sorted(settingNames)).toEqual(sorted(declared.keys()));
  });

  it('has the declared members of helmReleaseSettings', () => {
    const declared = membersOf(inputTypes.statements, 'HelmReleaseSettings');
    expect(sorted(Object.keys(helmVariables))).toEqual(sorted(declared.keys()));
  });
});

describe('a release', () => {
  const release = parse('helm/v3/release.d.ts');

  it('has the declared inputs', () => {
    expect(sorted(releaseInputs)).toEqual(sorted(membersOf(release.statements, 'ReleaseArgs').keys()));
  });

  it('has the declared members of repositoryOpts', () => {
    const declared = membersOf(namespaceOf(inputTypes, 'helm.v3'), 'RepositoryOpts');
    expect(sorted(repositoryInputs)).toEqual(sorted(declared.keys()));
  });

  it('has the declared members of its status', () => {
    const declared = membersOf(namespaceOf(outputTypes, 'helm.v3'), 'ReleaseStatus');
    const record = { status: 'deployed', revision: 1, manifest: '', hooks: [], config: {} };
    const chart = { chart: 'c', version: '1.0.0', appVersion: '1' };
    const { status } = releaseState({}, { name: 'n', namespace: 'd' }, record, chart);
    expect(isObject(status) ? sorted(Object.keys(status)) : []).toEqual(sorted(declared.keys()));
  });
});

const withoutObjects = ['helm', 'meta', 'yaml', 'kustomize', 'node_modules', 'scripts', 'types', 'tests'];
/** Groups that the package still declares but no supported API server serves. */
const noLongerServed = ['auditregistration', 'extensions', 'lifecycle', 'settings'];

/** Every resource of the package that is a single Kubernetes object: file → token. */
function declaredObjects(): [string, string][] {
  const groups = readdirSync(packageFolder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return groups
    .filter((group) => ![...withoutObjects, ...noLongerServed].includes(group.name))
    .flatMap((group) => {
      const versions = readdirSync(path.join(packageFolder, group.name)).filter((name) => /^v\d/.test(name));
      return versions.flatMap((version) =>
        readdirSync(path.join(packageFolder, group.name, version))
          .filter((file) => file.endsWith('.js') && !/^index|List\.js$/.test(file))
          .map((file) => path.join(group.name, version, file)),
      );
    })
    .flatMap((file): [string, string][] => {
      const token = /__pulumiType = '([^']+)'/.exec(
        readFileSync(path.join(packageFolder, file), 'utf8'),
      )?.[1];
      return token === undefined ? [] : [[file, token]];
    });
}

describe('objects', () => {
  const objects = declaredObjects();

  it('have the apiVersion and kind that the package sets for their type', () => {
    expect(objects.length).toBeGreaterThan(100);
    const wrong = objects.filter(([file, token]) => {
      const source = readFileSync(path.join(packageFolder, file), 'utf8');
      const apiVersion = /resourceInputs\["apiVersion"\] = "([^"]+)"/.exec(source)?.[1];
      const kind = /resourceInputs\["kind"\] = "([^"]+)"/.exec(source)?.[1];
      const parsed = kindOfToken(token);
      return apiVersionOf(parsed) !== apiVersion || parsed.kind !== kind;
    });
    expect(wrong).toEqual([]);
  });

  it('are patches where the package declares them so, and only there', () => {
    const patches = objects.filter(([file]) => file.endsWith('Patch.js'));
    expect(patches.length).toBeGreaterThan(50);
    expect(objects.filter(([, token]) => kindOfToken(token).patch).sort()).toEqual(patches.sort());
    expect(kindOfToken('kubernetes:example.org/v1:DailyPatch')).toEqual({
      group: 'example.org',
      version: 'v1',
      kind: 'DailyPatch',
    });
  });

  it('are replaced for declared inputs only', () => {
    const mutability = { enableSecretMutable: false, enableConfigMapMutable: false, immutable: true };
    const current = objects.filter(
      ([file]) => /^(core|apps|batch|rbac|storage)\/v1\//.test(file) && !file.endsWith('Patch.js'),
    );
    const checked: string[] = [];
    for (const [file, token] of current) {
      const declaration = file.replace(/\.js$/, '.d.ts');
      const { kind } = kindOfToken(token);
      const args = membersOf(parse(declaration).statements, `${kind}Args`);
      for (const forced of forceNewPaths(kindOfToken(token), mutability)) {
        const [first = '', second] = forced.split('.');
        const type = args.get(first);
        expect({ token, forced, declared: type !== undefined }).toEqual({ token, forced, declared: true });
        const nested = /inputs\.([\w.]+)\.(\w+)/.exec(type ?? '');
        if (second === undefined || nested === null) continue;
        const [, space = '', name = ''] = nested;
        const members = membersOf(namespaceOf(inputTypes, space), name);
        expect({ token, forced, declared: members.has(second) }).toEqual({ token, forced, declared: true });
        checked.push(`${kind}.${forced}`);
      }
    }
    expect(checked).toEqual(
      expect.arrayContaining(['Deployment.spec.selector', 'Service.spec.clusterIP', 'Secret.metadata.name']),
    );
  });
});

describe('tokens that are no single object', () => {
  it.each([
    'kubernetes:core/v1:PodList',
    'kubernetes:helm.sh/v4:Chart',
    'kubernetes:meta/v1:Status',
    'other:x',
  ])('%s is refused by name', (token) => {
    expect(() => kindOfToken(token)).toThrow(token);
  });
});
