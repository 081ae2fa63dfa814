import { expect } from 'vitest';
import { parseXml } from '../../src/platform/kit/values/xml.ts';
import { readCsv, readLeniently } from './csv.ts';
import type { TestResponse } from './requests.ts';

/** Markup of `HOSTILE_TEXTS` as a browser would run it. */
const RUNNING = /<script>alert|<img src=x|<[^>]*\sonerror=alert|<[^>]*"onload=|(?:href|src)="\s*(?:javascript|data:text)/i;
const HIDDEN = /(?![\t\n\r])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u;
const MAX_BYTES = 8 * 1024 * 1024;

/** Fields of a JSON body that pages use as links. */
const LINK_FIELD = /url|link|image|thumbnail|cover/;

function linksIn(value: unknown, name = ''): string[] {
  if (typeof value === 'string') return LINK_FIELD.test(name) ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => linksIn(item, Array.isArray(value) ? name : key));
}

/** Scheme that a browser on a page of the service would use for a link. */
const schemeOf = (link: string) => URL.parse(link, 'https://api.test')?.protocol ?? 'https:';

/** Checks of the body by content type. */
function bodyProblem({ headers, text }: TestResponse): string | null {
  const type = headers.get('Content-Type') ?? '';
  if (type.includes('json')) {
    const link = linksIn(JSON.parse(text)).find((one) => !/^https?:$/.test(schemeOf(one)));
    return link === undefined ? null : `a link that is not http(s): ${JSON.stringify(link.slice(0, 100))}`;
  }
  if (HIDDEN.test(text)) return 'hidden characters';
  if (type.includes('xml')) parseXml(text, {});
  else if (type.includes('html')) return RUNNING.test(text) ? `markup of a stranger: ${RUNNING.exec(text)?.[0]}` : null;
  else if (type.includes('csv')) {
    readCsv(text);
    const formulas = [',', ';', '\t'].flatMap((separator) => readLeniently(text, separator).filter((cell) => /^\s*[=+@]/.test(cell)));
    if (formulas.length > 0) return `a formula: ${formulas[0]?.slice(0, 100)}`;
  } else if (type.includes('calendar')) {
    const count = (line: string) => text.split(`\r\n${line}\r\n`).length;
    if (count('BEGIN:VEVENT') !== count('END:VEVENT') || text.split('\r\n').some((line) => /[\r\n]/.test(line))) return 'a broken line';
  }
  return null;
}

/** Expects a successful response that is well-formed, bounded, and shows texts of strangers as texts. */
export function expectSafe(response: TestResponse, name: string): void {
  expect(response.status, `${name}: ${response.text.slice(0, 300)}`).toBe(200);
  expect(response.bytes.length, name).toBeLessThan(MAX_BYTES);
  expect(bodyProblem(response), name).toBeNull();
}
