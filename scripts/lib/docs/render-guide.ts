import { createRequire } from 'node:module';
import MarkdownIt, { type Token } from 'markdown-it';
import { GENERATED_PARTS } from '../../../src/areas/docs/generated.data.ts';
import { UserError } from '../main.ts';

/** Its types would pull those of browsers into the program. */
const hljs = createRequire(import.meta.url)('highlight.js/lib/common') as {
  highlight(code: string, options: { language: string }): { value: string };
};

/** Languages of code blocks: the name of the highlighter's language, the label of a tab, and that of a block by itself. Blocks of `json` and `text` show output. */
const LANGUAGES: Readonly<Record<string, { highlighted: string | null; label: string; alone?: string }>> = {
  bash: { highlighted: 'bash', label: 'curl', alone: 'Shell' },
  js: { highlighted: 'javascript', label: 'JavaScript' },
  python: { highlighted: 'python', label: 'Python' },
  html: { highlighted: 'xml', label: 'HTML' },
  json: { highlighted: 'json', label: 'Response' },
  text: { highlighted: null, label: 'Output' },
};
const OUTPUTS = ['json', 'text'];
const TAB_ORDER = Object.keys(LANGUAGES);

const GENERATED = /^<!-- generated: ([a-z-]+) -->$/;
/** Longest line of JSON that is shown as it is written. */
const MAX_JSON_LINE = 80;
/** Text of a section that the search looks at, in characters. */
const MAX_SECTION_TEXT = 1500;

export interface Heading {
  level: number;
  id: string;
  text: string;
}

/** A part of a page under one heading, for the search. */
export interface SearchSection {
  /** Anchor of its heading; empty for what comes before the first. */
  id: string;
  title: string;
  text: string;
}

export interface RenderedGuide {
  html: string;
  headings: Heading[];
  sections: SearchSection[];
}

const md = new MarkdownIt({ html: true });
md.renderer.rules.table_open = () => '<div class="scroll" tabindex="0"><table>\n';
md.renderer.rules.table_close = () => '</table></div>\n';
// An empty cell is not a header.
md.renderer.rules.th_open = (tokens, index) => (tokens[index + 1]?.content === '' ? '<td>' : '<th scope="col">');
md.renderer.rules.th_close = (tokens, index) => (tokens[index - 1]?.content === '' ? '</td>' : '</th>');
md.renderer.rules.heading_open = (tokens, index) => `<${tokens[index]?.tag} id="${tokens[index]?.attrGet('id')}">`;
md.renderer.rules.heading_close = (tokens, index) => {
  const id = tokens[index]?.attrGet('id');
  return ` <a class="anchor" href="#${id}" aria-label="Link to this section">#</a></${tokens[index]?.tag}>\n`;
};

/** Renders the Markdown of one guide; throws on raw HTML and on unknown languages. */
export function renderGuide(name: string, markdown: string): RenderedGuide {
  const fail = (problem: string) => new UserError(`docs/guide/${name}.md: ${problem}`);
  const tokens = md.parse(markdown, {});
  const headings: Heading[] = [];
  const sections: SearchSection[] = [{ id: '', title: '', text: '' }];
  const ids = new Set<string>();
  tokens.forEach((token, index) => {
    refuseHtml(token, fail);
    if (token.type === 'heading_open') {
      const text = plainText(tokens[index + 1]);
      const id = uniqueId(text, ids);
      const level = Number(token.tag.slice(1));
      if (level < 2) throw fail(`"${text}" must be a heading of level 2 or below`);
      token.attrSet('id', id);
      tokens[index + 2]?.attrSet('id', id);
      headings.push({ level, id, text });
      sections.push({ id, title: text, text: '' });
    } else if (token.type === 'inline' && tokens[index - 1]?.type !== 'heading_open') {
      const section = sections.at(-1);
      if (section) section.text = `${section.text} ${plainText(token)}`.trim().slice(0, MAX_SECTION_TEXT);
    }
  });
  const html = md.renderer.render(withCodeGroups(tokens, fail), md.options, {});
  return { html, headings, sections: sections.filter(({ id, text }) => id !== '' || text !== '') };
}

type Fail = (problem: string) => Error;

function refuseHtml(token: Token, fail: Fail): void {
  if (token.type === 'html_block') {
    const [, part] = GENERATED.exec(token.content.trim()) ?? [];
    if (part === undefined) throw fail(`raw HTML is not allowed: ${token.content.trim()}`);
    if (!GENERATED_PARTS.some((known) => known === part)) throw fail(`unknown generated part: ${part}`);
    token.content = `<!--generated:${part}-->\n`;
  }
  for (const child of token.children ?? []) {
    if (child.type === 'html_inline') throw fail(`raw HTML is not allowed: ${child.content}`);
  }
}

