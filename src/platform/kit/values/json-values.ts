/** A JSON object from an untrusted source. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The value if it is an object, otherwise an empty object. */
export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The objects in a list; empty if the value is not a list. */
export function objectsIn(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** The value if it is a non-empty string, otherwise null. */
export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** The trimmed string; null if it is empty or not a string. */
export function trimmedTextOf(value: unknown): string | null {
  return textOf(textOf(value)?.trim());
}

/** An integer from a number or a string of decimal digits; null for other values. */
export function integerOf(value: unknown): number | null {
  const number = typeof value === 'string' && /^\s*[+-]?\d+\s*$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(number) ? Number(number) : null;
}

/**
 * The trimmed URL; null if it is empty, has a scheme other than http(s), because `javascript:` is not safe in a link, or control characters,
 * which browsers drop before they read the scheme.
 */
export function addressOf(value: unknown): string | null {
  const address = trimmedTextOf(value);
  if (address === null || /\p{Cc}/u.test(address)) return null;
  const scheme = /^([a-z][a-z\d+.-]*):/i.exec(address)?.[1]?.toLowerCase();
  return scheme === undefined || scheme === 'https' || scheme === 'http' ? address : null;
}

/** Rows as texts of JSON arrays of at most `maxLength` characters, each for one SQL parameter. A longer row is a part of its own. */
export function toJsonParts(rows: readonly object[], maxLength: number): string[] {
  const parts: string[][] = [];
  let length = maxLength;
  for (const row of rows) {
    const text = JSON.stringify(row);
    if (length + text.length >= maxLength) {
      parts.push([]);
      length = 0;
    }
    parts.at(-1)?.push(text);
    length += text.length + 1;
  }
  return parts.map((part) => `[${part.join(',')}]`);
}
