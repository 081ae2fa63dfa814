import { InputError } from '../../../platform/errors/input-error.ts';
import { readXml, splitName, XmlFault, type XmlNode } from '../../../platform/values/xml.ts';
import { ELEMENTS, type ElementRole } from './design-elements.data.ts';
import { MAX_DEPTH, MAX_ELEMENTS } from './design-limits.data.ts';

/** An element of a design, of the vocabulary that may be drawn, with its names as they are in that vocabulary. */
export interface DesignElement {
  name: string;
  role: ElementRole;
  attributes: Readonly<Record<string, string>>;
  children: readonly (DesignElement | string)[];
}

const SVG = 'http://www.w3.org/2000/svg';
const EVENT_HANDLER = /^on/i;
/** `url(…)` with whatever is in it; what is not closed counts as well. */
const URL_CALL = /url\s*\(\s*(['"]?)([^)]*)/gi;
/** May hold placeholders: what they bring is looked at once it is there. */
const FRAGMENT = /^#[\w.:{}-]{1,100}$/;
const EMBEDDED = /^data:image\/(?:png|jpe?g)(?:;[\w=-]+)*,/i;

/** Error of a rejected design. */
export function refused(why: string): InputError {
  return new InputError('invalid', ['svg'], why);
}

/** Reads a drawing: well-formed, nothing but known elements, no scripts, no events, no address outside it. */
export function readTree(svg: string): DesignElement {
  const root = rootOf(svg);
  const counter = { elements: 0 };
  const tree = elementOf(root, '', counter);
  if (tree?.role !== 'root') throw refused('the root element must be svg');
  return tree;
}

function rootOf(svg: string): XmlNode {
  try {
    return readXml(svg, MAX_DEPTH);
  } catch (error) {
    throw error instanceof XmlFault ? refused(error.message) : error;
  }
}

/** Null for what is of no use to the drawing. `outer`: the namespace without a prefix around it. */
function elementOf(node: XmlNode, outer: string, counter: { elements: number }, isRoot = true): DesignElement | null {
  counter.elements += 1;
  if (counter.elements > MAX_ELEMENTS) throw refused(`must have at most ${MAX_ELEMENTS} elements`);
  const { prefix, local } = splitName(node.name);
  const namespaces = new Map(
    node.attributes.flatMap(([name, value]) => (name.startsWith('xmlns') ? [[name.slice(6), value] as const] : [])),
  );
  // A prefix other than the vocabulary's own is taken for a foreign one: nothing of it is drawn.
  const namespace = prefix === '' ? (namespaces.get('') ?? outer) : (namespaces.get(prefix) ?? (prefix === 'svg' ? SVG : prefix));
  const attributes = attributesOf(node);
  const isKnown = namespace === SVG || namespace === '';
  const role = isKnown ? roleOf(local, isRoot) : 'dropped';
  const inner = prefix === '' ? namespace : outer;
  const children = node.children.flatMap((child): (DesignElement | string)[] => {
    if (typeof child === 'string') return role === 'text' || role === 'style' ? [child] : [];
    const made = elementOf(child, inner, counter, false);
    return made ? [made] : [];
  });
  return role === 'dropped' ? null : { name: local, role, attributes, children };
}

function roleOf(name: string, isRoot: boolean): ElementRole {
  const role = Object.hasOwn(ELEMENTS, name) ? ELEMENTS[name] : undefined;
  if (!role || (role === 'root' && !isRoot)) throw refused(`the element ${shown(name)} is not allowed`);
  return role;
}

/** Attributes by their names without prefix. Wherever an address stands, it must lead into the drawing itself. */
function attributesOf({ name: element, attributes }: XmlNode): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of attributes) {
    const { prefix, local } = splitName(name);
    if (name.startsWith('xmlns')) continue;
    if (EVENT_HANDLER.test(local)) throw refused(`${shown(element)}: the attribute ${shown(name)} is not allowed`);
    if (local.toLowerCase() === 'href' && !isOwnAddress(value)) {
      throw refused(`${shown(element)}: ${shown(name)} must be a fragment (#id) or a data: URL of a PNG or JPEG`);
    }
    refuseForeignUrls(value, shown(element));
    if (prefix === '' || local === 'href') kept[local] ??= value;
  }
  return kept;
}

function isOwnAddress(value: string): boolean {
  const address = value.trim();
  return FRAGMENT.test(address) || EMBEDDED.test(address);
}

/** Throws when a value or a style sheet refers to anything outside the drawing. */
export function refuseForeignUrls(value: string, where: string): void {
  for (const [, quote = '', inside = ''] of value.matchAll(URL_CALL)) {
    const address = quote === '' ? inside : (inside.split(quote)[0] ?? '');
    if (!isOwnAddress(address)) throw refused(`${where}: url() may only refer to a fragment (#id)`);
  }
}

const MAX_DISPLAY_LENGTH = 40;

/** A name in a message. */
export function shown(name: string): string {
  return name.length > MAX_DISPLAY_LENGTH ? `${name.slice(0, MAX_DISPLAY_LENGTH)}…` : name;
}
