import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import type { FieldNotation, Shapes } from './shape';

/** A resource class or function of the npm package. */
export interface Declared {
  token: string;
  kind: 'resource' | 'function';
}

/**
 * Reads names, kinds and requiredness of all inputs and outputs from the type declarations of an installed npm
 * package, so that the plugin accepts exactly what a program can write.
 *
 * @param packageFolder folder of the npm package
 */
export function extractShapes(packageFolder: string, declared: Declared[]): Shapes {
  const reader = new DeclarationReader(packageFolder);
  const shapes: Shapes = { version: reader.version(), resources: {}, functions: {}, types: {} };
  for (const { token, kind } of declared) {
    const [, module = '', name = ''] = token.split(':');
    const file = reader.file(module, name);
    const pascal = name.charAt(0).toUpperCase() + name.slice(1);
    const [, apiVersion] = /Uses Azure REST API version ([\w-]+)\./.exec(file.text) ?? [];
    const version = apiVersion === undefined ? {} : { apiVersion };
    const inputs = reader.interfaceIn(file, `${pascal}Args`);
    if (kind === 'resource') {
      shapes.resources[token] = {
        ...version,
        inputs: inputs ?? {},
        outputs: reader.classProperties(file, pascal),
      };
    } else {
      const outputs = reader.interfaceIn(file, `${pascal}Result`);
      if (outputs === undefined) throw new Error(`${token}: no interface ${pascal}Result in the package`);
      shapes.functions[token] = { ...version, inputs: inputs ?? {}, outputs };
    }
  }
  shapes.types = reader.referencedTypes();
  return shapes;
}

class DeclarationReader {
  private readonly types = new Map<string, Record<string, FieldNotation>>();
  private readonly pending: string[] = [];
  private readonly namespaces = new Map<string, ts.SourceFile>();
  private readonly texts = new Map<string, string>();

  constructor(private readonly folder: string) {}

  version(): string {
    const manifest: unknown = JSON.parse(readFileSync(path.join(this.folder, 'package.json'), 'utf8'));
    const version =
      typeof manifest === 'object' && manifest !== null && 'version' in manifest ? manifest.version : '';
    return String(version);
  }

  file(module: string, name: string): ts.SourceFile {
    const file = path.join(this.folder, declarationFile(module, name));
    if (!existsSync(file)) throw new Error(`the package has no declarations for ${module}:${name} (${file})`);
    return ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  }

  interfaceIn(file: ts.SourceFile, name: string): Record<string, FieldNotation> | undefined {
    const declaration = find(file, (node) => ts.isInterfaceDeclaration(node) && node.name.text === name);
    return declaration && ts.isInterfaceDeclaration(declaration)
      ? this.members(declaration.members)
      : undefined;
  }

  classProperties(file: ts.SourceFile, name: string): Record<string, FieldNotation> {
    const declaration = find(file, (node) => ts.isClassDeclaration(node) && node.name?.text === name);
    if (!declaration || !ts.isClassDeclaration(declaration))
      throw new Error(`no class ${name} in ${file.fileName}`);
    return this.members(declaration.members);
  }

