import { describe, expect, it } from 'vitest';
import { cleanText, comparableText, detectKind, diffLines } from '../../../../src/areas/updates/archive.domain.ts';

const bytesOf = (...bytes: number[]) => new Uint8Array(bytes);
const latin1 = (text: string) => new Uint8Array([...text].map((char) => char.charCodeAt(0)));
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}\n`);

describe('comparableText', () => {
  it('decodes UTF-8, otherwise Latin-1, and escapes control characters', () => {
    expect(comparableText(new TextEncoder().encode('é\t\n\r\0'))).toBe('é\t\n\\x0d\\x00');
    expect(comparableText(bytesOf(0xe9, 0x80, 0x41))).toBe('é\\x80A');
  });
});

describe('cleanText', () => {
  it('returns null unless the bytes are UTF-8 without NUL', () => {
    expect(cleanText(latin1('plain'))).toBe('plain');
    expect(cleanText(bytesOf(0x41, 0))).toBeNull();
    expect(cleanText(bytesOf(0xe9))).toBeNull();
  });
});

describe('diffLines', () => {
  it('merges hunks separated by up to six equal lines', () => {
    const left = numbered(20);
    const changedAt = (...places: number[]) => left.map((line, index) => (places.includes(index) ? 'x\n' : line)).join('');
    expect(diffLines(left.join(''), changedAt(4, 11))).toHaveLength(1);
    expect(diffLines(left.join(''), changedAt(4, 12))).toHaveLength(2);
  });

  it('numbers lines from 1 when a side is empty', () => {
    expect(diffLines('', 'a\nb')).toEqual([
      {
        leftStart: 1,
        rightStart: 1,
        lines: [
          { kind: 'add', left: null, right: 1, text: 'a' },
          { kind: 'add', left: null, right: 2, text: 'b' },
        ],
      },
    ]);
  });

  it('returns null for more than 1,000 differences', () => {
    const many = (mark: string) => Array.from({ length: 1500 }, (_, index) => `${mark}${index}\n`).join('');
    expect(diffLines(many('a'), many('b'))).toBeNull();
  });
});

describe('detectKind', () => {
  it.each([
    ['a.bin', '\x89PNG\r\n\x1a\n', 'image'],
    ['a.bin', 'RIFF\0\0\0\0WEBPVP8 ', 'image'],
    ['a.txt', 'DDS |', 'dds'],
    ['a', 'CWS\x0a', 'swf'],
    ['a', 'BKHD', 'bnk'],
    ['models/x.Blueprint', '', 'blueprint'],
    ['x.pkfx', 'Version', 'pkfx'],
    ['x.txt', 'text', null],
  ])('classifies %s starting with %j as %s', (path, head, kind) => {
    expect(detectKind(path, latin1(head))).toBe(kind);
  });
});
