// Writes the plugins' shapes.json again, after a change of a table or of an npm package's version:
//   npx esbuild localcloud/plugins/writeShapes.ts --bundle --platform=node --external:typescript \
//     --external:prettier --outfile=dist/write-shapes.cjs && node dist/write-shapes.cjs
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { format } from 'prettier';
import * as azuread from './azuread/types';
import * as azureNative from './azure-native/table';
import { extractShapes, type Declared } from './resources/shapes/extract';
import * as tls from './tls/types';

async function write(plugin: string, declared: Declared[]): Promise<void> {
  const shapes = extractShapes(path.resolve('node_modules/@pulumi', plugin), declared);
  const file = path.resolve('localcloud/plugins', plugin, 'shapes/shapes.json');
  writeFileSync(file, await format(JSON.stringify(shapes, null, 2), { parser: 'json' }));
}

async function main(): Promise<void> {
  await write('azure-native', azureNative.declaredTypes());
  await write('azuread', azuread.declaredTypes());
  await write('tls', tls.declaredTypes());
}

void main();
