import { XmlElement as ParsedElement, parseXml as parse, XmlDocumentType, XmlError, XmlText } from '@rgrove/parse-xml';

/** An element with its namespace resolved: prefixes are the author's choice and may change. */
export interface XmlElement {
  /** Namespace URI, the bare prefix when it is undeclared; empty for none. */
  namespace: string;
  name: string;
  attributes: Readonly<Record<string, string>>;
  /** Text of the element and everything in it, decoded once. */
  text: string;
  children: readonly XmlElement[];
}

type Namespaces = Readonly<Record<string, string>>;

/**
 * Parses a whole document and returns its root. Throws when it is not well formed, a document that was cut off included.
 * Entities beyond XML's own stay as they are written (many sources use HTML's without declaring them); declarations are not
 * read, so no entity can expand. `wellKnown`: namespaces by prefix, for documents that use a prefix without declaring it.
 */
export function parseXml(text: string, wellKnown: Namespaces = {}): XmlElement {
  const { root } = parse(text, { ignoreUndefinedEntities: true });
  if (!root) throw new Error('missing root element');
  return resolved(root, wellKnown);
}

function resolved(element: ParsedElement, outer: Namespaces): XmlElement {
  const namespaces = { ...outer, ...declaredBy(element.attributes) };
  const { prefix, local } = splitName(element.name);
  return {
    namespace: namespaces[prefix] ?? prefix,
    name: local,
    attributes: element.attributes,
    get text() {
      return element.text;
    },
    children: element.children.filter((child) => child instanceof ParsedElement).map((child) => resolved(child, namespaces)),
  };
}

function declaredBy(attributes: Readonly<Record<string, string>>): Namespaces {
  const declared: Record<string, string> = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'xmlns') declared[''] = value;
    else if (name.startsWith('xmlns:')) declared[name.slice('xmlns:'.length)] = value;
  }
  return declared;
}

/** The prefix of a name, empty for none, and the local name. */
export function splitName(name: string): { prefix: string; local: string } {
  const colon = name.indexOf(':');
  return colon < 0 ? { prefix: '', local: name } : { prefix: name.slice(0, colon), local: name.slice(colon + 1) };
}

/** An element as it is written: names keep their prefixes, children keep their order. Texts are decoded. */
export interface XmlNode {
  name: string;
  attributes: readonly (readonly [name: string, value: string])[];
  children: readonly (XmlNode | string)[];
}

/** Reason for rejecting an XML document. */
export class XmlFault extends Error {
  override readonly name = 'XmlFault';
}

/**
 * Parses a document strictly and returns its root. Throws `XmlFault` when it is not well formed, has a document type (the only
 * place that declares entities and external files) or is nested too deeply. Drops comments and processing instructions.
 */
export function readXml(text: string, maxDepth: number): XmlNode {
  const { document, root } = parsed(text);
  if (document.some((node) => node instanceof XmlDocumentType)) throw new XmlFault('document type is not allowed');
  if (!root) throw new XmlFault('missing root element');
  return nodeOf(root, maxDepth);
}

function parsed(text: string) {
  try {
    // The parser's own handling of line ends takes time by the square of their number.
    const { children, root } = parse(text.replaceAll(/\r\n?/g, '\n'), { preserveDocumentType: true });
    return { document: children, root };
  } catch (error) {
    if (error instanceof XmlError) throw new XmlFault(`not well formed at line ${error.line}: ${reasonOf(error)}`);
    // The parser calls itself for each level.
    if (error instanceof RangeError) throw new XmlFault('nested too deeply');
    throw error;
  }
}

/** The message without the excerpt that follows it. */
function reasonOf({ message }: XmlError): string {
  return (message.split('\n')[0] ?? '').replace(/ \(line \d+, column \d+\)$/, '');
}

function nodeOf({ name, attributes, children }: ParsedElement, depth: number): XmlNode {
  if (depth === 0) throw new XmlFault('nested too deeply');
  const kept: (XmlNode | string)[] = [];
  for (const child of children) {
    if (child instanceof ParsedElement) kept.push(nodeOf(child, depth - 1));
    else if (child instanceof XmlText) kept.push(child.text);
  }
  return { name, attributes: Object.entries(attributes), children: kept };
}
