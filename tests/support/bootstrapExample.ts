import { readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from './command';

/** The stack file of `bootstrap/`. */
export const bootstrapExample = (): string =>
  readFileSync(path.join(projectRoot, 'bootstrap', 'Pulumi.pipelines.yaml'), 'utf8');

/** The same with the places edited that are marked EDIT. */
export const editedBootstrapExample = (): string =>
  bootstrapExample()
    .replaceAll('owner/name', 'contoso/identities')
    .replaceAll(/\bedit-me-([\w-]+)/g, 'sc://contoso/identities/$1');
