import { createRequire } from 'node:module';

// Node loads this file before Pulumi's SDK runs a bundle. At each start, the SDK loads the TypeScript compiler, ts-node
// and npm's reader of dependency trees, and opens a debugger session, which slows all code down. It needs them only to run
// TypeScript, which a bundle is not, and to serialize functions. So each is loaded only when it is used.

type Exports = Record<PropertyKey, unknown>;

/** Puts a stand-in for a module into Node's cache. It exports `own`; access to any other export loads the module. */
function loadWhenUsed(from: NodeJS.Require, name: string, own: Exports = {}): void {
  const file = resolved(from, name);
  // If the module is not installed, the SDK does without it, or has a copy of its own.
  if (file === undefined) return;
  const load = (): Exports => {
    if (from.cache[file] === standIn) Reflect.deleteProperty(from.cache, file);
    return from(file) as Exports;
  };
  const exports = new Proxy<Exports>(
    { __esModule: true, ...own },
    {
      get: (target, property) => (property in target ? target[property] : load()[property]),
      has: (target, property) => property in target || property in load(),
    },
  );
  const standIn = Object.assign(Object.create(null) as NodeJS.Module, {
    id: file,
    filename: file,
    exports,
    loaded: true,
  });
  from.cache[file] = standIn;
}

function resolved(from: NodeJS.Require, name: string): string | undefined {
  try {
    return from.resolve(name);
  } catch {
    return undefined;
  }
}

const sdk = createRequire(createRequire(__filename).resolve('@pulumi/pulumi'));
for (const name of ['typescript', 'ts-node', '@npmcli/arborist']) loadWhenUsed(sdk, name);
// At its start, the SDK waits for its debugger session. A session that is opened later still learns of every script.
loadWhenUsed(sdk, '@pulumi/pulumi/runtime/closure/v8Hooks', { isInitializedAsync: () => Promise.resolve() });
