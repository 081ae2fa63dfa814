import { MAX_SVG_BYTES } from './design-limits.data.ts';
import { type DesignElement, designError } from './design-tree.domain.ts';

/** Maximum length of the written drawing, in characters. Applied styles and values make it longer than its source. */
const MAX_WRITTEN_LENGTH = 4 * MAX_SVG_BYTES;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

const escapeText = (text: string) => text.replaceAll(/[&<>]/g, (character) => ENTITIES[character] ?? '');
const escapeAttribute = (text: string) => text.replaceAll(/[&<>"\t\n\r]/g, (character) => ENTITIES[character] ?? '');

/** Writes a tree as an SVG document. Throws when it is longer than `MAX_WRITTEN_LENGTH`. */
export function writeTree(root: DesignElement): string {
  const chunks: string[] = [];
  let length = 0;
  const append = (part: string) => {
    length += part.length;
    if (length > MAX_WRITTEN_LENGTH) throw designError('must be shorter: too long after styles and values are applied');
    chunks.push(part);
  };
  const write = ({ name, attributes, children }: DesignElement, namespace: string) => {
    append(`<${name}${namespace}`);
    for (const [attribute, value] of Object.entries(attributes)) append(` ${attribute}="${escapeAttribute(value)}"`);
    append(children.length === 0 ? '/>' : '>');
    for (const child of children) {
      if (typeof child === 'string') append(escapeText(child));
      else write(child, '');
    }
    if (children.length > 0) append(`</${name}>`);
  };
  write(root, ' xmlns="http://www.w3.org/2000/svg"');
  return chunks.join('');
}
