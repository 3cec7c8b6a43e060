import { readdirSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../../support/command';

const configurations = 'examples/configurations';

/** The stack files of the repository, by the names of their stacks. */
export const stackFiles: ReadonlyMap<string, string> = new Map(
  [
    ...readdirSync(projectRoot),
    ...readdirSync(path.join(projectRoot, configurations), { recursive: true, encoding: 'utf8' }).map(
      (name) => path.join(configurations, name),
    ),
  ].flatMap((file) => {
    const name = /(?:^|\/)Pulumi\.([^./]+)\.yaml$/.exec(file)?.[1];
    return name === undefined ? [] : [[name, file] as const];
  }),
);
