import { visibleText } from '../../stacks/offline';

/** A text as XML and HTML have it, in attributes too; all characters show, but line breaks stay. */
export function escaped(text: string): string {
  return text
    .split('\n')
    .map(visibleText)
    .join('\n')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
