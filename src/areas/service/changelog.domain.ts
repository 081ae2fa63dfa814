/** One change of a release of the API. */
export interface Change {
  /** Heading above it, in lower case: added, changed, fixed, removed … */
  kind: string;
  /** Markdown. */
  text: string;
  isBreaking: boolean;
}

export interface ChangelogSection {
  /** `YYYY-MM-DD`; null while it is unreleased. */
  date: string | null;
  changes: Change[];
}

const SECTION = /^## (.+)$/;
const KIND = /^### (.+)$/;
const ITEM = /^- (.+)$/;
const BREAKING = /^\*\*Breaking:\*\*\s*/;

/** Reads CHANGELOG.md: sections by date, headings of kinds, items that go on in indented lines. Newest first, as written. */
export function parseChangelog(markdown: string): ChangelogSection[] {
  const sections: ChangelogSection[] = [];
  let kind = '';
  for (const line of markdown.split('\n')) {
    const changes = sections.at(-1)?.changes;
    const [, title] = SECTION.exec(line) ?? [];
    const [, heading] = KIND.exec(line) ?? [];
    const [, item] = ITEM.exec(line) ?? [];
    const last = changes?.at(-1);
    if (title !== undefined) sections.push({ date: /\d{4}-\d\d-\d\d/.exec(title)?.[0] ?? null, changes: [] });
    else if (heading !== undefined) kind = heading.toLowerCase();
    else if (item !== undefined) changes?.push({ kind, text: item.replace(BREAKING, ''), isBreaking: BREAKING.test(item) });
    else if (last && /^\s+\S/.test(line)) last.text += ` ${line.trim()}`;
  }
  return sections;
}
