import { env } from 'cloudflare:workers';
import { createModelImages } from '../../src/areas/codexes/render/model-images.service.ts';
import { createIngestService } from '../../src/areas/leaderboards/ingest/ingest.service.ts';
import { createKeysStore } from '../../src/areas/secret-scanning/scanning-keys.store.ts';
import { users } from '../../src/platform/access/tokens.tables.ts';
import { encodeCursor } from '../../src/platform/http/replies/page.ts';
import { createContentStore, sha256Of } from '../../src/platform/storage/content-store.ts';
import { createDatabase } from '../../src/platform/storage/database.ts';
import { encodeListedBlueprint } from '../support/codex/encode-blueprint.ts';
import { seedCodex } from '../support/codex/seeded-codex.ts';
import { EXAMPLE_INSTANT, EXAMPLE_WEEK, storeExamples, storeListing } from '../support/example-data.ts';
import { PASSWORD_HASH } from '../support/passwords.ts';
import { EXAMPLE_REPORT } from '../support/scanning-partner.ts';
import { storeVersions } from '../support/stored-versions.ts';
import { fixedSettings, newStores, receive } from '../worker/leaderboards/stores.ts';

/** Cursors of lists with numbered items, after the first stored item. */
export const SEEDED_CURSORS = { news: encodeCursor(1) };

/** The account of the document's examples, with their password. */
const ADA = {
  id: '9d5c6f0e-1f7a-4c53-8d0b-6a1f6c2f9a11',
  email: 'ada@example.com',
  displayName: 'Ada',
  isVerified: true,
  passwordHash: PASSWORD_HASH,
  createdAt: EXAMPLE_INSTANT,
};

/** Stores a listing that is active at every clock of the tests. */
export const seedMarket = () => storeListing(createDatabase(env.DB));

const EXAMPLE_DUMP = [
  'Leaderboard_MetaExperience$Leaderboard_Category_Meta$1 = TROVE MASTERY POINTS$META##1;Nimbus;1204455|2;Oriole;1190021.5',
  'Leaderboard_GeodeMastery$Leaderboard_Category_Meta$20 = GEODE MASTERY POINTS$META##1;Nimbus;12000',
  'Leaderboard_Bard$Leaderboard_Category_PowerRank$1016 = BARD$POWER RANK##1;Oriole;51204',
].join('\n');

/** Stores a leaderboard capture at the anchor of the examples. */
async function seedLeaderboards(): Promise<void> {
  const task = await receive(EXAMPLE_DUMP, EXAMPLE_WEEK, 'example');
  await createIngestService({ ...newStores(), settings: fixedSettings() }).process(task);
}

/** Stores the data of the document's examples. */
export async function seedStorage(): Promise<void> {
  const db = createDatabase(env.DB);
  await storeExamples(db, createContentStore(env.ARCHIVE));
  await storeListing(db);
  await db.insert(users).values(ADA);
  const model = encodeListedBlueprint([{ x: 0, y: 0, z: 0, type: 21, colour: [96, 64, 32] }]);
  // All bytes are below 128.
  const models = { 'blueprints/c_mount_cat_ui.blueprint': Buffer.from(model).toString('latin1') };
  const contents = createContentStore(env.ARCHIVE);
  await storeVersions(contents, 'live-us', [
    { tag: 'TEST-103-3325-A-336165', capturedAt: EXAMPLE_INSTANT, files: { ...models, 'prefabs/item/pet/bat.binfab': 'speed = 1\n' } },
    { tag: 'TEST-103-3325-A-336166', capturedAt: EXAMPLE_INSTANT, files: { ...models, 'prefabs/item/pet/bat.binfab': 'speed = 2\n' } },
  ]);
  const stored = { sha256: await sha256Of(model), size: model.length };
  await createModelImages(env.ARCHIVE, contents).getImage(stored, 256, async () => {});
  await seedLeaderboards();
  const { key_identifier: id, key: pem } = EXAMPLE_REPORT.key;
  const keys = createKeysStore(db, '');
  await keys.claim(Math.floor(Date.now() / 1000));
  await keys.save([{ id, pem }], Math.floor(Date.now() / 1000));
  await seedCodex(db, createContentStore(env.ARCHIVE), 'live-us', EXAMPLE_INSTANT);
}
