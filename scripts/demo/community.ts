import { statusSegments } from '../../src/areas/game-status/game-status.tables.ts';
import { buildTmod } from '../../src/areas/mods/tmod-layout.domain.ts';
import { challengeRules } from '../../src/areas/rotations/schedules/schedules.data.ts';
import type { Database } from '../../src/platform/storage/database.ts';
import type { DemoClient } from '../lib/demo-client.ts';
import type { PortalLogins } from '../lib/dev/dev-file.ts';

const HOUR = 3600;
const DAY = 86_400;
const WEEK = 604_800;

const SUPPORTERS = ['Briar', 'Juniper', 'Marlow', 'Quill', 'Sable', 'Wren'];

/** Fills the supporters list. */
export async function demoSupporters(client: DemoClient): Promise<void> {
  await client.post('/admin/supporters', { method: 'PUT', body: { names: SUPPORTERS } });
}

/** Minutes before now, status, and length in minutes of the periods that the demo's servers were not online in the last four weeks. */
const OUTAGES = {
  eu: [
    [25 * 1440, 'maintenance', 150],
    [11 * 1440, 'down', 35],
    [4 * 1440 + 380, 'maintenance', 95],
    [1210, 'down', 42],
  ],
  us: [
    [25 * 1440, 'maintenance', 170],
    [4 * 1440 + 380, 'maintenance', 95],
  ],
  pts: [[16 * 1440, 'down', 2 * 1440]],
} as const;
/** The history of the demo starts four weeks back. Nothing is known about two hours in its middle, when the prober did not run. */
const HISTORY_MINUTES = 28 * 1440;
const GAP = [14 * 1440, 14 * 1440 - 120] as const;

/** Stores a history of the game servers up to their first probe, with outages and a gap. No endpoint accepts one. */
export async function demoServerHistory(db: Database, now: number): Promise<void> {
  const probed = await db.select({ environment: statusSegments.environment, startedAt: statusSegments.startedAt }).from(statusSegments);
  for (const environment of ['eu', 'us', 'pts'] as const) {
    const starts = probed.filter((segment) => segment.environment === environment).map(({ startedAt }) => startedAt);
    const end = Math.min(now, ...starts) - 1;
    // A repeated step finds its rows.
    if (end < now - DAY) continue;
    const ago = (minutes: number) => end - minutes * 60;
    const periods = OUTAGES[environment].map(([minutes, status, length]) => ({ status, from: ago(minutes), to: ago(minutes - length) }));
    const breaks = [...periods, { status: null, from: ago(GAP[0]), to: ago(GAP[1]) }].sort((one, other) => one.from - other.from);
    const rows: (typeof statusSegments.$inferInsert)[] = [];
    const add = (status: 'online' | 'maintenance' | 'down', startedAt: number, endedAt: number) =>
      rows.push({ environment, status, startedAt, endedAt, lastConfirmedAt: endedAt });
    let startedAt = ago(HISTORY_MINUTES);
    for (const { status, from, to } of breaks) {
      if (from > startedAt) add('online', startedAt, from);
      if (status !== null) add(status, from, to);
      startedAt = Math.max(startedAt, to);
    }
    add('online', startedAt, end);
    await db.insert(statusSegments).values(rows);
  }
}

const CHESTS = ['Emberforged Dragon Egg', 'Frostbound Sled', 'Gilded Gryphon', 'Starlit Sail', 'Verdant Wings'];

/** Reports the challenge of the given hours, and the chaos chest of the weeks that they cover. */
export async function demoCaptures(client: DemoClient, hours: readonly number[]): Promise<void> {
  const names = [...challengeRules.typesByName.keys(), 'Nightmare Dungeon', 'Lava Dungeon'];
  for (const at of hours) {
    const name = names[Math.floor(at / HOUR) % names.length];
    await client.postPastCooldown('/v1/rotations/challenge/insert', () => ({ name }), at);
  }
  const newest = hours.at(-1) ?? 0;
  const week = Math.floor(newest / WEEK);
  for (let back = CHESTS.length - 1; back >= 0; back -= 1) {
    const name = CHESTS[(week - back) % CHESTS.length];
    await client.postPastCooldown('/v1/rotations/chaos-chest/insert', () => ({ name }), newest - back * WEEK);
  }
  // A run four weeks ago and one that is in its second day.
  for (const at of [newest - 4 * WEEK, newest - DAY, newest])
    await client.postPastCooldown('/v1/rotations/luxion/insert', () => undefined, at);
}

