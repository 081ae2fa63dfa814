import { env } from 'cloudflare:workers';
import { createClientappRepository } from '../../src/areas/clientapp/clientapp.repository.ts';
import { parseReleases } from '../../src/areas/clientapp/releases.domain.ts';
import { createCodexWrites } from '../../src/areas/codexes/indexer/codex-writes.repository.ts';
import { createModelImages } from '../../src/areas/codexes/render/model-images.service.ts';
import { createNewsRepository } from '../../src/areas/feeds/news/news.repository.ts';
import { giveawayEntries, giveaways } from '../../src/areas/giveaways/giveaways.tables.ts';
import { createIngestService } from '../../src/areas/leaderboards/ingest/ingest.service.ts';
import { createMarketInserts } from '../../src/areas/market/market-inserts.repository.ts';
import { blankDetails } from '../../src/areas/mods-catalog/insert/insert.domain.ts';
import { EXAMPLE_ARTIFACT } from '../../src/areas/mods-catalog/insert/insert.schemas.ts';
import { createModWrites } from '../../src/areas/mods-catalog/insert/mod-writes.repository.ts';
import { createCapturesRepository } from '../../src/areas/rotations/captures/captures.repository.ts';
import { createDelvesRepository } from '../../src/areas/rotations/delves/delves.repository.ts';
import { createKeysRepository } from '../../src/areas/secret-scanning/scanning-keys.repository.ts';
import { createPasswords } from '../../src/platform/access/sessions/passwords.ts';
import { users } from '../../src/platform/access/tokens.tables.ts';
import { encodeCursor } from '../../src/platform/http/replies/page.ts';
import { createContentStore, sha256Of } from '../../src/platform/storage/content-store.ts';
import { createDatabase } from '../../src/platform/storage/database.ts';
import { encodeListedBlueprint } from '../support/codex/encode-blueprint.ts';
import { seedCodex } from '../support/codex/seeded-codex.ts';
import { EXAMPLE_REPORT } from '../support/scanning-partner.ts';
import { storeVersions } from '../support/stored-versions.ts';
import { release } from '../support/upstreams/clientapp.ts';
import { fixedSettings, newStores, receive } from '../worker/leaderboards/stores.ts';

/** 2026-03-10 15:00 UTC, as the examples of the document have it. */
const EXAMPLE_INSTANT = 1_773_154_800;
/** Tuesday 2026-03-10 11:00 UTC. */
const EXAMPLE_WEEK = 1_773_140_400;
/** The week of the document's examples. */
const EXAMPLE_DELVE_WEEK = 19;

/** Cursors of lists that know their items by number: the first one stored. */
export const SEEDED_CURSORS = { news: encodeCursor(1) };

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

/** The account of the document's examples, whose password is theirs too. */
const ADA = {
  id: '9d5c6f0e-1f7a-4c53-8d0b-6a1f6c2f9a11',
  email: 'ada@example.com',
  displayName: 'Ada',
  isVerified: true,
  passwordHash: await createPasswords({ n: 1024, r: 8, p: 1 }).hash('four plain words together'),
  createdAt: EXAMPLE_INSTANT,
};

/** The smallest PNG there is, and a mod of two small files. */
const PICTURE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const MOD_RELEASE = { handle: 'ana', slug: 'tiny-wings', id: '0f8fad5b-d9cb-469f-a165-70867728950e' };

/** A mod with a banner and a release. */
async function seedMods(): Promise<void> {
  const store = createContentStore(env.ARCHIVE);
  const picture = new Uint8Array(Buffer.from(PICTURE, 'base64'));
  const artifact = new Uint8Array(Buffer.from(EXAMPLE_ARTIFACT, 'base64'));
  const banner = { sha256: (await store.put(picture)).sha256, contentType: 'image/png', size: picture.length };
  const { handle, slug, id } = MOD_RELEASE;
  await createModWrites(createDatabase(env.DB)).save({
    address: { handle, slug },
    details: { ...blankDetails('Tiny Wings', 'Ana'), tags: ['Wings'], banner },
    ...{ before: null, isApproved: true, createdAt: EXAMPLE_INSTANT, updatedAt: EXAMPLE_INSTANT, announcement: null },
    release: {
      ...{
        id,
        tag: '1.0.0',
        branch: 'main',
        title: '',
        changelog: '',
        titleI18n: {},
        changelogI18n: {},
        format: 'tmod',
        filename: 'Tiny.tmod',
      },
      ...{ size: artifact.length, sha256: (await store.put(artifact)).sha256 },
      ...{ isPublished: true, isSilent: true, publishedAt: EXAMPLE_INSTANT },
    },
  });
}

