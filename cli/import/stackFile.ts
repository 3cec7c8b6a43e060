import { readFileSync, writeFileSync } from 'node:fs';
import { isMap, parseDocument } from 'yaml';
import { project } from '../../stacks/offline';
import { VisibleError } from '../visibleError';
import type { AliasKind } from './find';

/** A resource that exists under another name than the program would give it. */
export interface Alias {
  kind: AliasKind;
  /** Name in the stack. */
  inStack: string;
  /** Name in Azure. */
  inAzure: string;
}

/** Records names under `imported` in a stack file; its other values, comments and blank lines stay as they are. */
export function recordAliases(file: string, aliases: readonly Alias[]): void {
  const document = parseDocument(readFileSync(file, 'utf8'));
  if (document.errors.length > 0 || !isMap(document.get('config'))) {
    throw new VisibleError(
      `${file} cannot be changed: it has no configuration (\`config\`), or is not valid YAML.`,
      'Name the file that has the configuration of the stack with --stack-file.',
    );
  }
  for (const { kind, inStack, inAzure } of aliases) {
    document.setIn(['config', `${project}:imported`, kind, inStack], inAzure);
  }
  // Long lines are left as they are.
  writeFileSync(file, document.toString({ lineWidth: 0 }));
}
