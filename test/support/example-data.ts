import { gzipSync } from 'node:zlib';
import { eq } from 'drizzle-orm';
import { createClientappStore } from '../../src/areas/clientapp/clientapp.store.ts';
import { parseReleases } from '../../src/areas/clientapp/releases.domain.ts';
import { createNewsStore } from '../../src/areas/feeds/news/news.store.ts';
import { giveawayEntries, giveaways } from '../../src/areas/giveaways/giveaways.tables.ts';
import { EXAMPLE_ID as EXAMPLE_RECEIPT } from '../../src/areas/ingest/ingest.routes.ts';
import { createIngestLog } from '../../src/areas/ingest/ingest.store.ts';
import { createAnalyticsWriter } from '../../src/areas/market/analytics.store.ts';
import { createMarketInserts } from '../../src/areas/market/insert.store.ts';
import { marketArchive } from '../../src/areas/market/market.tables.ts';
import { blankDetails } from '../../src/areas/mods-catalog/insert/insert.domain.ts';
import { EXAMPLE_ARTIFACT } from '../../src/areas/mods-catalog/insert/insert.schemas.ts';
import { createPacksStore } from '../../src/areas/mods-catalog/packs/packs.store.ts';
import { createProjectsStore } from '../../src/areas/mods-catalog/publishing/projects.store.ts';
import { EXAMPLE_DRAFT_ID } from '../../src/areas/mods-catalog/publishing/publishing.schemas.ts';
import { modReleases } from '../../src/areas/mods-catalog/records/catalog.tables.ts';
import { createModWrites } from '../../src/areas/mods-catalog/records/mod-writes.store.ts';
import { projectAccess } from '../../src/areas/mods-catalog/records/publishing.tables.ts';
import { createDelvesStore } from '../../src/areas/rotations/delves/delves.store.ts';
import { createReportsStore } from '../../src/areas/rotations/reports/reports.store.ts';
import { createProjectKeys } from '../../src/platform/access/project-keys/project-keys.ts';
import type { TokenFormat } from '../../src/platform/access/tokens/token-format.ts';
import type { UnixSeconds } from '../../src/platform/kit/time/clock.ts';
import { type ContentStore, contentKey } from '../../src/platform/storage/content-store.ts';
import type { Database } from '../../src/platform/storage/database.ts';
import { EXAMPLE_LISTING } from './listings.ts';
import { PIXEL_PNG } from './pixel.data.ts';
import { release } from './upstreams/clientapp.ts';

/** 2026-03-10 15:00 UTC, the time of the document's examples. */
export const EXAMPLE_INSTANT = 1_773_154_800;
/** Tuesday 2026-03-10 11:00 UTC. */
export const EXAMPLE_WEEK = 1_773_140_400;
/** The week of the document's examples. */
const EXAMPLE_DELVE_WEEK = 19;

/** After every clock of the tests, so that the listing always counts as just seen. */
const EXAMPLE_SEEN = 4_000_000_000;

const ARTICLE = {
  url: 'https://news.example/1',
  title: 'Patch notes',
  author: 'The team',
  summary: 'What is new.',
  category: 'news',
  categories: ['news'],
  image: null,
  publishedAt: EXAMPLE_INSTANT,
};

/** A mod with two small files. */
const MOD_RELEASE = { handle: 'ana', slug: 'tiny-wings', id: '0f8fad5b-d9cb-469f-a165-70867728950e' };

/** Stores a mod with a banner and a release. */
async function storeMod(db: Database, store: Pick<ContentStore, 'put'>): Promise<void> {
  const image = new Uint8Array(Buffer.from(PIXEL_PNG, 'base64'));
  const artifact = new Uint8Array(Buffer.from(EXAMPLE_ARTIFACT, 'base64'));
  const banner = { sha256: (await store.put(image)).sha256, contentType: 'image/png', size: image.length };
  const { handle, slug, id } = MOD_RELEASE;
  await createModWrites(db).save({
    address: { handle, slug },
    details: { ...blankDetails('Tiny Wings', 'Ana'), tags: ['Wings'], banner },
    before: null,
    isApproved: true,
    createdAt: EXAMPLE_INSTANT,
    updatedAt: EXAMPLE_INSTANT,
    announcement: null,
    release: {
      ...{
        id,
        tag: '0.9.0',
        branch: 'main',
        title: '',
        changelog: '',
        titleI18n: {},
        changelogI18n: {},
        format: 'tmod',
        filename: 'Tiny.tmod',
      },
      size: artifact.length,
      sha256: (await store.put(artifact)).sha256,
      isPublished: true,
      isSilent: true,
      publishedAt: EXAMPLE_INSTANT,
    },
  });
}

/** Makes an account the owner of the mod, with a draft. Returns a key of the project. */
export async function storeExampleProject(db: Database, format: TokenFormat, userId: string): Promise<string> {
  const { handle, id } = MOD_RELEASE;
  const [row] = await db.select().from(modReleases).where(eq(modReleases.id, id));
  if (!row) throw new Error('the example mod was not stored');
  const member = { userId, handle, role: 'owner' } as const;
  const projects = createProjectsStore(db);
  await db.insert(projectAccess).values({ userId, state: 'approved', note: '', createdAt: EXAMPLE_INSTANT });
  await projects.accountStatement(row.modId, userId);
  await projects.memberStatement(row.modId, member, EXAMPLE_INSTANT);
  const draft = { id: EXAMPLE_DRAFT_ID, tag: '0.9.1', isPublished: false, publishedAt: null, createdAt: EXAMPLE_INSTANT };
  await db.insert(modReleases).values({ ...row, ...draft });
  const keys = createProjectKeys(db, format);
  const input = { projectId: row.modId, userId, name: 'examples', allowedIps: [], expiresAt: EXAMPLE_SEEN, now: EXAMPLE_INSTANT };
  const { secret, row: key } = keys.mint(input);
  await keys.insertion(key, EXAMPLE_INSTANT);
  return secret;
}

