import { XmlElement as ParsedElement, parseXml as parse, XmlDocumentType, XmlError, XmlText } from '@rgrove/parse-xml';

/** An element with resolved namespace. Authors choose the prefixes freely. */
export interface XmlElement {
  /** Namespace URI, or the prefix if it is undeclared; empty without a namespace. */
  namespace: string;
  name: string;
  attributes: Readonly<Record<string, string>>;
  /** Decoded text of the element and its descendants. */
  text: string;
  children: readonly XmlElement[];
}

type Namespaces = Readonly<Record<string, string>>;

/**
 * Parses a document and returns its root. Throws if the document is not well formed or truncated. Undefined entities stay unchanged,
 * because many sources use HTML entities without declaring them. Entity declarations are ignored, so entities cannot expand.
 * `wellKnown`: namespaces by prefix, for documents that use an undeclared prefix.
 */
export function parseXml(text: string, wellKnown: Namespaces = {}): XmlElement {
  const { root } = parse(text, { ignoreUndefinedEntities: true });
  if (!root) throw new Error('missing root element');
  return resolveNamespaces(root, wellKnown);
}

function resolveNamespaces(element: ParsedElement, outer: Namespaces): XmlElement {
  const namespaces = { ...outer, ...declaredBy(element.attributes) };
  const { prefix, local } = splitName(element.name);
  return {
    namespace: namespaces[prefix] ?? prefix,
    name: local,
    attributes: element.attributes,
    get text() {
      return element.text;
    },
    children: element.children.filter((child) => child instanceof ParsedElement).map((child) => resolveNamespaces(child, namespaces)),
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

/** The prefix, which may be empty, and the local part of a name. */
export function splitName(name: string): { prefix: string; local: string } {
  const colon = name.indexOf(':');
  return colon < 0 ? { prefix: '', local: name } : { prefix: name.slice(0, colon), local: name.slice(colon + 1) };
}

/** An element with its children in order. Names include prefixes. Text is decoded. */
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
 * Parses a document strictly and returns its root. Throws `XmlFault` if the document is not well formed, has a document type, which
 * could declare entities and external files, or is nested too deeply. Drops comments and processing instructions.
 */
export function readXml(text: string, maxDepth: number): XmlNode {
  const { document, root } = parseStrictly(text);
  if (document.some((node) => node instanceof XmlDocumentType)) throw new XmlFault('document type is not allowed');
  if (!root) throw new XmlFault('missing root element');
  return nodeOf(root, maxDepth);
}

function parseStrictly(text: string) {
  try {
    // The parser takes quadratic time to normalize line ends.
    const { children, root } = parse(text.replaceAll(/\r\n?/g, '\n'), { preserveDocumentType: true });
    return { document: children, root };
  } catch (error) {
    if (error instanceof XmlError) throw new XmlFault(`not well formed at line ${error.line}: ${reasonOf(error)}`);
    // The parser is recursive, so deep nesting overflows the call stack.
    if (error instanceof RangeError) throw new XmlFault('nested too deeply');
    throw error;
  }
}

/** The message of the parser without the excerpt of the document. */
function reasonOf({ message }: XmlError): string {
  return (message.split('\n')[0] ?? '').replace(/ \(line \d+, column \d+\)$/, '');
}

function nodeOf({ name, attributes, children }: ParsedElement, depth: number): XmlNode {
  if (depth === 0) throw new XmlFault('nested too deeply');
  const nodes: (XmlNode | string)[] = [];
  for (const child of children) {
    if (child instanceof ParsedElement) nodes.push(nodeOf(child, depth - 1));
    else if (child instanceof XmlText) nodes.push(child.text);
  }
  return { name, attributes: Object.entries(attributes), children: nodes };
}
