import { project } from './problem';

/**
 * Reads the stack's configuration as Pulumi passes it to a program: every value is a string, with objects and lists as JSON.
 * Values of other namespaces (`azure-native:location`) are left out.
 */
export function fromPulumiConfig(all: Readonly<Record<string, string>>): Record<string, unknown> {
  const prefix = `${project}:`;
  return Object.fromEntries(
    Object.entries(all)
      .filter(([key]) => key.startsWith(prefix))
      .map(([key, text]) => [key.slice(prefix.length), parseValue(text)]),
  );
}

/**
 * Parses a value. The engine passes objects, lists and booleans as JSON; everything else at the top level is a string, such as
 * a group `1234`.
 */
export function parseValue(text: string): unknown {
  if (!/^[[{]|^(true|false)$/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
