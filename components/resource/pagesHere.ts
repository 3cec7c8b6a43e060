/** Folder of the documentation in a repository that uses the packages, with slashes. */
export const packagedPages = 'node_modules/@aks-workload-identity/cli/docs';

/**
 * Rewrites the names of pages in a string, such as docs/access.md, to paths that the reader can open.
 *
 * @param folder folder of the documentation
 */
export function pagesHere(text: string, folder: string): string {
  return text.replace(/(?<![\w/.-])docs\/(?=[\w-]+\.md\b)/g, `${folder}/`);
}
