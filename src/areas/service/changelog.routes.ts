import { z } from '@hono/zod-openapi';
import { openAccess } from '../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { ATOM_TYPE, type AtomEntry, atomReply } from '../../platform/http/replies/atom.ts';
import { json } from '../../platform/http/replies/reply.ts';

interface Change {
  /** The `###` heading in lower case: `added`, `changed`, `fixed`, `removed`. */
  kind: string;
  /** Markdown. */
  text: string;
  isBreaking: boolean;
}

interface ChangelogSection {
  /** `YYYY-MM-DD`; null while unreleased. */
  date: string | null;
  changes: Change[];
}

const ChangeBody = z
  .object({
    kind: z.string().openapi({ description: 'Added, changed, fixed or removed, in lower case.', example: 'added' }),
    text: z.string().openapi({ description: 'Description of the change in Markdown.', example: '`GET /v1/changelog`.' }),
    breaking: z.boolean().openapi({ description: 'True if clients may require a change.', example: false }),
  })
  .openapi('ApiChange', { description: 'One change.' });

const ChangelogBody = z
  .object({
    items: z
      .array(
        z
          .object({
            date: z.string().nullable().openapi({ description: 'Day of the release; null while unreleased.', example: '2026-11-22' }),
            changes: z.array(ChangeBody).openapi({ description: 'Changes of the release.' }),
          })
          .openapi('ApiRelease', { description: 'A release of the API.' }),
      )
      .openapi({ description: 'Releases.' }),
    count: z.number().int().openapi({ description: 'Number of releases.', example: 1 }),
  })
  .openapi('Changelog', { description: 'Changes of the API, newest first.' });

function toChangelogBody(sections: readonly ChangelogSection[]): z.infer<typeof ChangelogBody> {
  const items = sections.map(({ date, changes }) => ({
    date,
    changes: changes.map(({ kind, text, isBreaking }) => ({ kind, text, breaking: isBreaking })),
  }));
  return { items, count: items.length };
}

const MAX_AGE = 3600;

const shared = { method: 'get', tag: 'Service', access: openAccess } as const;

/** Endpoints of CHANGELOG.md as JSON and as a feed. */
export function createChangelogEndpoints(assets: Fetcher): Endpoint[] {
  /** Cached, because the file changes only with a deployment. */
  let cached: ChangelogSection[] | null = null;

  async function sections(baseUrl: string): Promise<ChangelogSection[]> {
    cached ??= parseChangelog(await (await assets.fetch(`${baseUrl}/docs/changelog.md`)).text());
    return cached;
  }

  const changelog = defineRoute({
    ...shared,
    path: '/v1/changelog',
    operationId: 'getChangelog',
    summary: 'Get the API changelog',
    description: 'Changes of the API, newest first. `breaking` marks changes that may require a change in clients.',
    ok: { description: 'The changelog.', schema: ChangelogBody },
  }).handle(async ({ baseUrl }) => json(toChangelogBody(await sections(baseUrl)), { maxAge: MAX_AGE }));

  const feed = defineRoute({
    ...shared,
    path: '/v1/changelog.atom',
    operationId: 'getChangelogFeed',
    summary: 'Get the changelog feed',
    description: 'One entry for each dated release of the API, for feed readers (RFC 4287).',
    ok: { contentTypes: [ATOM_TYPE], description: 'Atom feed.' },
  }).handle(async ({ baseUrl }) =>
    atomReply({
      title: 'Game Data API: changelog',
      author: 'Game Data API',
      selfUrl: `${baseUrl}/v1/changelog.atom`,
      pageUrl: `${baseUrl}/docs`,
      entries: (await sections(baseUrl)).flatMap((section) => sectionEntry(section, baseUrl)),
    }),
  );

  return [changelog, feed];
}

function sectionEntry({ date, changes }: ChangelogSection, baseUrl: string): AtomEntry[] {
  if (date === null) return [];
  const url = `${baseUrl}/v1/changelog#${date}`;
  const summary = changes.map(({ kind, text, isBreaking }) => `${isBreaking ? 'breaking' : kind}: ${text}`).join('\n');
  return [{ id: url, url, title: date, publishedAt: Date.parse(`${date}T00:00:00Z`) / 1000, summary }];
}

const SECTION = /^## (.+)$/;
const KIND = /^### (.+)$/;
const ITEM = /^- (.+)$/;
const BREAKING = /^\*\*Breaking:\*\*\s*/;

/** Parses CHANGELOG.md: `##` sections by version with their date, `###` headings by kind, list items with indented continuation lines. */
function parseChangelog(markdown: string): ChangelogSection[] {
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
