import type { TemplateVariables } from './template.domain.ts';

/** `{name}`, or `{name:S}` with a style. */
const PLACEHOLDER = /\{(\w+)(?::([^{}\s]{0,16}))?\}/g;
/** Styles of chat timestamps, which the chat service shows in the reader's time zone. */
const TIMESTAMP_STYLES = 'tTdDfFR';

/**
 * Replaces the placeholders of a text once; placeholders in values are not replaced. Unknown names and null become empty. A style turns a
 * whole number into a timestamp and is ignored for other values. `encode` escapes a value for its context; `showInstant` formats a
 * timestamp.
 */
export function fillPlaceholders(
  text: string,
  variables: TemplateVariables,
  encode: (value: string) => string,
  showInstant = chatTimestamp,
): string {
  return text.replace(PLACEHOLDER, (_, name: string, style: string | undefined) => {
    const value = Object.hasOwn(variables, name) ? variables[name] : null;
    if (value === null || value === undefined) return '';
    const isInstant = typeof value === 'number' && Number.isSafeInteger(value) && style?.length === 1 && TIMESTAMP_STYLES.includes(style);
    return isInstant ? showInstant(value, style) : encode(String(value));
  });
}

const chatTimestamp = (instant: number, style: string) => `<t:${instant}:${style}>`;
