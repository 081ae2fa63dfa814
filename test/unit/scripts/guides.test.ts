import { describe, expect, it } from 'vitest';
import { parseGuide } from '../../../scripts/lib/docs/guide-source.ts';
import { renderGuide } from '../../../scripts/lib/docs/render-guide.ts';

const HEAD = '---\ntitle: A title\ndescription: One sentence.\norder: 3\nsection: Guides\n---\n';

describe('parseGuide', () => {
  it('reads front matter and Markdown', () => {
    expect(parseGuide('a', `${HEAD}Text`)).toEqual({
      name: 'a',
      title: 'A title',
      description: 'One sentence.',
      order: 3,
      section: 'Guides',
      markdown: 'Text',
    });
  });

  it.each([
    ['Text', 'front matter is missing'],
    [HEAD.replace('order: 3\n', ''), 'front matter lacks order'],
    [HEAD.replace('Guides', 'Novels'), 'section must be one of'],
    [HEAD.replace('order: 3', 'order: first'), 'order must be an integer'],
    [HEAD.replace('order', 'layout'), 'unknown front matter'],
  ])('throws for %j', (text, message) => {
    expect(() => parseGuide('a', text)).toThrow(message);
  });
});

describe('renderGuide', () => {
  it('creates unique anchors for headings and splits the text into sections for the search', () => {
    const { html, headings, sections } = renderGuide('a', 'Start.\n\n## One `code`\n\nText of\none.\n\n## One code\n');
    expect(headings).toEqual([
      { level: 2, id: 'one-code', text: 'One code' },
      { level: 2, id: 'one-code-2', text: 'One code' },
    ]);
    expect(sections).toEqual([
      { id: '', title: '', text: 'Start.' },
      { id: 'one-code', title: 'One code', text: 'Text of one.' },
      { id: 'one-code-2', title: 'One code', text: '' },
    ]);
    expect(html).toContain('<h2 id="one-code">One <code>code</code> <a class="anchor" href="#one-code"');
  });

  it('renders adjacent programs as tabs in a fixed order, with their output below', () => {
    const { html } = renderGuide('a', '```python file=a.py\nprint(1)\n```\n\n```bash\ncurl x\n```\n\n```json\n{"a": 1}\n```\n');
    expect(html.match(/<input /g)).toHaveLength(2);
    expect(html).toMatch(
      />curl<\/label>.*>Python<\/label>.*data-language="bash".*data-language="python".*class="output".*data-language="json"/s,
    );
    expect(html).toContain('<p class="caption">a.py</p>');
    expect(html).not.toContain('style=');
  });

  it('keeps two adjacent programs of one language separate', () => {
    const { html } = renderGuide('a', '```bash\ncurl x\n```\n\n```bash\ncurl y\n```\n');
    expect(html.match(/<div class="sample">/g)).toHaveLength(2);
    expect(html).not.toContain('<input');
  });

  it('indents long JSON and leaves other text unchanged', () => {
    const long = JSON.stringify({ a: 'x'.repeat(100), b: 1 });
    expect(renderGuide('a', `\`\`\`json\n${long}\n\`\`\`\n`).html).toMatch(/\n {2}<span class="hljs-attr">&quot;b&quot;/);
    expect(renderGuide('a', '```json\n{"a": …}\n```\n').html).toContain('…');
  });

  it('indents long JSON in which items and fields are left out', () => {
    const { html } = renderGuide('a', `\`\`\`bash\ncurl x\n\`\`\`\n\n\`\`\`json\n{"a": "${'x… '.repeat(40)}", "b": [1, …], …}\n\`\`\`\n`);
    expect(html.replaceAll(/<[^>]+>/g, '')).toMatch(/\n {2}&quot;b&quot;: \[\n {4}1,\n {4}…\n {2}\],\n {2}…\n\}/);
    expect(html).toContain('x… x…');
  });

  it('labels JSON as a response only below a program', () => {
    expect(renderGuide('a', '```json\n{}\n```\n').html).toContain('<p class="caption">JSON</p>');
    expect(renderGuide('a', '```bash\ncurl x\n```\n\n```json\n{}\n```\n').html).toContain('<p class="caption">Response</p>');
  });

  it('renders an empty header cell as a plain cell', () => {
    const { html } = renderGuide('a', '| | A |\n|---|---|\n| b | c |\n');
    expect(html).toMatch(/<td><\/td>\s*<th scope="col">A<\/th>/);
  });

  it('leaves a placeholder for each generated part', () => {
    expect(renderGuide('a', '<!-- generated: scopes -->\n').html).toBe('<!--generated:scopes-->\n');
  });

  it.each([
    ['<b>x</b>', 'raw HTML'],
    ['a <b>x</b>', 'raw HTML'],
    ['<!-- a comment -->', 'raw HTML'],
    ['<!-- generated: nothing -->', 'unknown generated part: nothing'],
    ['```ruby\nputs 1\n```', 'unknown language'],
    ['# Title', 'level 2'],
  ])('throws for %j', (markdown, message) => {
    expect(() => renderGuide('a', markdown)).toThrow(message);
  });
});
