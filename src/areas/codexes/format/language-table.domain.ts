import { readSpan } from './binfab-values.domain.ts';
import type { FileBytes } from './strings.domain.ts';

const KEY_RUN = /[A-Za-z0-9_$]*/y;
const TEXT_FIELD = 0x18;

/** Keys and texts of a language table, in file order. */
export function parseLanguageTable(file: FileBytes): [key: string, text: string][] {
  const { bytes, latin1 } = file;
  const decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true });
  const texts: [string, string][] = [];
  for (let at = latin1.indexOf('$'); at >= 0; ) {
    KEY_RUN.lastIndex = at;
    KEY_RUN.test(latin1);
    const end = KEY_RUN.lastIndex;
    const span = bytes[end] === TEXT_FIELD ? readSpan(bytes, end + 1) : null;
    if (span === null) {
      // Later keys in the same run of characters end at the same offset.
      at = latin1.indexOf('$', end);
      continue;
    }
    const key = cleanText(latin1.slice(at, end));
    const text = cleanText(decoder.decode(bytes.subarray(span.from, span.next)).replaceAll('\ufffd', ''));
    if (key.startsWith('$') && text !== '' && !text.startsWith('$')) texts.push([key, text]);
    at = latin1.indexOf('$', span.next);
  }
  return texts;
}

function cleanText(raw: string): string {
  return raw
    .replaceAll('\\$', '$')
    .replace(/^\$+/, '$')
    .replaceAll('\\n', '\n')
    .replace(/^`+|`+$/g, '')
    .trim()
    .replace(/^\\"/, '"');
}
