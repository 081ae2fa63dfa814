import { env } from 'cloudflare:workers';
import { modReleaseEvent } from '../../src/areas/mods-catalog/mods-catalog.events.ts';
import { MOD_LIMITS } from '../../src/areas/mods-catalog/records/catalog.data.ts';
import { composeApp } from '../../src/composition.ts';
import { randomUnit, seededRandom } from '../../src/platform/kit/random.ts';
import { createSettingsStore } from '../../src/platform/settings/settings.store.ts';
import { createDatabase } from '../../src/platform/storage/database.ts';
import { TestStream } from '../worker/events/streams.ts';
import { packed, publish, publisher } from '../worker/mods-catalog/catalog.ts';
import { type Author, newAuthor, send, upload } from '../worker/mods-catalog/publishing/authors.ts';
import { SETTINGS } from './declarations.ts';
import { call, FIRST_INSTANT, type TestResponse } from './requests.ts';

/** Allowances of each account. */
export interface DayAllowances {
  megabytes: number;
  uploads: number;
  projects: number;
  drafts: number;
  scheduled: number;
  keys: number;
  announcements: number;
}

const DAY = 86_400;
/** A time of a UTC day after which the requests of the day have room. */
export const MORNING = Math.ceil(FIRST_INSTANT / DAY) * DAY + 3600;

/** A seeded generator of fractions. */
export function fractionsOf(seed: string): () => number {
  const source = seededRandom(seed);
  return () => randomUnit(source);
}

/** Sets the allowances of all accounts. */
export async function setAllowances(allowances: DayAllowances): Promise<void> {
  const store = createSettingsStore(createDatabase(env.DB), SETTINGS);
  const values = {
    publishing_megabytes: allowances.megabytes,
    publishing_uploads_per_day: allowances.uploads,
    publishing_projects_per_day: allowances.projects,
    publishing_drafts: allowances.drafts,
    publishing_scheduled: allowances.scheduled,
    publishing_keys: allowances.keys,
    publishing_announcements_per_day: allowances.announcements,
  };
  for (const [key, value] of Object.entries(values)) await store.set({ key, value, now: FIRST_INSTANT, userId: null });
}

/** Texts that are hostile to pages, chats, feeds and databases, or as long as a field allows. */
const WORDS = [
  '<script>alert(1)</script>',
  ']]><x/>',
  '[link](https://evil.example)',
  '@everyone',
  '=HYPERLINK("https://evil.example")',
  "'; DROP TABLE mods; --",
  '%%__%%',
  '"*" OR NEAR(a b)',
  '\ufdfd',
  '👩‍👩‍👧‍👦',
  'a',
];
export const longText = (random: () => number, max: number): string => {
  const word = WORDS[Math.floor(random() * WORDS.length)] ?? 'a';
  return word
    .repeat(Math.ceil(max / word.length))
    .slice(0, max)
    .toWellFormed();
};

/** A `.tmod` whose body does not compress. */
function hostileFile(random: () => number, bytes: number): Uint8Array<ArrayBuffer> {
  const noise = Array.from({ length: Math.ceil(bytes / 8) }, () => Math.floor(random() * 2 ** 32).toString(36)).join('');
  return packed(noise.slice(0, bytes), { title: longText(random, 200), author: longText(random, 200) });
}

/** A PNG signature with noise, which no other call returns. */
function hostileImage(random: () => number, bytes: number): Uint8Array<ArrayBuffer> {
  const image = new Uint8Array(bytes).map(() => Math.floor(random() * 256));
  image.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return image;
}

/** Number of responses by status. */
export type Statuses = Record<number, number>;

/**
 * One account tries for a day to store and to announce as much as it can. It repeats every write until it is refused, and goes on. Each
 * request has its own time of the day, so that only the allowances refuse it. Returns the paths of its projects.
 */
