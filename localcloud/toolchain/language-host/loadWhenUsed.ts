import { createRequire } from 'node:module';

// Node loads this before Pulumi's SDK runs a bundle. The SDK loads the TypeScript compiler, ts-node and npm's reader of
// dependency trees at each start, and opens a debugger's session, which slows all code down. It needs them to run
// TypeScript, which a bundle is not, and to serialize functions. So each is loaded when it is used.

type Exports = Record<PropertyKey, unknown>;

/** Puts a stand-in into the cache. It has `own`; anything else that is asked of it loads the module. */
function loadWhenUsed(from: NodeJS.Require, name: string, own: Exports = {}): void {
  const file = resolved(from, name);
  // Not installed: then the SDK does without it, or has a copy of its own.
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
// The SDK waits for its debugger's session at the start. One that is opened later still hears of every script.
loadWhenUsed(sdk, '@pulumi/pulumi/runtime/closure/v8Hooks', { isInitializedAsync: () => Promise.resolve() });
