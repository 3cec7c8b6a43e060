import { visibleText } from '../../components/resource/visibleText';

/** Escapes a text for XML and HTML, also in attributes, and makes hidden characters visible. Line breaks are kept. */
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
