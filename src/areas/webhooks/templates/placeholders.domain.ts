import type { TemplateVariables } from './template.domain.ts';

/** `{name}`, or `{name:S}` with a style. */
const PLACEHOLDER = /\{(\w+)(?::([^{}\s]{0,16}))?\}/g;
/** How the chat service can show an instant, each in the reader's own time zone. */
const TIMESTAMP_STYLES = 'tTdDfFR';

/**
 * A text with its placeholders replaced, each once: what a value holds is never read as a placeholder. An unknown name and
 * null are empty; a style makes a chat timestamp of a whole number and is ignored otherwise. `encode` makes a value safe for where the
 * text goes, `showInstant` shows a time there.
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