/** Creates an open, a scheduled and a drawn giveaway. The two local accounts enter the drawn one. */
export async function demoGiveaways(client: DemoClient, portal: PortalLogins | null, now: number): Promise<void> {
  const { items: existing } = (await client.read('/admin/giveaways', client.superuserToken)) as { items: Giveaway[] };
  const make = async (title: string, prize: string, startsAt: number, endsAt: number) =>
    existing.find((giveaway) => giveaway.title === title) ??
    ((await client.post('/admin/giveaways', {
      body: { title, description: 'Demo data.', prize_name: prize, prize_code: 'DEMO-CODE', starts_at: startsAt, ends_at: endsAt },
    })) as unknown as Giveaway);
  const open = await make('Weekend giveaway', 'Golden Dragon Egg', now - HOUR, now + 5 * DAY);
  await make('Next giveaway', 'Mystery Chest', now + 2 * DAY, now + 9 * DAY);
  const past = await make('Last giveaway', 'Starlit Sail', now - HOUR, now + DAY);
  if (portal === null) return;
  const people = [
    await client.signIn(portal.email, portal.password),
    await client.signIn(portal.superuser_email, portal.superuser_password),
  ];
  for (const { id } of [open, past].filter(({ status }) => status === 'open')) {
    for (const token of people) await client.post(`/giveaways/${id}/entries`, { token });
  }
  if (past.status === 'open') await client.post(`/admin/giveaways/${past.id}/close`);
}

interface Giveaway {
  id: string;
  title: string;
  status: string;
}

const MODS = [
  { handle: 'briar', title: 'Quiet Interface', tag: 'GUI', releases: ['1.0.0', '1.1.0', '1.2.0'] },
  { handle: 'marlow', title: 'Long Ship', tag: 'Boats and Sails', releases: ['2.0.0'] },
  { handle: 'quill', title: 'Paper Wings', tag: 'Wings', releases: ['0.9.0', '1.0.0'] },
] as const;

/** Publishes mods with an image and several releases each, dated over the last days. */
export async function demoMods(client: DemoClient, now: number): Promise<void> {
  const { items: mounts } = (await client.read(`/v1/codexes/search?type=mount&limit=${MODS.length}`)) as { items: { image_url: string }[] };
  for (const [place, { handle, title, tag, releases }] of MODS.entries()) {
    const imageUrl = mounts[place]?.image_url;
    const banner = imageUrl ? await client.readBytes(new URL(imageUrl).pathname + new URL(imageUrl).search) : null;
    const slug = title.toLowerCase().replaceAll(' ', '-');
    const stored = (await client.read(`/v1/mods/${handle}/${slug}`).catch(() => ({ releases: [] }))) as { releases: { tag: string }[] };
    for (const [index, version] of releases.entries()) {
      if (stored.releases.some((release) => release.tag === version)) continue;
      const at = now - (releases.length - index) * 2 * DAY - place * HOUR;
      const files = [{ path: `ui/${handle}.swf`, content: new TextEncoder().encode(`${title} ${version}`) }];
      const properties = new Map(
        Object.entries({ title, author: handle, tags: tag }).map(([name, value]) => [name, new TextEncoder().encode(value)]),
      );
      const artifact = Buffer.from(buildTmod({ version: 1, properties, files })).toString('base64');
      const body = {
        handle,
        title,
        author: handle,
        tags: [tag],
        summary: 'Demo data.',
        ...(banner && index === 0 ? { banner_base64: Buffer.from(banner).toString('base64') } : {}),
        release: { tag: version, changelog: `Changes of ${version}.`, artifact_base64: artifact },
      };
      await client.postPastCooldown('/v1/mods/insert', () => body, at);
    }
  }
}

/** The example mod, which gets an owner. */
const PROJECT = 'ana/tiny-wings';
const DOWNLOAD_DAYS = 30;