export async function spendAllowances(
  author: Author,
  name: string,
  random: () => number,
  allowances: DayAllowances,
  statuses: Statuses,
): Promise<string[]> {
  let requests = 0;
  const now = () => MORNING + Math.floor((requests++ * 70_000) / 4000);
  const count = <R extends Pick<TestResponse, 'status'>>(response: R): R => {
    statuses[response.status] = (statuses[response.status] ?? 0) + 1;
    return response;
  };
  const json = (method: string, path: string, body?: unknown) => send(method, path, author, body, { now: now() }).then(count);
  const image = (method: string, path: string) =>
    call(path, {
      method,
      now: now(),
      authorization: author.authorization,
      body: hostileImage(random, 20_000),
      headers: { 'Content-Type': 'image/png' },
    }).then(count);

  const paths: string[] = [];
  for (let index = 0; index < allowances.projects + 3; index += 1) {
    const { status, json: created } = await json('POST', '/projects', {
      handle: name,
      title: `${index} ${longText(random, 60)}`,
      tags: [],
    });
    if (status === 201) paths.push(`/v1/publishing/${created.handle}/${created.slug}`);
  }
  for (const path of paths) {
    // The first alone: the others are as long as the limits allow.
    const opened = await json('PATCH', path, { visibility: 'public' });
    if (opened.status !== 200) throw new Error(`the project is not public: ${opened.text}`);
    const languages = ['fr', 'de', 'es', 'ru', 'ja', 'ko'];
    const translated = Object.fromEntries(languages.map((language) => [language, longText(random, 8_000)]));
    await json('PATCH', path, { description: longText(random, MOD_LIMITS.description) });
    await json('PATCH', path, {
      readme_text: longText(random, MOD_LIMITS.readme),
      warnings: longText(random, MOD_LIMITS.warnings),
      description_i18n: translated,
    });
    await image('PUT', `${path}/banner`);
    for (let index = 0; index < 3; index += 1) await image('POST', `${path}/previews`);
  }
  const drafts: string[] = [];
  const schedule = (draft: string, hours: number) =>
    json('POST', `${draft}/publish`, { at: new Date((MORNING + hours * 3600) * 1000).toISOString() });
  let scheduled = 0;
  for (let index = 0; index < allowances.uploads + 5; index += 1) {
    const path = paths[index % paths.length] ?? '';
    // More releases at once than are announced, then drafts, because a release needs a free place among the open drafts.
    const isDraft = index >= 2 * allowances.announcements;
    const fields = { tag: `1.${index}`, title: longText(random, 60), changelog: longText(random, 20_000), publish: String(!isDraft) };
    const response = await upload(`${path}/releases`, author, fields, hostileFile(random, 30_000), { now: now() });
    count(response);
    if (response.status === 201 && isDraft) drafts.push(`${path}/releases/${response.json.id}`);
    // A scheduled release does not count as an open draft, so there is room for another one until the queue is full.
    if (response.status !== 409) continue;
    while (scheduled < drafts.length && (await schedule(drafts[scheduled] ?? '', 24)).status === 200) scheduled += 1;
  }
  for (const draft of drafts) {
    // The queue is rescheduled again and again.
    for (let hours = 24; hours < 28; hours += 1) await schedule(draft, hours);
  }
  for (let index = 0; index < allowances.keys + 3; index += 1) {
    await json('POST', `${(paths[index % paths.length] ?? '').replace('/v1/publishing', '/projects')}/keys`, { name: `key ${index}` });
  }
  for (const path of paths.slice(0, 2))
    await json('POST', '/mod-claims', { mod: path.slice('/v1/publishing/'.length), handle: name, note: longText(random, 500) });
  return paths;
}

/** What the day left behind. */
export interface DayResult {
  accounts: number;
  requests: number;
  statuses: Statuses;
  bytes: number;
  rows: Record<string, number>;
  /** Used and greatest amounts of each account by allowance. */
  uses: { name: string; used: number; max: number }[];
  /** Shared pages and lists: status, bytes, and whether the entries of others are in them. */
  shared: { path: string; status: number; bytes: number; hasOthers: boolean }[];
}

const HONEST = { handle: 'honest', title: 'Honest Wings' };
const SHARED = [
  '/v1/mods?limit=100',
  '/v1/mods?sort=title&limit=100',
  '/v1/mods?sort=popular&limit=100',
  '/v1/mods?q=honest',
  '/v1/mods?author=honest',
  '/v1/mods/popular',
  '/v1/mods/releases.atom',
  '/v1/mods/honest/honest-wings',
  '/mods',
  '/mods?q=honest',
];

/** Pages of a list until one has the text; the last page that was read. */
async function readUntil(path: string, text: string): Promise<{ status: number; bytes: number; hasOthers: boolean }> {
  let bytes = 0;
  for (let page = 0; page < 40; page += 1) {
    const isList = path.startsWith('/v1/mods?') && path.includes('limit');
    const url = isList ? `${path}&offset=${page * 100}` : page === 0 ? path : `${path}${path.includes('?') ? '&' : '?'}page=${page + 1}`;
    const response = await call(url, { now: MORNING + 80_000 + page, address: `10.9.${page}.${Math.floor(bytes % 250)}` });
    bytes = Math.max(bytes, response.text.length);
    if (response.status !== 200) return { status: response.status, bytes, hasOthers: false };
    if (response.text.includes(text)) return { status: 200, bytes, hasOthers: true };
    if (!isList && !path.startsWith('/mods')) break;
  }
  return { status: 200, bytes, hasOthers: false };
}

