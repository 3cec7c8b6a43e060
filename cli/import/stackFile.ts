import { readFileSync, writeFileSync } from 'node:fs';
import { isMap, parseDocument } from 'yaml';
import { project } from '../../stacks/settings/problem';
import { withValue } from '../../stacks/settings/yamlEdit';
import { UserError } from '../userError';
import type { ExistingResource } from './find';
import { nameInUrn } from '../preview';

/**
 * Records, under `imported` in a stack file, the names in Azure of resources that exist under another name. Everything else in
 * the file stays as it is.
 */
export function recordAliases(file: string, existing: readonly ExistingResource[]): void {
  let text = readFileSync(file, 'utf8');
  const document = parseDocument(text);
  if (document.errors.length > 0 || !isMap(document.get('config'))) {
    throw new UserError(
      `${file} cannot be changed: it has no configuration (\`config\`), or is not valid YAML.`,
      'Name the file that has the configuration of the stack with --file.',
    );
  }
  for (const { urn, alias } of existing) {
    if (alias === undefined) continue;
    text = withValue(text, ['config', `${project}:imported`, alias.kind, nameInUrn(urn)], alias.name);
  }
  writeFileSync(file, text);
}
