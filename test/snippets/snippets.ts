import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from '../../scripts/lib/paths.ts';

/** Folders and files whose fenced blocks are run. */
export const SNIPPET_SOURCES = ['README.md', 'docs/guide', 'docs/operations'];

/** Languages that are run; the others show output or a configuration file. */
const PROGRAMS = ['bash', 'js', 'python', 'html'] as const;
const OUTPUTS = ['json', 'text'];
/** Languages a block may state. `toml` shows a configuration file. */
export const LANGUAGES: readonly string[] = [...PROGRAMS, ...OUTPUTS, 'toml'];

export type ProgramLanguage = (typeof PROGRAMS)[number];

/** A fenced block of a Markdown file. */
export interface Block {
  /** Path from the root of the checkout. */
  file: string;
  /** Line of the opening fence, from 1. */
  line: number;
  language: string;
  /** Words after the language: `no-run`, `reason=…`, `file=…`, `id=…`. */
  info: Readonly<Record<string, string>>;
  text: string;
}

/** A block to run, with the output that the page shows for it. */
export interface Snippet extends Block {
  language: ProgramLanguage;
  output: Block | null;
  /** Earlier blocks of the same page that a reader has saved. */
  saved: readonly { name: string; text: string }[];
}

/** The fenced blocks of a Markdown text. */
export function blocksOf(file: string, markdown: string): Block[] {
  const blocks: Block[] = [];
  let open: { line: number; fence: string; language: string; info: Record<string, string>; lines: string[] } | null = null;
  for (const [index, line] of markdown.split('\n').entries()) {
    if (open === null) {
      const [, fence = '', rest = ''] = /^(`{3,})(.*)$/.exec(line) ?? [];
      if (fence === '') continue;
      const [language = '', ...words] = rest.trim().split(/\s+/);
      open = { line: index + 1, fence, language, info: Object.fromEntries(words.map(infoEntry)), lines: [] };
    } else if (line.trimEnd() === open.fence) {
      const { line: start, language, info, lines } = open;
      blocks.push({ file, line: start, language, info, text: lines.join('\n') });
      open = null;
    } else open.lines.push(line);
  }
  if (open !== null) throw new Error(`${file}:${open.line}: the block is not closed`);
  return blocks;
}

function infoEntry(word: string): [string, string] {
  const [name = '', ...value] = word.split('=');
  return [name, value.join('=')];
}

/** Groups of blocks with nothing but blank lines between them; a language that comes again begins a new group. */
export function groupsOf(blocks: readonly Block[], markdown: string): Block[][] {
  const lines = markdown.split('\n');
  const groups: Block[][] = [];
  let next = -1;
  for (const block of blocks) {
    const last = groups.at(-1);
    const isAdjacent = next >= 0 && lines.slice(next, block.line - 1).every((line) => line.trim() === '');
    if (last && isAdjacent && !last.some(({ language }) => language === block.language)) last.push(block);
    else groups.push([block]);
    next = block.line + block.text.split('\n').length + 1;
  }
  return groups;
}

/** The programs of a Markdown text, in order, those that are not run included. */
export function snippetsOf(file: string, markdown: string): Snippet[] {
  const saved: { name: string; text: string }[] = [];
  return groupsOf(blocksOf(file, markdown), markdown).flatMap((group) => {
    const output = group.findLast(({ language }) => OUTPUTS.includes(language)) ?? null;
    const snippets = group
      .filter(isProgram)
      .map((block) => ({ ...block, output: output !== null && output.line > block.line ? output : null, saved: [...saved] }));
    for (const { info, text } of group) if (info.file !== undefined) saved.push({ name: info.file, text });
    return snippets;
  });
}

function isProgram(block: Block): block is Block & { language: ProgramLanguage } {
  return (PROGRAMS as readonly string[]).includes(block.language);
}

/** Markdown files at or below the given paths, from the root of the checkout. */
export function markdownFiles(paths: readonly string[]): string[] {
  return paths.flatMap((path) => {
    if (path.endsWith('.md')) return [path];
    const entries = readdirSync(join(ROOT, path), { recursive: true, withFileTypes: true });
    const names = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.md'));
    return names.map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1)).sort((one, other) => (one < other ? -1 : 1));
  });
}

/** The Markdown text of a file of the checkout. */
export function readMarkdown(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8').replaceAll('\r\n', '\n');
}

/** Why a page could not be run as it is: unknown languages, blocks that are not run without a reason, file names with a path. */
export function faultsOf(block: Block): string[] {
  const { language, info } = block;
  const known = ['no-run', 'reason', 'file', 'id'];
  return [
    ...(LANGUAGES.includes(language) ? [] : [`language "${language}" is not one of ${LANGUAGES.join(', ')}`]),
    ...Object.keys(info).flatMap((name) => (known.includes(name) ? [] : [`unknown word "${name}" after the language`])),
    ...('no-run' in info && !info.reason ? ['no-run needs reason=…'] : []),
    ...(info.file !== undefined && dirname(info.file) !== '.' ? ['file must be a bare name'] : []),
  ];
}
