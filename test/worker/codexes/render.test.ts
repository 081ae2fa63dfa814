import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { createModelImages } from '../../../src/areas/codexes/render/model-images.service.ts';
import { createArchiveListing } from '../../../src/areas/updates/reads/archive-listing.store.ts';
import { seededRandom } from '../../../src/platform/kit/random.ts';
import { SECONDS_PER_DAY } from '../../../src/platform/kit/time/clock.ts';
import { contentKey, createContentStore, sha256Of } from '../../../src/platform/storage/content-store.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { damagedBlueprint } from '../../support/codex/blueprint-fuzz.ts';
import { encodeListedBlueprint, encodePackedBlueprint, type Voxel } from '../../support/codex/encode-blueprint.ts';
import { readPng } from '../../support/codex/read-png.ts';
import { storeBranch } from '../../support/codex/stored-branch.ts';
import { recordingDatabase } from '../../support/query-plans.ts';
import { call, freshInstant } from '../../support/requests.ts';
import { createToken } from '../../support/tokens.ts';
import { testApp } from '../platform/test-app.ts';

const VOXELS: Voxel[] = [
  { x: 0, y: 0, z: 0, type: 21, colour: [255, 128, 0] },
  { x: 1, y: 0, z: 0, type: 18, colour: [32, 64, 96], surface: 3 },
];
const MODEL = encodePackedBlueprint(VOXELS);
const OTHER = encodeListedBlueprint(VOXELS.slice(0, 1));
const text = (content: string) => new TextEncoder().encode(content);

const FILES = new Map<string, Uint8Array>([
  ['blueprints/Cat_UI.blueprint', MODEL],
  ['blueprints/deep/only_here.blueprint', OTHER],
  ['blueprints/deep/twice.blueprint', MODEL],
  ['blueprints/other/twice.blueprint', OTHER],
  ['blueprints/dog[Ann, Bob].blueprint', OTHER],
  ['blueprints/empty.blueprint', encodeListedBlueprint([])],
  ['blueprints/broken.blueprint', text('not a model')],
  ['blueprints/packed_trailing.blueprint', Uint8Array.from([...MODEL, 1, 2, 3, 4, 5])],
  ['prefabs/cat_ui.blueprint', OTHER],
]);

const imageKeys = async () => (await env.ARCHIVE.list({ prefix: 'codex-images/' })).objects.map(({ key }) => key);
const emptyImages = async () => env.ARCHIVE.delete(await imageKeys());
const path = (blueprint: string, more = '') => `/v1/codexes/render?blueprint=${encodeURIComponent(blueprint)}${more}`;
const render = (blueprint: string, more = '', headers: Record<string, string> = {}) => call(path(blueprint, more), { headers });
const errorOf = (response: { text: string }) => JSON.parse(response.text).error as { code: string; message: string };

beforeAll(async () => {
  await storeBranch('live-us', 1, FILES);
  await storeBranch('pts', 1, new Map([['blueprints/gone.blueprint', MODEL]]));
  await storeBranch('pts', 2, new Map([['blueprints/new.blueprint', MODEL]]));
});

