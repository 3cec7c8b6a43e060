import path from 'node:path';
import { stringify } from 'yaml';
import { project as namespace } from '../../stacks/settings/problem';

/** Returns the text of a stack file with the settings. */
export function stackFileText(
  settings: Readonly<Record<string, unknown>>,
  { subscription, file, project }: { subscription: string; file: string; project: string },
): string {
  const config = Object.fromEntries(
    Object.entries(settings).map(([key, value]) => [`${namespace}:${key}`, value]),
  );
  const schema = path.relative(path.dirname(file), path.join(project, 'schemas', 'stack.schema.json'));
  return [
    `# yaml-language-server: $schema=${schema.startsWith('.') ? schema : `./${schema}`}`,
    `# What \`aks-wi init --from-azure\` found in the subscription ${subscription}`,
    '# (docs/azure.md). The stack uses it as it is. Before the first update, `aks-wi import` takes the federated credentials and',
    '# the grants into the stack.',
    // Quotes names that parsers of YAML 1.1 would read as something else, such as `on` and `012`.
    stringify({ config }, { version: '1.1', singleQuote: true, lineWidth: 0 }),
  ].join('\n');
}
