import { readFileSync, writeFileSync } from 'node:fs';
import { isMap, parseDocument } from 'yaml';
import { project } from '../../stacks/offline';
import { VisibleError } from '../visibleError';
import type { Found } from './find';
import { nameOf } from './preview';

/**
 * Records under `imported` in a stack file the names in Azure of resources that exist under another name. Other values,
 * comments and blank lines stay as they are.
 */
export function recordAliases(file: string, found: readonly Found[]): void {
  const document = parseDocument(readFileSync(file, 'utf8'));
  if (document.errors.length > 0 || !isMap(document.get('config'))) {
    throw new VisibleError(
      `${file} cannot be changed: it has no configuration (\`config\`), or is not valid YAML.`,
      'Name the file that has the configuration of the stack with --stack-file.',
    );
  }
  for (const { urn, alias } of found) {
    if (alias === undefined) continue;
    document.setIn(['config', `${project}:imported`, alias.kind, nameOf(urn)], alias.name);
  }
  // Long lines are left as they are.
  writeFileSync(file, document.toString({ lineWidth: 0 }));
}
