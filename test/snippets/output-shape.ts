/** Stands for what an example leaves out. */
const ELLIPSIS = '…';

/** Whether a page shows a refused request as the output. */
export function showsError(output: string): boolean {
  return /^\s*\{\s*"error"/.test(output) || /^HTTP\/1\.1 [45]/m.test(output);
}

/** The first difference of `actual` from the output on the page; null when the shapes agree. */
export function shapeFault(language: string, expected: string, actual: string): string | null {
  return language === 'json' ? jsonFault(expected, actual) : textFault(expected, actual);
}

/**
 * Each line of the example begins a line of the output, up to its first digit, quote or ellipsis: these are what differs from one run
 * to the next.
 */
function textFault(expected: string, actual: string): string | null {
  const lines = actual.split(/\r?\n/);
  for (const line of expected.split('\n')) {
    const start = line.split(/[\d"…]/)[0]?.trimEnd() ?? '';
    if (start !== '' && !lines.some((candidate) => candidate.startsWith(start))) return `no line of the output begins with "${start}"`;
  }
  return null;
}

function jsonFault(expected: string, actual: string): string | null {
  const isShortened = expected.includes(ELLIPSIS);
  const example = parsed(expected.replaceAll(/,?\s*(?:"…"|…)(?=\s*[\]}])/g, ''));
  if (example === undefined) return 'the example is not JSON';
  const body = parsed(actual);
  if (body === undefined) return `the output is not JSON: ${actual.slice(0, 200)}`;
  return valueFault(example, body, '', isShortened);
}

function valueFault(example: unknown, value: unknown, path: string, isShortened: boolean): string | null {
  if (example === null || value === null) return null;
  const [wanted, found] = [kindOf(example), kindOf(value)];
  if (wanted !== found) return `${path || 'the output'} is ${found}, the example has ${wanted}`;
  if (Array.isArray(example)) return example.length === 0 ? null : itemFault(example[0], value as unknown[], path, isShortened);
  if (wanted !== 'object') return null;
  const [shown, sent] = [example as Record<string, unknown>, value as Record<string, unknown>];
  const unknown = Object.keys(shown).find((key) => !(key in sent));
  if (unknown !== undefined) return `${path}.${unknown} is not in the output`;
  const missing = isShortened ? undefined : Object.keys(sent).find((key) => !(key in shown));
  if (missing !== undefined) return `${path}.${missing} is not in the example`;
  return Object.keys(shown).reduce<string | null>(
    (fault, key) => fault ?? valueFault(shown[key], sent[key], `${path}.${key}`, isShortened),
    null,
  );
}

/** An example with an item needs an output with one. */
function itemFault(example: unknown, items: readonly unknown[], path: string, isShortened: boolean): string | null {
  if (items.length === 0) return `${path || 'the output'} is empty`;
  return valueFault(example, items[0], `${path}[0]`, isShortened);
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'array' : typeof value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
