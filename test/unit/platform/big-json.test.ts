import { describe, expect, it } from 'vitest';
import { decodeBase64Text, LongText, parseBigJson } from '../../../src/platform/http/bodies/big-json.ts';

const encoded = (text: string) => new Uint8Array(new TextEncoder().encode(text));
const JSON_TYPE = 'application/json';

describe('parseBigJson', () => {
  const file = Buffer.alloc(600_001, 'some bytes of a file');
  const base64 = file.toString('base64');

  it('returns long strings as bytes and parses all other values like JSON.parse', () => {
    const body = { title: 'A "quoted" \\ title', files: [base64, 'AAAA', base64], nested: { empty: '', number: 1, none: null } };
    const parsed = parseBigJson(encoded(JSON.stringify(body)), JSON_TYPE) as typeof body;
    expect(parsed).toMatchObject({ title: body.title, nested: body.nested });
    expect(parsed.files[0]).toBeInstanceOf(LongText);
    expect(parsed.files[1]).toBe('AAAA');
    for (const index of [0, 2]) {
      const bytes = decodeBase64Text(parsed.files[index] ?? '');
      expect(Buffer.from(bytes ?? []).equals(file)).toBe(true);
    }
  });

  it('decodes long strings that contain escapes', () => {
    const body = JSON.stringify({ file: base64 }).replaceAll('+', '\\u002b').replaceAll('/', '\\/');
    const { file: text } = parseBigJson(encoded(body), JSON_TYPE) as { file: LongText };
    expect(Buffer.from(decodeBase64Text(text) ?? []).equals(file)).toBe(true);
  });

  it('returns no bytes for base64 that contains non-base64 escapes', () => {
    for (const end of ['\\n', '\\u0130', '\\"']) {
      const { file: text } = parseBigJson(encoded(`{"file":"${base64}${end}"}`), JSON_TYPE) as { file: LongText };
      expect(decodeBase64Text(text)).toBeNull();
    }
  });

  it('decodes no member name of a size that only a file has', () => {
    const body = encoded(`{"${'a'.repeat(9_000_000)}":1}`);
    expect(() => parseBigJson(body, JSON_TYPE)).toThrow('the request body must have at most 8388608 bytes without its files');
  });

  it('rejects invalid JSON and documents too large outside their files', () => {
    const expectRejected = (body: string, type = JSON_TYPE) =>
      expect(() => parseBigJson(encoded(body), type)).toThrow(/JSON|without its files|empty/);
    for (const body of ['', '{', `{"file":"${base64}`, `{"file":"${base64}\\"}`, `"${base64}" "${base64}"`]) expectRejected(body);
    expectRejected(`{"file":"${base64}"}`, 'text/plain');
    expectRejected(`[${`${'1'.repeat(99)},`.repeat(84_000)}0]`);
  });
});
