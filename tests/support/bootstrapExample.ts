import { textOf } from './pipelineFiles';

/** The stack file of `bootstrap/`. */
export const bootstrapExample = (): string => textOf('bootstrap/Pulumi.pipelines.yaml');

/** The same, or another of its form, with the places edited that are marked EDIT. */
export const editedBootstrapExample = (text = bootstrapExample()): string =>
  text
    .replaceAll('owner/name', 'contoso/identities')
    .replaceAll(/\bedit-me-([\w-]+)/g, 'sc://contoso/identities/$1');
