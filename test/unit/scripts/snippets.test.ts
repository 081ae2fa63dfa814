import { describe, expect, it } from 'vitest';
import { shapeFault, showsError } from '../../snippets/output-shape.ts';
import { blocksOf, faultsOf, markdownFiles, readMarkdown, SNIPPET_SOURCES, snippetsOf } from '../../snippets/snippets.ts';

const fenced = (info: string, text: string) => `\`\`\`${info}\n${text}\n\`\`\`\n`;

describe('blocksOf', () => {
  it('returns the language, the words after it, the line and the text of each fenced block', () => {
    const [block] = blocksOf('page.md', `Text.\n\n${fenced('js file=bot.mjs id=endless-bot', 'one();\ntwo();')}`);
    expect(block).toEqual({
      file: 'page.md',
      line: 3,
      language: 'js',
      info: { file: 'bot.mjs', id: 'endless-bot' },
      text: 'one();\ntwo();',
    });
  });

  it('throws with file and line when a block is not closed', () => {
    expect(() => blocksOf('page.md', 'Text.\n```bash\ncurl')).toThrow('page.md:2');
  });
});

describe('snippetsOf', () => {
  it('takes the JSON block after a group of programs as the output of each', () => {
    const snippets = snippetsOf('page.md', `${fenced('bash', 'curl')}\n${fenced('python', 'print()')}\n${fenced('json', '{}')}`);
    expect(snippets.map(({ language, output }) => [language, output?.text])).toEqual([
      ['bash', '{}'],
      ['python', '{}'],
    ]);
  });

  it('ignores JSON before the program, after other text, or of another group', () => {
    const page = `${fenced('text', 'formula')}\n${fenced('bash', 'one')}\nText.\n\n${fenced('json', '{}')}\n${fenced('bash', 'two')}`;
    expect(snippetsOf('page.md', page).map(({ output }) => output)).toEqual([null, null]);
  });

  it('gives a snippet the files that earlier blocks of its page save', () => {
    const [, second] = snippetsOf('page.md', `${fenced('js file=bot.mjs', 'run();')}\nText.\n\n${fenced('bash', 'node bot.mjs')}`);
    expect(second?.saved).toEqual([{ name: 'bot.mjs', text: 'run();' }]);
  });
});

describe('shapeFault', () => {
  it.each([
    ['equal keys and types', '{"a": 1, "b": ["x"]}', '{"a": 2, "b": ["y", "z"]}'],
    ['null on either side', '{"a": null, "b": 1}', '{"a": "text", "b": null}'],
    ['a shortened example with fewer keys', '{"a": 1, …}', '{"a": 2, "b": 3}'],
    ['a shortened list', '{"items": [{"a": 1}, …]}', '{"items": [{"a": 2}, {"a": 3}]}'],
    ['text cut short', '{"a": "x…"}', '{"a": "xyz"}'],
  ])('accepts %s', (_, expected, actual) => {
    expect(shapeFault('json', expected, actual)).toBeNull();
  });

  it.each([
    ['{"a": 1}', '{"b": 1}', '.a is not in the output'],
    ['{"a": 1}', '{"a": 1, "b": 2}', '.b is not in the example'],
    ['{"a": 1}', '{"a": "1"}', '.a is string, the example has number'],
    ['{"a": [{"b": 1}]}', '{"a": []}', '.a is empty'],
    ['{"a": [{"b": 1}]}', '{"a": [{"c": 1}]}', '.a[0].b is not in the output'],
    ['{"a" 1}', '{}', 'the example is not JSON'],
  ])('names what differs between %s and %s', (expected, actual, fault) => {
    expect(shapeFault('json', expected, actual)).toBe(fault);
  });

  it('compares the start of each line of a text, up to its first digit, quote or ellipsis', () => {
    const actual = 'HTTP/1.1 200 OK\r\nETag: "abc"\r\n';
    expect(shapeFault('text', 'HTTP/1.1 200 OK\nETag: "…"', actual)).toBeNull();
    expect(shapeFault('text', 'Age: 3', actual)).toBe('no line of the output begins with "Age:"');
  });
});

describe('showsError', () => {
  it.each([
    ['{"error": {"code": "not_found"}}', true],
    ['HTTP/1.1 401 Unauthorized', true],
    ['{"items": []}', false],
    ['HTTP/1.1 304 Not Modified', false],
  ])('is true for an error envelope and an error status: %s', (output, expected) => {
    expect(showsError(output)).toBe(expected);
  });
});

describe.each(markdownFiles(SNIPPET_SOURCES))('%s', (file) => {
  it('has only blocks of known languages that are run or state why not', () => {
    const faults = blocksOf(file, readMarkdown(file)).flatMap((block) => faultsOf(block).map((fault) => `line ${block.line}: ${fault}`));
    expect(faults).toEqual([]);
  });
});
