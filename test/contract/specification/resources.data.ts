import { expect } from 'vitest';
import { documented, fields, type Statement } from './statement.ts';

const F = '/v1/feeds';
const U = '/v1/updates';
const C = '/v1/codexes';
const A = '/v1/clientapp';

const CODEX_TYPES = [
  ...['ally', 'mount', 'dragon', 'wings', 'aura', 'boat', 'sail', 'flask', 'tome'],
  ...['magrider', 'fishingpole', 'skin', 'style', 'memento', 'recipe', 'item', 'fish', 'badge'],
];

const MOD_FIELDS = [
  'slug handle title summary description readme_text warnings tags categories flags author is_stray uploaded_on_behalf banner_url',
  'preview_urls download_count downloads_7d star_count popularity_score discord_url website_url donation_urls page_url created_at',
  'updated_at forked_from inspired_by fork_count',
].join(' ');

export const resourceStatements: readonly Statement[] = [
  ...fields('news {items, count}', `${F}/news`, '', 'items count'),
  ...fields('News item', `${F}/news`, 'items.0.', 'title url author summary category categories image published_at'),
  ...['0', '51', 'x'].map((limit): Statement => ({ quote: `news limit 1-50: ${limit}`, request: `${F}/news?limit=${limit}`, status: 422 })),
  ...['1', '50'].map((limit): Statement => ({ quote: `news limit 1-50: ${limit} is accepted`, request: `${F}/news?limit=${limit}` })),
  ...['streams', 'videos-a', 'videos-b'].flatMap((name) =>
    fields(`${name} {items, count, fetched_at}`, `${F}/${name}`, '', 'items count fetched_at'),
  ),
  ...documented('Stream', `${F}/streams`, 'items.', 'channel login url title viewers game started_at thumbnail'),
  ...['videos-a', 'videos-b'].flatMap((name) =>
    documented(`Video, ${name}`, `${F}/${name}`, 'items.', 'title url channel video_id published_at thumbnail_url'),
  ),
  ...['events', 'events/upcoming', 'events/history'].flatMap((name) => [
    ...fields(`${name} {items, count}`, `${F}/${name}`, '', 'items count'),
    ...documented(
      `Community event, ${name}`,
      `${F}/${name}`,
      'items.',
      'event_id name url category image icon lookup starts_at ends_at status seconds_until',
    ),
  ]),
  ...fields('events/categories', `${F}/events/categories`, '', 'categories count'),

  { quote: 'mods catalog: read-only browse, tokenless', request: '/v1/mods', has: ['items', 'total'] },
  { quote: 'A mod is addressed by `<handle>/<slug>`', request: '/v1/mods/ana/tiny-wings', body: { handle: 'ana', slug: 'tiny-wings' } },
  ...fields('Mod (catalog)', '/v1/mods/ana/tiny-wings', '', MOD_FIELDS),
  { quote: 'A category list endpoint `/v1/mods/categories` exists.', request: { path: '/v1/mods/categories', client: 'token' } },
  ...documented(
    'mods/read response',
    { method: 'POST', path: '/v1/mods/read' },
    '',
    'version header_size properties file_count files metadata_only flags categories',
  ),
  ...documented('Tmod file entry', { method: 'POST', path: '/v1/mods/read' }, 'files.', 'path index offset size checksum content_base64'),
  ...['read', 'build'].map(
    (name): Statement => ({
      quote: `mods/${name}: token required`,
      request: { method: 'POST', path: `/v1/mods/${name}`, body: {} },
      status: 401,
    }),
  ),
  {
    quote: 'mods/build returns raw `.tmod` bytes, `application/octet-stream`, attachment disposition',
    request: {
      method: 'POST',
      path: '/v1/mods/build',
      client: 'token',
      body: { properties: { title: 'a', author: 'b' }, files: [{ path: 'x/y.txt', content_base64: 'aGk=' }] },
    },
    headers: { 'Content-Type': /^application\/octet-stream/, 'Content-Disposition': /^attachment/ },
    check: ({ text }) => expect(text).toContain('ServiceAPI'),
  },

  {
    quote: 'tracked branches (`live-us`, `pts`) with current version and file count',
    request: { path: `${U}/branches`, client: 'token' },
    check: ({ text }) => {
      expect(text).toContain('live-us');
      expect(text).toContain('pts');
    },
  },
  { quote: 'captured game version history, newest first', request: { path: `${U}/live-us/versions`, client: 'token' }, has: ['items'] },
  { quote: 'directory listing, one level at a time, latest version', request: { path: `${U}/live-us/tree`, client: 'token' } },
  { quote: 'an unknown branch is not found', request: { path: `${U}/nowhere/versions`, client: 'token' }, status: 404 },
  { quote: 'file downloads are tokenless: an unknown file is 404, not 401', request: `${U}/live-us/file?path=nothing`, status: 404 },
  { quote: 'file/meta needs a token', request: `${U}/live-us/file/meta?path=nothing`, status: 401 },

  ...CODEX_TYPES.flatMap((type): Statement[] => [
    { quote: `Codex type ${type}: entries of one type, paginated`, request: `${C}/${type}`, has: ['items', 'total'] },
    { quote: `Codex type ${type}: distinct categories with counts`, request: `${C}/${type}/categories` },
  ]),
  { quote: 'codexes/types: types present with counts', request: `${C}/types` },
  { quote: 'cross-type search; each result carries its type', request: `${C}/search?q=a`, has: ['items'] },
  { quote: 'stats granted within the type', request: `${C}/mount/stat-keys` },
  { quote: 'displayed abilities referenced within the type', request: `${C}/mount/abilities` },
  { quote: 'progression systems present', request: `${C}/upgrades` },
  { quote: 'an unknown codex type is not found', request: `${C}/nothing`, status: 404 },
  { quote: 'entry requires its path', request: `${C}/mount/entry`, status: 422 },
  { quote: 'links require a path', request: `${C}/links`, status: 422 },
  { quote: 'codexes/stats requires a stat', request: `${C}/stats`, status: 422 },
  { quote: 'an unknown progression system is not found', request: `${C}/upgrades/nothing`, status: 404 },

  { quote: 'releases newest first', request: `${A}/releases`, has: ['items'] },
  ...['release', 'beta'].map((channel): Statement => ({ quote: `channel filter ${channel}`, request: `${A}/releases?channel=${channel}` })),
  {
    quote: 'channel filter release or beta: another value is refused',
    request: `${A}/releases?channel=alpha`,
    status: 400,
    deviation: 'The specification has no status for it; 400 bad_request names the allowed values.',
  },
  { quote: 'latest version per platform (windows, linux, android)', request: `${A}/latest` },
  { quote: 'an unknown platform is not found', request: `${A}/latest/beos`, status: 404 },
  ...documented('clientapp check', `${A}/check`, '', 'update_available latest'),
  { quote: 'commits grouped by git tag', request: `${A}/changelog` },

  { quote: '`/v1/activity/*` is public (activity:read)', request: '/v1/activity/current' },
  { quote: 'giveaways use giveaways:read (public)', request: '/v1/giveaways/ongoing' },
  {
    quote: '`POST /v1/ocr/character` needs ocr:read and a token',
    request: { method: 'POST', path: '/v1/ocr/character', body: {} },
    status: 401,
    body: { error: { code: 'not_authenticated' } },
  },
];
