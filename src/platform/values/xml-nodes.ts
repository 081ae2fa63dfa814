import { parseXml, XmlDocumentType, XmlElement, XmlError, XmlText } from '@rgrove/parse-xml';

/** An element as it is written: names keep their prefixes, children keep their order. Texts are decoded. */
export interface XmlNode {
  name: string;
  attributes: readonly (readonly [name: string, value: string])[];
  children: readonly (XmlNode | string)[];
}

/** Why a text is no document that may be read. */
export class XmlFault extends Error {
  override readonly name = 'XmlFault';
}

/**
 * Reads a document strictly and gives its root. Throws `XmlFault` when it is not well formed, has a document type (the
 * one place where entities and other files are declared) or is nested too deeply. Comments and instructions are left out.
 */
export function readXml(text: string, maxDepth: number): XmlNode {
  const { document, root } = parsed(text);
  if (document.some((node) => node instanceof XmlDocumentType)) throw new XmlFault('a document type is not allowed');
  if (!root) throw new XmlFault('there is no root element');
  return nodeOf(root, maxDepth);
}

function parsed(text: string) {
  try {
    // The parser's own handling of line ends takes time by the square of their number.
    const { children, root } = parseXml(text.replaceAll(/\r\n?/g, '\n'), { preserveDocumentType: true });
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

function nodeOf({ name, attributes, children }: XmlElement, depth: number): XmlNode {
  if (depth === 0) throw new XmlFault('nested too deeply');
  const kept: (XmlNode | string)[] = [];
  for (const child of children) {
    if (child instanceof XmlElement) kept.push(nodeOf(child, depth - 1));
    else if (child instanceof XmlText) kept.push(child.text);
  }
  return { name, attributes: Object.entries(attributes), children: kept };
}
