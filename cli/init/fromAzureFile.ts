import path from 'node:path';
import { stringify } from 'yaml';
import { project as namespace } from '../../stacks/settings/problem';

/**
 * Returns the text of a stack file with the settings.
 * @param file path of the stack file
 * @param schema path of its schema
 */
export function stackFileText(
  settings: Readonly<Record<string, unknown>>,
  { subscription, file, schema }: { subscription: string; file: string; schema: string },
): string {
  const config = Object.fromEntries(
    Object.entries(settings).map(([key, value]) => [`${namespace}:${key}`, value]),
  );
  const relative = path.relative(path.dirname(file), schema);
  return [
    `# yaml-language-server: $schema=${relative.startsWith('.') ? relative : `./${relative}`}`,
    `# What \`aks-wi init --from-azure\` found in the subscription ${subscription}.`,
    '# The stack uses it as it is. Before the first update, `aks-wi import` takes the federated credentials and the grants into',
    '# the stack.',
    // Quotes names that parsers of YAML 1.1 would read as something else, such as `on` and `012`.
    stringify({ config }, { version: '1.1', singleQuote: true, lineWidth: 0 }),
  ].join('\n');
}
