import { existsSync } from 'node:fs';
import path from 'node:path';

/** Folder of the schemas in a repository that uses the packages, with slashes. */
export const packagedSchemas = 'node_modules/@aks-workload-identity/stacks/schemas';

/** Returns the schema of a project's stack files: its own in a checkout of this project, else that of the package. */
export function stackSchemaFile(project: string): string {
  const own = path.join(project, 'schemas', 'stack.schema.json');
  return existsSync(own) ? own : path.join(project, packagedSchemas, 'stack.schema.json');
}
