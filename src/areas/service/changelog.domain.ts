export interface Change {
  /** The `###` heading in lower case: `added`, `changed`, `fixed`, `removed`. */
  kind: string;
  /** Markdown. */
  text: string;
  isBreaking: boolean;
}

export interface ChangelogSection {
  /** `YYYY-MM-DD`; null while unreleased. */
  date: string | null;
  changes: Change[];
}

const SECTION = /^## (.+)$/;
const KIND = /^### (.+)$/;
const ITEM = /^- (.+)$/;
const BREAKING = /^\*\*Breaking:\*\*\s*/;

/** Parses CHANGELOG.md: `##` sections by date, `###` headings by kind, list items with indented continuation lines. */
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