/**
 * Makes the ordinary local account the owner of the example mod, with a second author, releases in every state, downloads, a key and a
 * claim that awaits a decision. `storeDownloads` stores the downloads of the past days.
 */
export async function demoProject(
  client: DemoClient,
  portal: PortalLogins | null,
  now: number,
  storeDownloads: (days: readonly { day: number; releaseId: string; n: number }[]) => Promise<void>,
): Promise<void> {
  if (portal === null) return;
  const token = await client.signIn(portal.email, portal.password);
  const superuser = await client.signIn(portal.superuser_email, portal.superuser_password);
  await client.post('/admin/config/publishing_access', { method: 'PUT', body: { value: 'open' } });
  const { items } = (await client.read('/projects', token)) as { items: { handle: string; slug: string }[] };
  if (!items.some(({ handle, slug }) => `${handle}/${slug}` === PROJECT)) {
    const claim = await client.post('/mod-claims', { token, body: { mod: PROJECT, note: 'Demo data: I am Ana.' } });
    await client.post(`/admin/mod-claims/${claim.id}/confirm`, { body: {} });
  }
  const named = { name: 'release pipeline', expires_in_days: 90 };
  const { key } = (await client.post(`/projects/${PROJECT}/keys`, { token, body: named })) as { key: string };
  const releases = `/v1/publishing/${PROJECT}/releases`;
  const upload = async (tag: string, changelog: string, at: number, fields: Record<string, string> = {}) => {
    const body = new FormData();
    for (const [name, value] of Object.entries({ tag, changelog, ...fields })) body.set(name, value);
    const content = new TextEncoder().encode(`Tiny Wings ${tag}`);
    body.set(
      'file',
      new File([buildTmod({ version: 1, properties: new Map(), files: [{ path: 'ui/wings.swf', content }] })], 'wings.tmod'),
    );
    return (await client.post(releases, { token: key, body, now: at })) as { id: string; state: string };
  };
  // The examples of the document have 0.9.0, and release 1.0.0 and 1.0.1.
  const first = await upload('0.8.0', 'The first release: **all** wings are smaller.', now - 20 * DAY, { publish: 'true' });
  const broken = await upload('0.8.1', 'Fewer feathers.', now - 12 * DAY, { publish: 'true', silent: 'true' });
  if (broken.state === 'published')
    await client.post(`${releases}/${broken.id}/withdraw`, { token: key, body: { reason: 'Crashes on start' } });
  const second = await upload('1.1.0', 'Feathers in six colours.\n\nThe file is smaller, too.', now - 6 * DAY, { publish: 'true' });
  const next = await upload('1.2.0', 'Wings for mounts.', now - DAY);
  const at = new Date((now + 2 * DAY) * 1000).toISOString();
  if (next.state === 'draft') await client.post(`${releases}/${next.id}/publish`, { token: key, body: { at } });
  await upload('2.0.0-rc1', 'A first try of folded wings.', now - HOUR, { branch: 'beta', title: 'Folded wings' });
  const today = Math.floor(now / DAY);
  await storeDownloads(
    [first, second]
      .flatMap(({ id }, which) =>
        Array.from({ length: which === 0 ? 20 : 6 }, (_, back) => ({
          day: today - back,
          releaseId: id,
          n: ((back * 7 + 5) % 11) + 2 + which * 9,
        })),
      )
      .filter(({ day }) => day > today - DOWNLOAD_DAYS),
  );
  const { handles } = (await client.read('/projects', superuser)) as { handles: string[] };
  if (!handles.includes('robin')) {
    await client.post('/projects', { token: superuser, body: { handle: 'robin', title: 'Harbour Lights', summary: 'Demo data.' } });
    await client.post(`/projects/${PROJECT}/members`, { token, body: { handle: 'robin', role: 'author' } });
    const { items: invitations } = (await client.read('/mod-invitations', superuser)) as { items: { id: string }[] };
    for (const { id } of invitations) await client.post(`/mod-invitations/${id}/accept`, { token: superuser, body: {} });
    await client.post('/projects', { token, body: { handle: 'ana', title: 'Paper Lanterns', summary: 'Demo data.' } });
    await client.post('/mod-claims', { token, body: { mod: 'quill/paper-wings', note: 'Quill is my other name.' } });
  }
}
