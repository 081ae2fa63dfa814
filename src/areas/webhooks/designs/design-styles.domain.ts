import { MAX_STYLE_RULES, STYLE_PROPERTIES, UNSUPPORTED_PROPERTIES } from './design.data.ts';
import { type DesignElement, designError, rejectExternalUrls, truncated } from './design-tree.domain.ts';

interface Rule {
  selector: Selector;
  declared: Declared;
}

type Declared = Readonly<Record<string, string>>;

/** Selector of one element; name, ids and classes must all match. */
interface Selector {
  name: string | null;
  ids: readonly string[];
  classes: readonly string[];
}

const SELECTOR = /^(\*|[A-Za-z]+)?((?:[.#][\w-]+)*)$/;
const IMPORTANT = /!\s*important$/i;

/** Replaces style sheets and `style` attributes by attributes, so the other steps read attributes only. */
export function inlineStyles(root: DesignElement): DesignElement {
  const rules = sheetsOf(root).flatMap(rulesOf);
  if (rules.length > MAX_STYLE_RULES) throw designError(`style: must have at most ${MAX_STYLE_RULES} rules`);
  return applyRules(
    root,
    rules.toSorted((one, other) => specificityOf(one.selector) - specificityOf(other.selector)),
  );
}

function sheetsOf(element: DesignElement): string[] {
  if (element.role === 'style') return [element.children.filter((child) => typeof child === 'string').join('')];
  return element.children.flatMap((child) => (typeof child === 'string' ? [] : sheetsOf(child)));
}

function applyRules(element: DesignElement, rules: readonly Rule[]): DesignElement {
  const { style = '', class: names = '', ...own } = element.attributes;
  const classes = new Set(names.split(/\s+/));
  const matching = rules.filter(({ selector }) => matches(selector, element, classes)).map(({ declared }) => declared);
  const children = element.children.flatMap((child): (DesignElement | string)[] => {
    if (typeof child === 'string') return [child];
    return child.role === 'style' ? [] : [applyRules(child, rules)];
  });
  return { ...element, attributes: Object.assign(own, ...matching, declaredIn(style)), children };
}

function matches({ name, ids, classes }: Selector, element: DesignElement, own: ReadonlySet<string>): boolean {
  return (
    (name === null || name === element.name) &&
    ids.every((id) => id === element.attributes.id) &&
    classes.every((className) => own.has(className))
  );
}

/** Specificity as in CSS: ids, then classes, then names. */
function specificityOf({ name, ids, classes }: Selector): number {
  return ids.length * 10_000 + classes.length * 100 + (name === null ? 0 : 1);
}

function rulesOf(sheet: string): Rule[] {
  const text = withoutComments(sheet);
  if (text.includes('@')) throw designError('style: @import and other at-rules are not allowed');
  rejectExternalUrls(text, 'style');
  const [rest = '', ...blocks] = text.split('}').reverse();
  if (rest.trim() !== '') throw designError('style: must be a list of rules');
  return blocks.reverse().flatMap((block) => {
    const [selectors = '', body, ...more] = block.split('{');
    if (body === undefined || more.length > 0) throw designError('style: must be a list of rules');
    const declared = declaredIn(body);
    return selectors.split(',').map((selector) => ({ selector: selectorOf(selector.trim()), declared }));
  });
}

function withoutComments(sheet: string): string {
  const [first = '', ...others] = sheet.split('/*');
  return first + others.map((part) => ` ${part.split('*/').slice(1).join('*/')}`).join('');
}

function selectorOf(text: string): Selector {
  const [matched, name, rest = ''] = SELECTOR.exec(text) ?? [];
  if (!matched) throw designError(`style: the selector ${truncated(text)} is not allowed (allowed: name, .class, #id)`);
  const parts = rest.match(/[.#][\w-]+/g) ?? [];
  const after = (mark: string) => parts.filter((part) => part.startsWith(mark)).map((part) => part.slice(1));
  return { name: name === undefined || name === '*' ? null : name, ids: after('#'), classes: after('.') };
}

/** Supported and unsupported style properties with their values. Unknown properties are ignored, as CSS requires. */
function declaredIn(body: string): Declared {
  if (/[\\@]/.test(body)) throw designError('style: escapes are not allowed');
  const declared: Record<string, string> = {};
  for (const declaration of body.split(';')) {
    const colon = declaration.indexOf(':');
    const property = declaration.slice(0, Math.max(colon, 0)).trim().toLowerCase();
    const value = declaration
      .slice(colon + 1)
      .trim()
      .replace(IMPORTANT, '')
      .trim();
    const isKnown = Object.hasOwn(STYLE_PROPERTIES, property) || UNSUPPORTED_PROPERTIES.includes(property);
    if (isKnown && value !== '') declared[property] = value;
  }
  return declared;
}
