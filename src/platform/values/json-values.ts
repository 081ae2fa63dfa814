/** Readers of untrusted JSON values. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The value as an object, or an empty one. */
export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The objects in a list; empty for other values. */
export function objectsIn(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** The text; null when it is empty or not a string. */
export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** The trimmed text; null when it is empty. */
export function trimmedTextOf(value: unknown): string | null {
  return textOf(textOf(value)?.trim());
}

/** A whole number, given as a number or as decimal digits; null for anything else. */
export function integerOf(value: unknown): number | null {
  const number = typeof value === 'string' && /^\s*[+-]?\d+\s*$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(number) ? Number(number) : null;
}

/** A trimmed web URL; null when it is empty or has another scheme: `javascript:` is not safe in a link. */
export function addressOf(value: unknown): string | null {
  const address = trimmedTextOf(value);
  const scheme = /^([a-z][a-z\d+.-]*):/i.exec(address ?? '')?.[1]?.toLowerCase();
  return scheme === undefined || scheme === 'https' || scheme === 'http' ? address : null;
}