function plainText(token: Token | undefined): string {
  return (token?.children ?? []).map(({ type, content }) => (type === 'softbreak' ? ' ' : content)).join('');
}

function uniqueId(text: string, ids: Set<string>): string {
  const slug =
    text
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-|-$/g, '') || 'section';
  let id = slug;
  for (let n = 2; ids.has(id); n += 1) id = `${slug}-${n}`;
  ids.add(id);
  return id;
}

interface Block {
  language: string;
  file: string | null;
  code: string;
}

/** Adjacent blocks of different languages become tabs, and a block of output after them stands below them. */
function withCodeGroups(tokens: readonly Token[], fail: Fail): Token[] {
  const result: Token[] = [];
  let groups = 0;
  for (let index = 0; index < tokens.length; ) {
    const token = tokens[index] as Token;
    if (token.type !== 'fence') {
      result.push(token);
      index += 1;
      continue;
    }
    const programs: Block[] = [];
    let output: Block | null = null;
    for (; tokens[index]?.type === 'fence' && output === null; index += 1) {
      const block = blockOf(tokens[index] as Token, fail);
      if (OUTPUTS.includes(block.language)) output = block;
      else if (programs.some(({ language }) => language === block.language)) break;
      else programs.push(block);
    }
    groups += 1;
    token.type = 'html_block';
    token.content = groupHtml(programs, output, `code-${groups}`);
    result.push(token);
  }
  return result;
}

function blockOf({ info, content }: Token, fail: Fail): Block {
  const [language = '', ...options] = info.trim().split(/\s+/);
  if (!LANGUAGES[language]) throw fail(`unknown language of a code block: "${language}"; languages: ${TAB_ORDER.join(', ')}`);
  const file = options.find((option) => option.startsWith('file='))?.slice('file='.length) ?? null;
  const code = content.replace(/\n$/, '');
  return { language, file, code: language === 'json' ? indentedJson(code) : code };
}

/** JSON on lines that fit the page. `…` stands for items and fields that are left out; JSON that breaks off is unchanged. */
function indentedJson(code: string): string {
  if (code.split('\n').every((line) => line.length <= MAX_JSON_LINE)) return code;
  try {
    return JSON.stringify(JSON.parse(withoutGaps(code)), null, 2).replaceAll(GAPS, '…');
  } catch {
    return code;
  }
}

/** A gap as JSON: an item of an array, or a field of an object. */
const GAP = { '[': '"…"', '{': '"…": 0' } as const;
const GAPS = /"…"(?:: 0)?/g;

/** JSON in which the gaps outside texts are values. */
function withoutGaps(code: string): string {
  const open: (keyof typeof GAP)[] = [];
  return code.replaceAll(/"(?:[^"\\]|\\.)*"|[[\]{}…]/g, (part) => {
    if (part === '[' || part === '{') open.push(part);
    else if (part === ']' || part === '}') open.pop();
    return part === '…' ? GAP[open.at(-1) ?? '['] : part;
  });
}

function groupHtml(programs: readonly Block[], output: Block | null, name: string): string {
  const ordered = [...programs].sort((one, other) => TAB_ORDER.indexOf(one.language) - TAB_ORDER.indexOf(other.language));
  const tabs = ordered.map(
    ({ language }, index) =>
      `<input type="radio" name="${name}" id="${name}-${language}" value="${language}"${index === 0 ? ' checked' : ''}>` +
      `<label for="${name}-${language}">${LANGUAGES[language]?.label}</label>`,
  );
  const bar = tabs.length > 1 ? `<div class="tab-bar" role="radiogroup" aria-label="Language">${tabs.join('')}</div>` : '';
  // Without a program before it, JSON is not the response to a request.
  const outputLabel = programs.length === 0 && output?.language === 'json' ? 'JSON' : output && labelOf(output);
  const below = output === null ? '' : `<div class="output">${codeHtml(output, outputLabel ?? '')}</div>`;
  return `<div class="${tabs.length > 1 ? 'sample tabs' : 'sample'}">${bar}${ordered.map((block) => codeHtml(block, tabs.length > 1 ? '' : labelOf(block))).join('')}${below}</div>\n`;
}

function labelOf({ language }: Block): string {
  return LANGUAGES[language]?.alone ?? LANGUAGES[language]?.label ?? '';
}

function codeHtml({ language, file, code }: Block, label: string): string {
  const highlighted = LANGUAGES[language]?.highlighted;
  const html = highlighted ? hljs.highlight(code, { language: highlighted }).value : md.utils.escapeHtml(code);
  const caption = file ?? label;
  const line = caption === '' ? '' : `<p class="caption">${md.utils.escapeHtml(caption)}</p>`;
  return `<div class="code" data-language="${language}">${line}<pre tabindex="0"><code>${html}</code></pre></div>`;
}
