// Writes shapes.json anew, after a change of the table or of the npm package's version:
//   npx esbuild localcloud/plugins/azure-native/shapes/write.ts --bundle --platform=node --external:typescript \
//     --external:prettier --outfile=dist/write-shapes.cjs && node dist/write-shapes.cjs
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { format } from 'prettier';
import { declaredTypes } from '../table';
import { extractShapes } from './extract';

async function main(): Promise<void> {
  const shapes = extractShapes(path.resolve('node_modules/@pulumi/azure-native'), declaredTypes());
  const file = path.resolve('localcloud/plugins/azure-native/shapes/shapes.json');
  writeFileSync(file, await format(JSON.stringify(shapes, null, 2), { parser: 'json' }));
}

void main();