describe('GET /v1/codexes/render', () => {
  it('returns a square PNG that is cacheable for a day', async () => {
    const { status, headers, bytes } = await render('Cat_UI.blueprint');
    expect(status).toBe(200);
    expect(headers.get('Content-Type')).toBe('image/png');
    expect(headers.get('Cache-Control')).toBe('public, max-age=86400');
    expect(headers.get('ETag')).toMatch(/^"[\w-]+"$/);
    const image = readPng(bytes);
    expect([image.width, image.height, image.at(0, 0)]).toEqual([256, 256, [0, 0, 0, 0]]);
  });

  it.each([32, 33, 512])('returns a square image for a `dim` of %i', async (side) => {
    const { bytes } = await render('Cat_UI.blueprint', `&dim=${side}`);
    const { width, height } = readPng(bytes);
    expect([width, height]).toEqual([side, side]);
  });

  it.each(['Cat_UI', 'cat_ui.blueprint', 'blueprints/cat_ui.blueprint', 'BLUEPRINTS\\CAT_UI'])(
    'returns the model at the path %s',
    async (blueprint) => expect((await render(blueprint)).bytes).toEqual((await render('Cat_UI')).bytes),
  );

  it.each(['deep/only_here', 'only_here', 'elsewhere/only_here', 'dog[Ann, Bob]'])(
    'returns the only model with the file name of %s',
    async (blueprint) => expect((await render(blueprint)).bytes).toEqual((await render('other/twice')).bytes),
  );

  it('distinguishes models of the same name by path', async () => {
    expect((await render('deep/twice')).bytes).toEqual((await render('Cat_UI')).bytes);
    expect((await render('twice')).status).toBe(404);
  });

  it('decompresses a model with trailing bytes', async () =>
    expect((await render('packed_trailing')).bytes).toEqual((await render('Cat_UI')).bytes));

  it('reads the newest version of the requested branch', async () => {
    expect((await render('new', '&branch=pts')).status).toBe(200);
    expect((await render('gone', '&branch=pts')).status).toBe(404);
    expect((await render('Cat_UI', '&branch=pts')).status).toBe(404);
    expect((await render('new')).status).toBe(404);
  });

  it.each(['nowhere', 'cat', 'prefabs/nothing', '%', '_____', "' OR 1=1"])('returns 404 for the unknown model %s', async (blueprint) => {
    const response = await render(blueprint);
    expect([response.status, errorOf(response).code]).toEqual([404, 'not_found']);
  });

  it('returns 404 for an unknown branch', async () => expect((await render('Cat_UI', '&branch=nowhere')).status).toBe(404));

  it.each(['empty', 'broken'])('returns 422 for the %s model, first and cached', async (blueprint) => {
    for (let time = 0; time < 2; time += 1) {
      const response = await render(blueprint);
      expect([response.status, errorOf(response).code]).toEqual([422, 'bad_request']);
      expect(errorOf(response).message).toMatch(/blueprint/);
    }
  });

  it.each(['&dim=31', '&dim=513', '&dim=big'])('returns 422 for %s', async (more) => {
    const response = await render('Cat_UI', more);
    expect([response.status, errorOf(response).code]).toEqual([422, 'validation_error']);
  });

  it.each(['/v1/codexes/render', path('')])('returns 422 for %s', async (address) => expect((await call(address)).status).toBe(422));

  it('ignores `prefab`', async () =>
    expect((await render('Cat_UI', '&prefab=prefabs/collections/mount/cat.binfab')).bytes).toEqual((await render('Cat_UI')).bytes));

  it('returns 304 for the ETag of an image, cached or not', async () => {
    const first = await render('Cat_UI', '&dim=64');
    await emptyImages();
    const second = await render('Cat_UI', '&dim=64', { 'If-None-Match': first.headers.get('ETag') ?? '' });
    expect([second.status, second.bytes.length, second.headers.get('ETag')]).toEqual([304, 0, first.headers.get('ETag')]);
    expect(second.headers.get('Cache-Control')).toBe('public, max-age=86400');
    expect(await imageKeys()).toEqual([]);
  });

  it('returns one ETag per model and size', async () => {
    const tags = await Promise.all([render('Cat_UI', '&dim=64'), render('Cat_UI', '&dim=65'), render('only_here', '&dim=64')]);
    expect(new Set(tags.map(({ headers }) => headers.get('ETag'))).size).toBe(3);
  });

  it('supports HEAD and ranges', async () => {
    const whole = await render('Cat_UI');
    const head = await call(path('Cat_UI'), { method: 'HEAD' });
    expect([head.status, head.headers.get('Content-Length')]).toEqual([200, String(whole.bytes.length)]);
    const part = await render('Cat_UI', '', { Range: 'bytes=1-3' });
    expect([part.status, part.text]).toEqual([206, 'PNG']);
  });

  it('stores images of four sizes by model hash', async () => {
    await emptyImages();
    const drawn = await render('Cat_UI', '&dim=64');
    for (const side of [40, 41, 63])
      expect(readPng((await render('Cat_UI', `&dim=${side}`)).bytes)).toMatchObject({ width: side, height: side });
    expect(await imageKeys()).toEqual([`codex-images/${await sha256Of(MODEL)}/64-1.png`]);
    const sha256 = await sha256Of(MODEL);
    const file = await env.ARCHIVE.get(contentKey(sha256));
    const bytes = (await file?.arrayBuffer()) ?? new ArrayBuffer(0);
    await env.ARCHIVE.delete(contentKey(sha256));
    expect((await render('Cat_UI', '&dim=64')).bytes).toEqual(drawn.bytes);
    expect((await render('Cat_UI', '&dim=65')).status).toBe(404);
    await env.ARCHIVE.put(contentKey(sha256), bytes);
  });
});

describe('GET /v1/codexes/render for damaged models', () => {
  it('returns an image or 422', { timeout: 60_000 }, async () => {
    const random = seededRandom('render over http');
    // Few: the fuzz test of the renderer draws thousands.
    const files = Array.from({ length: 60 }, (_, index): [string, Uint8Array] => [
      `blueprints/d${index}.blueprint`,
      damagedBlueprint(random),
    ]);
    await storeBranch('pts', 3, new Map(files));
    const counts = new Map<number, number>();
    for (const [name] of files) {
      const { status } = await render(name, '&branch=pts&dim=48');
      counts.set(status, (counts.get(status) ?? 0) + 1);
    }
    expect([...counts.keys()].sort()).toEqual([200, 422]);
  });
});

