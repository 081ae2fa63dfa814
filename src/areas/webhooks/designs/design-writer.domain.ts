import { MAX_SVG_BYTES } from './design-limits.data.ts';
import { type DesignElement, refused } from './design-tree.domain.ts';

/** Style sheets and values make a drawing longer than it was written; beyond this it is meant to. */
const MAX_WRITTEN = 4 * MAX_SVG_BYTES;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

const inText = (text: string) => text.replaceAll(/[&<>]/g, (character) => ENTITIES[character] ?? '');
const inAttribute = (text: string) => text.replaceAll(/[&<>"\t\n\r]/g, (character) => ENTITIES[character] ?? '');

/** Writes a tree as a document of one namespace. Throws when it has grown beyond measure. */
export function writeTree(root: DesignElement): string {
  const parts: string[] = [];
  let length = 0;
  const put = (part: string) => {
    length += part.length;
    if (length > MAX_WRITTEN) throw refused('must be shorter: too long after styles and values are applied');
    parts.push(part);
  };
  const write = ({ name, attributes, children }: DesignElement, namespace: string) => {
    put(`<${name}${namespace}`);
    for (const [attribute, value] of Object.entries(attributes)) put(` ${attribute}="${inAttribute(value)}"`);
    put(children.length === 0 ? '/>' : '>');
    for (const child of children) {
      if (typeof child === 'string') put(inText(child));
      else write(child, '');
    }
    if (children.length > 0) put(`</${name}>`);
  };
  write(root, ' xmlns="http://www.w3.org/2000/svg"');
  return parts.join('');
}
