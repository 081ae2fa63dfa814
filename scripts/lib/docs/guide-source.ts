import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { UserError } from '../main.ts';

const SECTIONS = ['Guides', 'Recipes'] as const;

/** Source of a guide: front matter and Markdown. */
export interface GuideSource {
  /** Path below `docs/guide` without extension, with `/`: `quickstart`, `recipes/discord-bot`. */
  name: string;
  title: string;
  /** One sentence. */
  description: string;
  section: (typeof SECTIONS)[number];
  order: number;
  markdown: string;
}

/** Reads all guides below a folder, sorted by section, then by `order`. */
export function readGuides(folder: string): GuideSource[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => parseGuide(path.slice(0, -'.md'.length).split(sep).join('/'), readFileSync(join(folder, path), 'utf8')))
    .sort((one, other) => SECTIONS.indexOf(one.section) - SECTIONS.indexOf(other.section) || one.order - other.order);
}

/** Parses a guide. Throws on missing or unknown fields of the front matter. */
export function parseGuide(name: string, text: string): GuideSource {
  const fail = (problem: string) => new UserError(`docs/guide/${name}.md: ${problem}`);
  const [, head, markdown] = /^---\r?\n(.*?)\r?\n---\r?\n(.*)$/s.exec(text) ?? [];
  if (head === undefined || markdown === undefined) throw fail('front matter is missing');
  const fields = new Map<string, string>();
  for (const line of head.split(/\r?\n/)) {
    const [, key = '', value = ''] = /^([a-z]+):\s*(.+?)\s*$/.exec(line) ?? [];
    if (!['title', 'description', 'order', 'section'].includes(key)) throw fail(`unknown front matter: ${line}`);
    fields.set(key, value.replace(/^(["'])(.*)\1$/, '$2'));
  }
  const field = (key: string): string => {
    const value = fields.get(key);
    if (value === undefined) throw fail(`front matter lacks ${key}`);
    return value;
  };
  const order = Number(field('order'));
  const section = SECTIONS.find((known) => known === field('section'));
  if (!Number.isInteger(order)) throw fail('order must be an integer');
  if (section === undefined) throw fail(`section must be one of ${SECTIONS.join(', ')}`);
  return { name, title: field('title'), description: field('description'), section, order, markdown };
}
