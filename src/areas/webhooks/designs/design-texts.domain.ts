import { fillPlaceholders } from '../templates/placeholders.domain.ts';
import type { TemplateVariables } from '../templates/template.domain.ts';
import { MAX_VALUE_LENGTH } from './design-limits.data.ts';
import type { DesignElement } from './design-tree.domain.ts';

/** Characters that a document of XML cannot hold, not even escaped. */
const NOT_IN_XML = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;
/** Attribute of a text that says how many characters of it are drawn; the end of a longer one is left out. */
const LIMIT_ATTRIBUTE = 'data-max';
const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
];

/** The element and all in it with placeholders replaced, in texts and in attributes. */
export function withFilledTexts(element: DesignElement, variables: TemplateVariables): DesignElement {
  const limit = Number(element.attributes[LIMIT_ATTRIBUTE]);
  const attributes = Object.fromEntries(
    Object.entries(element.attributes).map(([name, value]) => [name, element.role === 'image' ? value : filled(value, variables)]),
  );
  const children = element.children.map((child) => {
    if (typeof child !== 'string') return withFilledTexts(child, variables);
    const text = filled(child, variables);
    return limit > 0 ? cut(text, limit) : text;
  });
  return { ...element, attributes, children };
}

function filled(text: string, variables: TemplateVariables): string {
  const drawable = (value: string) => cut(value.replaceAll(NOT_IN_XML, ''), MAX_VALUE_LENGTH);
  return fillPlaceholders(text, variables, drawable, readableInstant);
}

/** So many characters, the last one an ellipsis when there were more. */
function cut(text: string, max: number): string {
  const characters = [...text];
  return characters.length <= max
    ? text
    : `${characters
        .slice(0, max - 1)
        .join('')
        .trimEnd()}…`;
}

/**
 * An instant in one of the styles of chat timestamps, in UTC. A picture stays as it is, so the relative style is a date
 * as well. A number too large for a date stays a number.
 */
export function readableInstant(instant: number, style: string): string {
  const date = new Date(instant * 1000);
  if (Number.isNaN(date.getTime())) return String(instant);
  const month = MONTHS[date.getUTCMonth()] ?? '';
  const [day, year] = [date.getUTCDate(), date.getUTCFullYear()];
  const seconds = date.toISOString().slice(-13, -5);
  const minutes = seconds.slice(0, 5);
  const shortDate = `${day} ${month.slice(0, 3)} ${year}`;
  const styles: Readonly<Record<string, string>> = {
    t: `${minutes} UTC`,
    T: `${seconds} UTC`,
    d: shortDate,
    D: `${day} ${month} ${year}`,
    f: `${day} ${month} ${year}, ${minutes} UTC`,
    F: `${DAYS[date.getUTCDay()]}, ${day} ${month} ${year}, ${minutes} UTC`,
    R: `${shortDate}, ${minutes} UTC`,
  };
  return styles[style] ?? String(instant);
}
