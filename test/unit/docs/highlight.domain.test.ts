import { describe, expect, it } from 'vitest';
import { type CodeLanguage, highlighted } from '../../../src/areas/docs/highlight.domain.ts';

const kindsOf = (code: string, language: CodeLanguage) =>
  highlighted(code, language).flatMap(({ text, kind }) => (kind === null ? [] : [`${kind} ${text}`]));

describe('highlighted', () => {
  it.each<[CodeLanguage, string, string[]]>([
    ['json', '{"a\\"b": [-1.5, "c: 2", true, null]}', ['attr "a\\"b"', 'number -1.5', 'string "c: 2"', 'literal true', 'literal null']],
    [
      'bash',
      'curl -X POST \'https://api.test/a#b\' \\\n  -H "Authorization: Bearer $TOKEN" $X # end',
      [
        'keyword curl',
        'attr -X',
        "string 'https://api.test/a#b'",
        'attr -H',
        'string "Authorization: Bearer $TOKEN"',
        'variable $X',
        'comment # end',
      ],
    ],
    ['js', 'const a = await f("x", 1); // no', ['keyword const', 'keyword await', 'string "x"', 'number 1', 'comment // no']],
    ['python', 'from a import b\nb("x", None)', ['keyword from', 'keyword import', 'string "x"', 'literal None']],
  ])('marks the parts of %s', (language, code, kinds) => {
    expect(kindsOf(code, language)).toEqual(kinds);
    const text = highlighted(code, language);
    expect(text.map((piece) => piece.text).join('')).toBe(code);
  });

  it('leaves long code plain', () => {
    expect(highlighted('1 '.repeat(20_000), 'json')).toHaveLength(1);
  });
});
