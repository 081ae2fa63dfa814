import { XmlElement as ParsedElement, parseXml as parse } from '@rgrove/parse-xml';

/** An element with its namespace resolved: prefixes are the author's choice and may change. */
export interface XmlElement {
  /** Address of the namespace, the bare prefix when nothing says what it stands for; empty for none. */
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
  if (!root) throw new Error('the document has no root element');
  return resolved(root, wellKnown);
}

function resolved(element: ParsedElement, outer: Namespaces): XmlElement {
  const namespaces = { ...outer, ...declaredBy(element.attributes) };
  const { prefix, local } = split(element.name);
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

function split(name: string): { prefix: string; local: string } {
  const colon = name.indexOf(':');
  return colon < 0 ? { prefix: '', local: name } : { prefix: name.slice(0, colon), local: name.slice(colon + 1) };
}
