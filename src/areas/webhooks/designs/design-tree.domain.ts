import { InputError } from '../../../platform/kit/errors/input-error.ts';
import { readXml, splitName, XmlFault, type XmlNode } from '../../../platform/kit/values/xml.ts';
import { ELEMENTS, type ElementRole, MAX_DEPTH, MAX_ELEMENTS } from './design.data.ts';

/** A supported element of a design; names have no prefix. */
export interface DesignElement {
  name: string;
  role: ElementRole;
  attributes: Readonly<Record<string, string>>;
  children: readonly (DesignElement | string)[];
}

const SVG = 'http://www.w3.org/2000/svg';
const EVENT_HANDLER = /^on/i;
/** `url(…)` with its content, also when it is not closed. */
const URL_FUNCTION = /url\s*\(\s*(['"]?)([^)]*)/gi;
/** May contain placeholders; their values are checked after replacement. */
const FRAGMENT = /^#[\w.:{}-]{1,100}$/;
const EMBEDDED_IMAGE = /^data:image\/(?:png|jpe?g)(?:;[\w=-]+)*,/i;

/** Error of a rejected design. */
export function designError(why: string): InputError {
  return new InputError('invalid', ['svg'], why);
}

/** Parses an SVG. Throws unless it is well-formed, has only supported elements, no scripts, no event handlers and no external URLs. */
export function parseDesign(svg: string): DesignElement {
  const root = rootOf(svg);
  const counter = { elements: 0 };
  const tree = elementOf(root, '', counter);
  if (tree?.role !== 'root') throw designError('the root element must be svg');
  return tree;
}

function rootOf(svg: string): XmlNode {
  try {
    return readXml(svg, MAX_DEPTH);
  } catch (error) {
    throw error instanceof XmlFault ? designError(error.message) : error;
  }
}

/** Null for elements that are not drawn. `outer`: default namespace of the parent. */
function elementOf(node: XmlNode, outer: string, counter: { elements: number }, isRoot = true): DesignElement | null {
  counter.elements += 1;
  if (counter.elements > MAX_ELEMENTS) throw designError(`must have at most ${MAX_ELEMENTS} elements`);
  const { prefix, local } = splitName(node.name);
  const namespaces = new Map(
    node.attributes.flatMap(([name, value]) => (name.startsWith('xmlns') ? [[name.slice(6), value] as const] : [])),
  );
  // Elements with an undeclared prefix other than `svg` are treated as foreign and not drawn.
  const namespace = prefix === '' ? (namespaces.get('') ?? outer) : (namespaces.get(prefix) ?? (prefix === 'svg' ? SVG : prefix));
  const attributes = attributesOf(node);
  const isKnown = namespace === SVG || namespace === '';
  const role = isKnown ? roleOf(local, isRoot) : 'dropped';
  const inner = prefix === '' ? namespace : outer;
  const children = node.children.flatMap((child): (DesignElement | string)[] => {
    if (typeof child === 'string') return role === 'text' || role === 'style' ? [child] : [];
    const childElement = elementOf(child, inner, counter, false);
    return childElement ? [childElement] : [];
  });
  return role === 'dropped' ? null : { name: local, role, attributes, children };
}

function roleOf(name: string, isRoot: boolean): ElementRole {
  const role = Object.hasOwn(ELEMENTS, name) ? ELEMENTS[name] : undefined;
  if (!role || (role === 'root' && !isRoot)) throw designError(`the element ${truncated(name)} is not allowed`);
  return role;
}

/** Attributes by name without prefix. URLs must refer to the drawing itself. */
function attributesOf({ name: element, attributes }: XmlNode): Record<string, string> {
  const supported: Record<string, string> = {};
  for (const [name, value] of attributes) {
    const { prefix, local } = splitName(name);
    if (name.startsWith('xmlns')) continue;
    if (EVENT_HANDLER.test(local)) throw designError(`${truncated(element)}: the attribute ${truncated(name)} is not allowed`);
    if (local.toLowerCase() === 'href' && !isAllowedUrl(value)) {
      throw designError(`${truncated(element)}: ${truncated(name)} must be a fragment (#id) or a data: URL of a PNG or JPEG`);
    }
    rejectExternalUrls(value, truncated(element));
    if (prefix === '' || local === 'href') supported[local] ??= value;
  }
  return supported;
}

function isAllowedUrl(value: string): boolean {
  const address = value.trim();
  return FRAGMENT.test(address) || EMBEDDED_IMAGE.test(address);
}

/** Throws when a value or style sheet refers to a resource outside the drawing. */
export function rejectExternalUrls(value: string, where: string): void {
  for (const [, quote = '', inside = ''] of value.matchAll(URL_FUNCTION)) {
    const address = quote === '' ? inside : (inside.split(quote)[0] ?? '');
    if (!isAllowedUrl(address)) throw designError(`${where}: url() may only refer to a fragment (#id)`);
  }
}

const MAX_DISPLAY_LENGTH = 40;

/** Truncates a name for an error message. */
export function truncated(name: string): string {
  return name.length > MAX_DISPLAY_LENGTH ? `${name.slice(0, MAX_DISPLAY_LENGTH)}…` : name;
}
