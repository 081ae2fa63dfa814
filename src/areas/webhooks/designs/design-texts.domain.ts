import { MONTH_NAMES } from '../../../platform/kit/time/time-text.ts';
import { fillPlaceholders } from '../templates/message.domain.ts';
import type { TemplateVariables } from '../templates/template.domain.ts';
import { MAX_VALUE_LENGTH } from './design-limits.data.ts';
import type { DesignElement } from './design-tree.domain.ts';

/** Characters that XML does not allow, not even escaped. */
const NOT_IN_XML = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;
/** Attribute of a text: maximum number of characters drawn. Longer texts are truncated. */
const LIMIT_ATTRIBUTE = 'data-max';
const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** Replaces placeholders in the texts and attributes of an element and its descendants. */
export function fillTexts(element: DesignElement, variables: TemplateVariables): DesignElement {
  const limit = Number(element.attributes[LIMIT_ATTRIBUTE]);
  const attributes = Object.fromEntries(
    Object.entries(element.attributes).map(([name, value]) => [name, element.role === 'image' ? value : fillText(value, variables)]),
  );
  const children = element.children.map((child) => {
    if (typeof child !== 'string') return fillTexts(child, variables);
    const text = fillText(child, variables);
    return limit > 0 ? truncate(text, limit) : text;
  });
  return { ...element, attributes, children };
}

function fillText(text: string, variables: TemplateVariables): string {
  const drawable = (value: string) => truncate(value.replaceAll(NOT_IN_XML, ''), MAX_VALUE_LENGTH);
  return fillPlaceholders(text, variables, drawable, formatTimestamp);
}

/** Truncates to `max` characters; the last one is then an ellipsis. */
function truncate(text: string, max: number): string {
  const characters = [...text];
  return characters.length <= max
    ? text
    : `${characters
        .slice(0, max - 1)
        .join('')
        .trimEnd()}…`;
}

/**
 * A time in one of the styles of chat timestamps, in UTC. The relative style is a date too, because an image does not update. Returns the
 * number when it is too large for a date.
 */
export function formatTimestamp(instant: number, style: string): string {
  const date = new Date(instant * 1000);
  if (Number.isNaN(date.getTime())) return String(instant);
  const month = MONTH_NAMES[date.getUTCMonth()] ?? '';
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