describe('rate limit of GET /v1/codexes/render', () => {
  const rateOf = ({ headers }: { headers: Headers }) => headers.get('RateLimit');
  const as = (blueprint: string, more: string, options: { now: number; authorization?: string }) => call(path(blueprint, more), options);

  it('counts a new image in a rate limit of its own and a cached one in the image rate limit only', async () => {
    await emptyImages();
    const now = freshInstant();
    expect(rateOf(await as('Cat_UI', '&dim=64', { now }))).toMatch(/^"anon-codex-images";r=1499;.*"anon-codex-renders";r=149/);
    expect(rateOf(await as('Cat_UI', '&dim=64', { now }))).toMatch(/^"anon-codex-images";r=1498/);
    expect(rateOf(await as('nowhere', '', { now }))).toMatch(/^"anon-codex-images";r=1497/);
    expect(rateOf(await as('Cat_UI', '&dim=51', { now }))).toMatch(/, "anon-codex-renders";r=148/);
    expect(rateOf(await call('/v1/codexes/types', { now }))).toMatch(/^"anon-codexes";r=149/);
  });

  it('applies to requests with a token', async () => {
    await emptyImages();
    const now = freshInstant();
    const authorization = `Bearer ${await createToken()}`;
    expect(rateOf(await as('Cat_UI', '', { now, authorization }))).toMatch(/^"token-codex-images";r=5999;.*"token-codex-renders";r=599/);
    expect(rateOf(await as('Cat_UI', '', { now, authorization }))).toMatch(/^"token-codex-images";r=5998/);
  });

  it('returns cached images and the codexes but renders no new images when their rate limit is exceeded', async () => {
    await render('Cat_UI', '&dim=128');
    const now = freshInstant();
    // Five times the public limit.
    const few = testApp({ settings: { publicAnonRateLimitMax: 2 } });
    const at = (side: number) => call(path('Cat_UI', `&dim=${side}`), { now }, few);
    const spent = await Promise.all(Array.from({ length: 10 }, () => at(51)));
    expect(spent.map(({ status }) => status)).toEqual(spent.map(() => 200));
    expect((await at(128)).status).toBe(200);
    const refused = await at(53);
    expect([refused.status, errorOf(refused).code]).toEqual([429, 'rate_limited']);
    expect((await imageKeys()).some((key) => key.includes('/53-'))).toBe(false);
    expect((await call('/v1/codexes/types', { now }, few)).status).toBe(200);
  });
});

describe('createModelImages', () => {
  it('renders an image once for concurrent requests, each charged before it waits', async () => {
    await emptyImages();
    const reads: string[] = [];
    const contents = createContentStore(env.ARCHIVE);
    const images = createModelImages(env.ARCHIVE, {
      bytes: (sha256) => {
        reads.push(sha256);
        return contents.bytes(sha256);
      },
    });
    const model = { sha256: await sha256Of(MODEL), size: MODEL.length };
    let charges = 0;
    const charge = async () => {
      charges += 1;
    };
    const all = await Promise.all(Array.from({ length: 20 }, () => images.getImage(model, 96, charge)));
    expect([reads.length, charges]).toEqual([1, 20]);
    expect(new Set(all.map((image) => Buffer.from(image).toString('hex'))).size).toBe(1);
  });

  it('deletes images that were stored more than 30 days ago, within 16 daily runs', async () => {
    await emptyImages();
    const images = createModelImages(env.ARCHIVE, createContentStore(env.ARCHIVE));
    await images.getImage({ sha256: await sha256Of(MODEL), size: MODEL.length }, 64, async () => {});
    const stored = (await env.ARCHIVE.list({ prefix: 'codex-images/' })).objects[0];
    const storedAt = Math.floor((stored?.uploaded.getTime() ?? 0) / 1000);
    const runs = async (start: number) => {
      for (let day = 0; day < 16; day += 1) await images.deleteExpired(start + day * SECONDS_PER_DAY);
    };
    await runs(storedAt);
    expect(await imageKeys()).toHaveLength(1);
    await runs(storedAt + 31 * SECONDS_PER_DAY);
    expect(await imageKeys()).toEqual([]);
  });

  it('rejects a model of more than 4 MiB before reading its content', async () => {
    const images = createModelImages(env.ARCHIVE, { bytes: () => Promise.reject(new Error('read')) });
    await expect(images.getImage({ sha256: '00', size: 4 * 1024 * 1024 + 1 }, 96, async () => {})).rejects.toMatchObject({ status: 422 });
  });
});

describe('createArchiveListing', () => {
  it('finds a model with the index archive_files_models', async () => {
    const { database, statements } = recordingDatabase();
    await createArchiveListing(createDatabase(database)).findModel('live-us', 'blueprints/cat_ui.blueprint');
    const [statement = ''] = statements;
    const { results } = await env.DB.prepare(`EXPLAIN QUERY PLAN ${statement}`)
      .bind(...Array(statement.split('?').length - 1).fill('1'))
      .all<{ detail: string }>();
    expect(results.map(({ detail }) => detail).join('\n')).toContain('USING INDEX archive_files_models (branch=? AND name=?');
  });
});