/** Events of releases after an event, up to that of the mod with a title, and those of them that chats post. */
async function countPosts(lastEventId: number, title: string, now: number): Promise<{ events: number; posts: number }> {
  const stream = await TestStream.open({ query: 'types=mod_release', headers: { 'Last-Event-ID': String(lastEventId) }, now });
  const count = { events: 0, posts: 0 };
  for (;;) {
    const { body, ts } = await stream.message();
    const data = JSON.parse(body);
    if (data.project.title === title) break;
    count.events += 1;
    if (modReleaseEvent.chat.variablesOf(data, ts) !== null) count.posts += 1;
  }
  await stream.close();
  return count;
}

/** Runs the job that deletes files of published drafts and unused contents, as each minute of the day would. */
async function deleteUnusedFiles(now: number): Promise<void> {
  const due = env.DB.prepare(
    "SELECT count(*) AS n FROM outbox WHERE kind IN ('mod-draft-file', 'mod-project-content') AND next_try_at <= ?",
  );
  for (let minute = 0; minute < 60 && ((await due.bind(now).first<{ n: number }>())?.n ?? 0) > 0; minute += 1) {
    await (await composeApp(env).scheduler.start('mods-publish', now + minute))?.work;
  }
}

/** Runs a day of hostile accounts beside one honest author. */
export async function hostileDay(options: { accounts: number; seed: number; allowances: DayAllowances }): Promise<DayResult> {
  const { accounts, seed, allowances } = options;
  await setAllowances(allowances);
  const authorization = await publisher();
  const stream = await TestStream.open({ query: 'types=mod_release', now: MORNING - 7200 });
  await publish({ handle: HONEST.handle, title: HONEST.title }, {}, MORNING - 7200);
  const { id: firstEventId } = await stream.message();
  await stream.close();
  const statuses: Statuses = {};
  const uses: DayResult['uses'] = [];
  for (let index = 0; index < accounts; index += 1) {
    const author = await newAuthor();
    await spendAllowances(author, `hostile-${index}`, fractionsOf(`${seed}-${index}`), allowances, statuses);
    const { json } = await send('GET', '/v1/publishing/allowances', author, undefined, { now: MORNING + 75_000 });
    uses.push(...json.items);
  }
  const shared = [];
  for (const path of SHARED) shared.push({ path, ...(await readUntil(path, HONEST.title)) });
  const hidden = await call('/admin/mods', { authorization, now: MORNING + 85_000 });
  shared.push({ path: '/admin/mods', status: hidden.status, bytes: hidden.text.length, hasOthers: true });
  const rows: Record<string, number> = {};
  for (const table of ['mods', 'mod_releases', 'mod_images', 'project_keys', 'project_claims', 'mail_outbox', 'project_audit']) {
    rows[table] = (await env.DB.prepare(`SELECT count(*) AS n FROM ${table}`).first<{ n: number }>())?.n ?? 0;
  }
  rows.scheduled = (await env.DB.prepare("SELECT count(*) AS n FROM outbox WHERE kind = 'mod-publication'").first<{ n: number }>())?.n ?? 0;
  const evening = MORNING + 86_000;
  await deleteUnusedFiles(evening);
  await publish({ handle: HONEST.handle, title: 'Last Wings' }, {}, evening);
  Object.assign(rows, await countPosts(firstEventId, 'Last Wings', evening));
  let bytes = 0;
  for (const prefix of ['projects/', 'drafts/']) {
    let cursor: string | undefined;
    do {
      const page = await env.ARCHIVE.list({ prefix, ...(cursor === undefined ? {} : { cursor }) });
      for (const { size } of page.objects) bytes += size;
      cursor = page.truncated ? page.cursor : undefined;
    } while (cursor !== undefined);
  }
  const texts = await env.DB.prepare(
    `SELECT coalesce(sum(octet_length(description) + octet_length(readme_text) + octet_length(warnings) + octet_length(description_i18n)), 0)
      + (SELECT coalesce(sum(octet_length(changelog)), 0) FROM mod_releases) AS n FROM mods WHERE handle LIKE 'hostile-%'`,
  ).first<{ n: number }>();
  bytes += texts?.n ?? 0;
  const hostile = await env.DB.prepare("SELECT count(*) AS n FROM mods WHERE is_visible AND handle LIKE 'hostile-%'").first<{
    n: number;
  }>();
  rows.visible = hostile?.n ?? 0;
  return { accounts, requests: Object.values(statuses).reduce((sum, n) => sum + n, 0), statuses, bytes, rows, uses, shared };
}
