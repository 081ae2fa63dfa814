import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../../scripts/lib/paths.ts';
import { markdownFiles, readMarkdown } from '../../snippets/snippets.ts';

const FILES = markdownFiles([...readdirSync(ROOT).filter((name) => name.endsWith('.md')), 'docs', '.github']);

/** Markdown without code, in which brackets are not links. */
const proseOf = (markdown: string) => markdown.replaceAll(/^(`{3,})[\s\S]*?^\1`*$/gm, '').replaceAll(/`[^`\n]*`/g, '');

/** Anchors of headings, in GitHub's format. */
const anchorsOf = (markdown: string) =>
  [...markdown.replaceAll(/^(`{3,})[\s\S]*?^\1`*$/gm, '').matchAll(/^#+ +(.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

const SOURCES = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' });

/** Source paths in code spans of a document, without placeholders and wildcards: `src/…`, `platform/…`, `x.domain.ts`. */
const sourcePathsOf = (markdown: string) =>
  [...markdown.matchAll(/`([\w./-]+)`/g)]
    .map(([, path = '']) => path)
    .filter((path) => /^(?:src|platform|test|scripts)\/\w/.test(path) || /^[\w/-]+(?:\.[\w-]+)*\.tsx?$/.test(path));

/** Whether a path exists in the repository, or is the end of a path below `src`. */
const isSourcePath = (path: string) => existsSync(join(ROOT, path)) || SOURCES.some((source) => `/${source}`.endsWith(`/${path}`));

/** Reason why a relative link is broken; null if it is valid, or links to another site or a page of the service. */
function linkFault(file: string, target: string): string | null {
  if (/^(?:[a-z]+:|\/)/.test(target)) return null;
  const [path = '', anchor] = target.split('#');
  const targetFile = path === '' ? file : join(dirname(file), path);
  if (!existsSync(join(ROOT, targetFile))) return `${target}: ${targetFile} does not exist`;
  if (anchor === undefined || !targetFile.endsWith('.md')) return null;
  return anchorsOf(readFileSync(join(ROOT, targetFile), 'utf8')).includes(anchor) ? null : `${target}: heading #${anchor} does not exist`;
}

describe.each(FILES)('%s', (file) => {
  it('links only to files and headings that exist', () => {
    const targets = [...proseOf(readMarkdown(file)).matchAll(/\]\(<?([^)\s>]+)>?(?: "[^"]*")?\)/g)].map(([, target = '']) => target);
    expect(targets.flatMap((target) => linkFault(file, target) ?? [])).toEqual([]);
  });
});

describe('README.md', () => {
  it('has at most 110 lines', () => {
    expect(readMarkdown('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(110);
  });
});

describe('docs/architecture', () => {
  it.each(readdirSync(join(ROOT, 'src', 'areas')))('has a page of at most 40 lines or a row about the area %s', (area) => {
    if (readMarkdown('docs/architecture/small-areas.md').includes(`| \`${area}\` |`)) return;
    expect(readMarkdown(`docs/architecture/${area}.md`).trimEnd().split('\n').length).toBeLessThanOrEqual(40);
  });

  it.each(markdownFiles(['docs/architecture']))('names only sources that exist in %s', (file) => {
    expect(sourcePathsOf(readMarkdown(file)).filter((path) => !isSourcePath(path))).toEqual([]);
  });
});