  /** Returns all nested types that were found, and the types that they refer to. */
  referencedTypes(): Record<string, Record<string, FieldNotation>> {
    for (let next = this.pending.pop(); next !== undefined; next = this.pending.pop()) {
      const [direction = '', ...rest] = next.split('.');
      const name = rest.pop() ?? '';
      const members = this.interfaceIn(this.namespace(direction, rest.join('.')), name);
      if (members === undefined) throw new Error(`no interface ${next} in the package's types`);
      this.types.set(next, members);
    }
    return Object.fromEntries([...this.types].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /**
   * Returns the part of the declaration files with one module, because parsing the whole 8 MB of azure-native would take
   * seconds. Packages without modules have all types at the top level.
   */
  private namespace(direction: string, module: string): ts.SourceFile {
    const key = `${direction}.${module}`;
    const known = this.namespaces.get(key);
    if (known) return known;
    const file = path.join(this.folder, 'types', direction === 'inputs' ? 'input.d.ts' : 'output.d.ts');
    const text = this.texts.get(file) ?? readFileSync(file, 'utf8');
    this.texts.set(file, text);
    const source = ts.createSourceFile(file, moduleText(text, module, file), ts.ScriptTarget.Latest, true);
    this.namespaces.set(key, source);
    return source;
  }

  private members(members: ts.NodeArray<ts.TypeElement | ts.ClassElement>): Record<string, FieldNotation> {
    const fields: [string, FieldNotation][] = [];
    for (const member of members) {
      if (!ts.isPropertySignature(member) && !ts.isPropertyDeclaration(member)) continue;
      if (ts.canHaveModifiers(member) && hasStatic(member)) continue;
      if (member.type === undefined) continue;
      const { type, optional } = withoutUndefined(member.type);
      const required = member.questionToken === undefined && !optional;
      fields.push([
        ts.isStringLiteral(member.name) ? member.name.text : member.name.getText(),
        `${this.notation(type)}${required ? '!' : ''}`,
      ]);
    }
    return Object.fromEntries(fields.sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  private notation(node: ts.TypeNode): string {
    const { type } = withoutUndefined(node);
    if (ts.isArrayTypeNode(type)) return `[${this.notation(type.elementType)}]`;
    if (ts.isTypeLiteralNode(type)) {
      const index = type.members.find(ts.isIndexSignatureDeclaration);
      return index ? `{${this.notation(index.type)}}` : 'any';
    }
    if (ts.isUnionTypeNode(type)) {
      const members = type.types.filter((member) => member.kind !== ts.SyntaxKind.UndefinedKeyword);
      const kinds = new Set(members.map((member) => this.notation(member)));
      return kinds.size === 1 ? ([...kinds][0] ?? 'any') : 'any';
    }
    if (ts.isTypeReferenceNode(type)) return this.reference(type.typeName.getText());
    const text = type.getText();
    return text === 'string' || text === 'number' || text === 'boolean' ? text : 'any';
  }

  private reference(name: string): string {
    if (name.startsWith('enums.')) return 'string';
    if (!name.startsWith('inputs.') && !name.startsWith('outputs.')) return 'any';
    if (!this.types.has(name)) {
      this.types.set(name, {});
      this.pending.push(name);
    }
    return name;
  }
}

/**
 * Returns the declaration file of a type: `keyvault/vault.d.ts` for `keyvault` and `Vault`; if the token contains the
 * file, as `index/privateKey` does, `privateKey.d.ts`.
 */
function declarationFile(module: string, name: string): string {
  const lower = name.charAt(0).toLowerCase() + name.slice(1);
  return module.includes('/') ? `${module.replace(/^index\//, '')}.d.ts` : path.join(module, `${lower}.d.ts`);
}

function moduleText(text: string, module: string, file: string): string {
  if (module === '') return text;
  const start = text.indexOf(`export declare namespace ${module} {`);
  const end = text.indexOf('\n}\n', start);
  if (start < 0) throw new Error(`no namespace ${module} in ${file}`);
  return text.slice(start, end + 3);
}

/** Converts `pulumi.Output<T | undefined>` to T, optional. Enumerations that also allow any string become strings. */
function withoutUndefined(node: ts.TypeNode): { type: ts.TypeNode; optional: boolean } {
  if (ts.isTypeReferenceNode(node) && /^pulumi\.(Input|Output)$/.test(node.typeName.getText())) {
    const argument = node.typeArguments?.[0];
    return argument ? withoutUndefined(argument) : { type: node, optional: false };
  }
  if (ts.isParenthesizedTypeNode(node)) return withoutUndefined(node.type);
  if (!ts.isUnionTypeNode(node)) return { type: node, optional: false };
  const rest = node.types.filter((type) => type.kind !== ts.SyntaxKind.UndefinedKeyword);
  const optional = rest.length < node.types.length;
  const [only] = rest;
  return only && rest.length === 1
    ? { type: withoutUndefined(only).type, optional }
    : { type: node, optional };
}

function hasStatic(node: ts.HasModifiers): boolean {
  return ts.getModifiers(node)?.some((modifier) => modifier.kind === ts.SyntaxKind.StaticKeyword) ?? false;
}

function find(root: ts.Node, matches: (node: ts.Node) => boolean): ts.Node | undefined {
  if (matches(root)) return root;
  return ts.forEachChild(root, (child) => find(child, matches));
}