/** Long after every instant of the tests, so that the listing counts as seen just now at each. */
const EXAMPLE_SEEN = 4_000_000_000;

const LISTING = {
  id: '5f0f8e80-6a1c-11ef-9a3e-01005161a8df',
  name: 'Sun Sap',
  type: 'Crafting',
  stack: 250,
  price: 40_000,
  milliEach: 160_000,
  createdAt: EXAMPLE_SEEN,
};

/** A listing that is active at any clock of the tests. A call that empties the market takes it away. */
export async function seedMarket(): Promise<void> {
  await createMarketInserts(createDatabase(env.DB)).save([LISTING], EXAMPLE_SEEN);
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
  seed: '5e',
  seedHash: '5f',
  entriesHash: 'e5',
  winnerEntryId: '4b7c2f60-1d3e-4f5a-8b9c-0d1e2f3a4b5c',
  winnerName: 'Zoe',
  createdAt: EXAMPLE_INSTANT - 7200,
} as const;
const EXAMPLE_DUMP = [
  'Leaderboard_MetaExperience$Leaderboard_Category_Meta$1 = TROVE MASTERY POINTS$META##1;Nimbus;1204455|2;Oriole;1190021.5',
  'Leaderboard_GeodeMastery$Leaderboard_Category_Meta$20 = GEODE MASTERY POINTS$META##1;Nimbus;12000',
  'Leaderboard_Bard$Leaderboard_Category_PowerRank$1016 = BARD$POWER RANK##1;Oriole;51204',
].join('\n');

/** A capture of leaderboards at the anchor of the examples. */
async function seedLeaderboards(): Promise<void> {
  const task = await receive(EXAMPLE_DUMP, EXAMPLE_WEEK, 'example');
  await createIngestService({ ...newStores(), settings: fixedSettings() }).process(task);
}

/** Stores what the examples of the document speak of, so that they answer with something. */
export async function seedStorage(): Promise<void> {
  const db = createDatabase(env.DB);
  const captures = createCapturesRepository(db);
  await captures.saveChaosChest({ weekAnchorAt: EXAMPLE_WEEK, name: 'Emberforged Dragon Egg', capturedAt: EXAMPLE_INSTANT });
  await captures.saveChallenge({
    windowAnchorAt: EXAMPLE_INSTANT,
    name: 'RAMPAGE ALERT!',
    isFridayWindow: false,
    capturedAt: EXAMPLE_INSTANT,
  });
  await createDelvesRepository(db).save(EXAMPLE_DELVE_WEEK, { total: 120, depths: [{ depth: 110 }, { depth: 111 }] }, EXAMPLE_INSTANT);
  await createNewsRepository(db).save([ARTICLE]);
  await db.insert(users).values(ADA);
  await seedMods();
  const model = encodeListedBlueprint([{ x: 0, y: 0, z: 0, type: 21, colour: [96, 64, 32] }]);
  // None of its bytes is above 127.
  const models = { 'blueprints/c_mount_cat_ui.blueprint': Buffer.from(model).toString('latin1') };
  const contents = createContentStore(env.ARCHIVE);
  await storeVersions(contents, 'live-us', [
    { tag: 'TEST-103-3325-A-336165', capturedAt: EXAMPLE_INSTANT, files: { ...models, 'prefabs/item/pet/bat.binfab': 'speed = 1\n' } },
    { tag: 'TEST-103-3325-A-336166', capturedAt: EXAMPLE_INSTANT, files: { ...models, 'prefabs/item/pet/bat.binfab': 'speed = 2\n' } },
  ]);
  const stored = { sha256: await sha256Of(model), size: model.length };
  await createModelImages(env.ARCHIVE, contents).image(stored, 256, async () => {});

  await seedMarket();
  const entry = { id: DRAWN.winnerEntryId, giveawayId: DRAWN.id, userId: 'nobody', enteredAt: DRAWN.startsAt };
  await db.batch([db.insert(giveaways).values(DRAWN), db.insert(giveawayEntries).values(entry)]);
  await seedLeaderboards();
  const { key_identifier: id, key: pem } = EXAMPLE_REPORT.key;
  const keys = createKeysRepository(db, '');
  await keys.claim(Math.floor(Date.now() / 1000));
  await keys.save([{ id, pem }], Math.floor(Date.now() / 1000));
  const releases = parseReleases([release(1, 'v1.4.0', EXAMPLE_INSTANT, ['companion.msi'])]);
  await createClientappRepository(db).saveReleases(releases, EXAMPLE_INSTANT, true);
  await seedCodex(createCodexWrites(db), createContentStore(env.ARCHIVE), 'live-us', EXAMPLE_INSTANT);
}
