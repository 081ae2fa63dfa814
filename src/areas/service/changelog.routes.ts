import { openAccess } from '../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { ATOM_TYPE, type AtomEntry, atomReply } from '../../platform/http/replies/atom.ts';
import { json } from '../../platform/http/replies/reply.ts';
import { type ChangelogSection, parseChangelog } from './changelog.domain.ts';
import { ChangelogBody, toChangelogBody } from './service.schemas.ts';

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
