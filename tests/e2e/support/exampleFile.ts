import { readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../../support/command';

/** Returns the stack file of an example, whose stack has the name of its folder. */
export const exampleFile = (name: string): string =>
  readFileSync(path.join(projectRoot, 'examples/configurations', name, `Pulumi.${name}.yaml`), 'utf8');