/** Stores a pack with the mod. */
async function storePack(db: Database): Promise<void> {
  const packs = createPacksStore(db);
  const { handle, slug } = MOD_RELEASE;
  const mod = (await packs.findMods([{ handle, slug }])).get(`${handle}/${slug}`);
  if (!mod) return;
  const entry = { modId: mod.id, handle, slug, branch: 'main', tag: null, title: mod.title, author: mod.author, file: null };
  const details = {
    title: 'Starter Set',
    summary: 'A first set of mods.',
    description: '',
    warnings: '',
    tags: ['ui'],
    author: 'Ana',
    discordUrl: null,
    websiteUrl: null,
    donationUrls: [],
    banner: null,
    previews: [],
    visibility: 'public',
    defaultVariant: 'default',
    variants: [{ name: 'default', label: 'All mods', entries: [entry] }],
  } as const;
  await packs.save({ handle, slug: 'starter-set' }, details, null, EXAMPLE_INSTANT);
}

/** Stores a listing that is active at every clock of the tests. A market reset deletes it. */
export async function storeListing(db: Database, seenAt = EXAMPLE_SEEN): Promise<void> {
  await createMarketInserts(db).save([{ ...EXAMPLE_LISTING, createdAt: seenAt }], seenAt);
  await createAnalyticsWriter(db).refresh(seenAt);
}

const DRAWN = {
  id: '0f6d3c1e-8a52-4c7b-9a37-5d2f1e0b7c44',
  title: 'Spring giveaway',
  prizeName: 'Golden Dragon Egg',
  prizeCode: 'ABCD-EFGH',
  status: 'drawn',
  startsAt: EXAMPLE_INSTANT - 7200,
  endsAt: EXAMPLE_INSTANT,
  entryCount: 1,
  revision: 0,
  seed: '5e',
  seedHash: '5f',
  entriesHash: 'e5',
  winnerEntryId: '4b7c2f60-1d3e-4f5a-8b9c-0d1e2f3a4b5c',
  winnerName: 'Zoe',
  createdAt: EXAMPLE_INSTANT - 7200,
} as const;

/** Stores the file of a month of the market, of one listing. */
async function storeArchivedMonth(db: Database, contents: Pick<ContentStore, 'put'>): Promise<void> {
  const file = new Uint8Array(gzipSync(`${JSON.stringify({ ...EXAMPLE_LISTING, createdAt: EXAMPLE_INSTANT })}\n`));
  const { sha256 } = await contents.put(file);
  const month = { month: '2025-03', key: contentKey(sha256), listings: 1, bytes: file.length, sha256 };
  await db
    .insert(marketArchive)
    .values({ ...month, archivedAt: EXAMPLE_INSTANT, stage: 'done' })
    .onConflictDoNothing();
}

/** Stores the receipt of the document's example. */
async function storeReceipt(db: Database, now: UnixSeconds): Promise<void> {
  await createIngestLog(db).record({
    endpoint: 'market',
    now,
    receiptId: EXAMPLE_RECEIPT,
    userId: null,
    tokenId: null,
    error: null,
    summary: '1 parsed, 1 imported, 0 not tracked, 1 dropped',
    counts: { received: 2, accepted: 1, ignored: 0, rejected: 1 },
    problems: [{ line: 17, reason: 'zero_price' }],
  });
}

/** Stores the data of the document's examples, except game files, leaderboards and market. Receipts expire, so theirs is of `now`. */
export async function storeExamples(db: Database, contents: Pick<ContentStore, 'put'>, now: UnixSeconds = EXAMPLE_INSTANT): Promise<void> {
  await storeArchivedMonth(db, contents);
  await storeReceipt(db, now);
  const captures = createReportsStore(db);
  await captures.saveChaosChest({ weekAnchorAt: EXAMPLE_WEEK, name: 'Emberforged Dragon Egg', capturedAt: EXAMPLE_INSTANT });
  await captures.saveChallenge({
    windowAnchorAt: EXAMPLE_INSTANT,
    name: 'RAMPAGE ALERT!',
    isFridayWindow: false,
    capturedAt: EXAMPLE_INSTANT,
  });
  await createDelvesStore(db).save(EXAMPLE_DELVE_WEEK, { total: 120, depths: [{ depth: 110 }, { depth: 111 }] }, EXAMPLE_INSTANT);
  await createNewsStore(db).save([ARTICLE]);
  await storeMod(db, contents);
  await storePack(db);
  const entry = { id: DRAWN.winnerEntryId, giveawayId: DRAWN.id, userId: 'nobody', enteredAt: DRAWN.startsAt };
  await db.batch([db.insert(giveaways).values(DRAWN), db.insert(giveawayEntries).values(entry)]);
  const releases = parseReleases([release(1, 'v1.4.0', EXAMPLE_INSTANT, ['companion.msi'])]);
  await createClientappStore(db).saveReleases(releases, EXAMPLE_INSTANT, true);
}
