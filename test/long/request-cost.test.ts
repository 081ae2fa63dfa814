import { env } from 'cloudflare:workers';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { type Staged, stageEntry } from '../../src/areas/codexes/derive/staging.domain.ts';
import { createCodexWrites } from '../../src/areas/codexes/indexer/codex-writes.store.ts';
import { PARSER_VERSION } from '../../src/areas/codexes/parse/codex-parse.domain.ts';
import { createIngestLog } from '../../src/areas/ingest/ingest.store.ts';
import { createCaptureObjects } from '../../src/areas/leaderboards/captures/capture-objects.store.ts';
import { createCapturesStore } from '../../src/areas/leaderboards/captures/captures.store.ts';
import { createIngestService } from '../../src/areas/leaderboards/ingest/ingest.service.ts';
import { createRawDumps } from '../../src/areas/leaderboards/ingest/raw-dumps.store.ts';
import { bundledInterestItems } from '../../src/areas/misc/interest-items.data.ts';
import { diffLines } from '../../src/areas/updates/archive.domain.ts';
import { createPasswords } from '../../src/platform/access/sessions/passwords.ts';
import { shrinkImage } from '../../src/platform/kit/images/shrink-image.ts';
import { pick, type RandomSource, randomBelow, seededRandom } from '../../src/platform/kit/random.ts';
import { joinBytes } from '../../src/platform/kit/values/bytes.ts';
import { createContentStore } from '../../src/platform/storage/content-store.ts';
import { createDatabase } from '../../src/platform/storage/database.ts';
import { derivedEntry } from '../support/codex/small-codex.ts';
import { createCostTable } from '../support/cost-table.ts';
import {
  BUILD_PLANS,
  buildBody,
  changedBuild,
  changedDiff,
  changedForm,
  changedRead,
  DIFF_PLANS,
  diffTexts,
  FORM_PLANS,
  fileForm,
  formBody,
  READ_PLANS,
  readBody,
} from '../support/costly-requests.ts';
import { ALL_ON } from '../support/endpoints.ts';
import { pngOf } from '../support/images.ts';
import { PIXEL_PNG } from '../support/pixel.data.ts';
import {
  type Cost,
  type CostlyRequest,
  costOf,
  costOfRequest,
  recordedMemory,
  searchWorst,
  timedBindings,
} from '../support/request-cost.ts';
import { bearer, call, type Fetch } from '../support/requests.ts';
import { storeVersions } from '../support/stored-versions.ts';
import { sampleBytes } from '../support/tmod.ts';
import { createSuperuserToken, createToken } from '../support/tokens.ts';
import { randomBuild, randomHealthRequest } from '../unit/gems/support/random-builds.ts';
import { fixedSettings, receive } from '../worker/leaderboards/stores.ts';
import { idAt, NOW } from '../worker/market/market.ts';
import { testApp } from '../worker/platform/test-app.ts';

const MIB = 1024 * 1024;
const SEED = (env as { FUZZ_SEED?: string }).FUZZ_SEED ?? 'request-cost';
const TIMEOUT = { timeout: 120_000 };

const settings = {
  ...ALL_ON,
  apiRateLimitMax: 1_000_000,
  publicAnonRateLimitMax: 1_000_000,
  ingestCooldownMax: 1_000_000,
  marketArchiveRateLimitMax: 1_000_000,
  feedbackChatWebhook: '',
};
const bindings = timedBindings();
const newApp = (): Fetch => testApp({ settings, bindings, deps: { memory: recordedMemory() } });
const app = newApp();

const { checkWorst, print } = createCostTable(SEED);

let reader: string;
let master: string;
beforeAll(async () => {
  reader = bearer(await createToken());
  master = bearer(await createSuperuserToken());
});

afterAll(print);

const get = (path: string, more: Partial<CostlyRequest> = {}): CostlyRequest => ({ path, authorization: reader, ...more });
const post = (path: string, body: unknown, more: Partial<CostlyRequest> = {}): CostlyRequest => ({
  path,
  method: 'POST',
  authorization: reader,
  body: JSON.stringify(body),
  ...more,
  headers: { 'Content-Type': 'application/json', ...more.headers },
});
const OCTETS = { 'Content-Type': 'application/octet-stream' };
const JSON_TYPE = { 'Content-Type': 'application/json' };
const tool = (path: string, headers: Record<string, string>) => ({
  path,
  method: 'POST',
  authorization: reader,
  headers,
  isReserved: true,
});

describe('slowest accepted request that a search finds, at most one second of CPU time', () => {
  it('GET /v1/stats/sigil', TIMEOUT, async () => {
    const plan = (power: number, mastery: number) => ({ power, mastery, scale: 2 });
    await checkWorst('GET /v1/stats/sigil', {
      plans: [plan(0, 0), plan(40_000, 1100), plan(9_007_199_254_740_991, 9_007_199_254_740_991)],
      change: (_, random) => plan(randomBelow(random, 45_000), randomBelow(random, 1200)),
      // A new service each time, because images are cached.
      cost: ({ power, mastery, scale }) =>
        costOfRequest(newApp(), get(`/v1/stats/sigil?power_rank=${power}&mastery=${mastery}&scale=${scale}`)),
    });
  });

  it('POST /v1/mods/read', TIMEOUT, async () => {
    await checkWorst('POST /v1/mods/read', {
      plans: READ_PLANS,
      change: changedRead,
      cost: (plan) => costOfRequest(app, { ...tool('/v1/mods/read', OCTETS), body: readBody(plan) }),
    });
  });

  it('POST /v1/mods/build', TIMEOUT, async () => {
    await checkWorst('POST /v1/mods/build', {
      plans: BUILD_PLANS,
      change: changedBuild,
      cost: (plan) => costOfRequest(app, { ...tool('/v1/mods/build', JSON_TYPE), body: buildBody(plan) }),
    });
  });

  it('POST /v1/mods/insert', TIMEOUT, async () => {
    const kinds = ['zip', 'tmod-many-files', 'tmod-stored', 'images', 'long-texts'] as const;
    let serial = 0;
    await checkWorst('POST /v1/mods/insert', {
      plans: kinds.map((kind) => ({ kind })),
      cost: async ({ kind }) => {
        serial += 1;
        const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
        const tail = new TextEncoder().encode(String(serial));
        const [plain, many] = [READ_PLANS[0], READ_PLANS[2]];
        const container = kind === 'tmod-many-files' ? many : plain;
        const file =
          kind === 'zip'
            ? Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(29 * MIB, 7), tail])
            : Buffer.concat([
                readBody({
                  ...(container as (typeof READ_PLANS)[number]),
                  ...(kind === 'images' || kind === 'long-texts' ? { claimedBytes: MIB } : {}),
                }),
                tail,
              ]);
        const png = Buffer.concat([Buffer.from(PIXEL_PNG, 'base64'), Buffer.alloc(4 * MIB, serial)]);
        const body = {
          handle: 'ana',
          slug: `s-${serial}`,
          title: 'Tiny',
          ...(kind === 'images' ? { previews_base64: Array.from({ length: 6 }, () => base64(png)) } : {}),
          ...(kind === 'long-texts' ? { description: '<b>&'.repeat(10_000), readme_text: '[a]('.repeat(15_000) } : {}),
          release: { tag: '1', format: kind === 'zip' ? 'zip' : 'tmod', artifact_base64: base64(file) },
        };
        return costOfRequest(app, post('/v1/mods/insert', body, { authorization: master }));
      },
    });
  });

  it('POST /v1/mods/lookup', TIMEOUT, async () => {
    const hash = (round: number, index: number) => `${round}${index}`.padStart(64, 'a');
    await checkWorst('POST /v1/mods/lookup', {
      plans: [200, 1].map((hashes) => ({ hashes })),
      cost: ({ hashes }, round) =>
        costOfRequest(app, post('/v1/mods/lookup', { hashes: Array.from({ length: hashes }, (_, index) => hash(round, index)) })),
    });
  });

  const chart = `SC:${Array.from({ length: 60_000 }, () => '____').join('')}`;
  it('POST /v1/gems/builds/calculate', TIMEOUT, async () => {
    const farm = { build_type: 'Farm', character: 'Knight', subclass: 'Ice Sage', high_precision: true };
    await checkWorst<Record<string, unknown>>('POST /v1/gems/builds/calculate', {
      plans: [
        { ...farm, light: 10_000 },
        { ...farm, star_chart: chart },
        { ...farm, star_chart: `SC:${'|cb1a1'.repeat(40_000)}` },
      ],
      change: (plan, random) => ({ ...randomBuild(random, 'Farm'), star_chart: plan.star_chart }),
      // A different target each time, because responses are cached.
      cost: (plan, round) => costOfRequest(app, post('/v1/gems/builds/calculate', { ...plan, light: Number(plan.light ?? 0) + round })),
    });
  });

  it('POST /v1/gems/builds/health-optimizer', TIMEOUT, async () => {
    await checkWorst<Record<string, unknown>>('POST /v1/gems/builds/health-optimizer', {
      plans: [{ high_precision: true }, { star_chart: `SC:${'|cb1a1'.repeat(40_000)}` }, { star_chart: chart }],
      change: (plan, random) => ({ ...randomHealthRequest(random), star_chart: plan.star_chart }),
      cost: (plan) => costOfRequest(app, post('/v1/gems/builds/health-optimizer', plan)),
    });
  });

  const container = (count = 0) => ({ base: 0.5, augments: [1, 2, 3].map((type) => ({ type, count })) });
  const spent = (materials: number) => Object.fromEntries(Array.from({ length: materials }, (_, index) => [`m${index}`, 1]));
  const gemOf = (level: number, augments: number, materials: number) => ({
    id: 1,
    tier: 4,
    type: 1,
    element: 1,
    restriction: 1,
    level,
    spent: spent(materials),
    stats: [1, 3, 5].map((type) => ({ type, containers: [container(augments), container(augments)] })),
  });
  interface GemPlan {
    tool: string;
    level: number;
    augments: number;
    materials: number;
  }
  it('POST /v1/gems/{tool}', TIMEOUT, async () => {
    const tools = ['augment', 'level-up', 'level-up-to', 'spark', 'flare', 'set-level'];
    await checkWorst<GemPlan>('POST /v1/gems/{augment, level-up, level-up-to, spark, flare, set-level}', {
      plans: tools.map((tool) => ({ tool, level: 1, augments: 900, materials: 2000 })),
      change: (plan, random) => ({ ...plan, augments: randomBelow(random, 1000), materials: randomBelow(random, 12_000) }),
      cost: ({ tool, level, augments, materials }, round) =>
        costOfRequest(
          app,
          post(`/v1/gems/${tool}`, {
            gem: gemOf(level, augments, materials),
            seed: round,
            ...(tool === 'level-up-to' || tool === 'set-level' ? { level: 35 } : {}),
            ...(tool === 'augment' || tool === 'spark' || tool === 'flare' ? { stat_position: 1 } : {}),
          }),
        ),
    });
  });

  it('POST /v1/gems/evaluate', TIMEOUT, async () => {
    const stats = (values: number[]) => [1, 3, 6].map((type, index) => ({ type, value: values[index] }));
    await checkWorst<{ values: number[]; level: number }>('POST /v1/gems/evaluate', {
      plans: [
        { values: [16_000, 150, 400], level: 20 },
        { values: [1e9, 1e9, 1e9], level: 35 },
      ],
      change: (_, random) => ({ values: [randomBelow(random, 30_000), randomBelow(random, 300), randomBelow(random, 800)], level: 35 }),
      cost: ({ values, level }) =>
        costOfRequest(app, post('/v1/gems/evaluate', { tier: 4, type: 2, level, auto_guess_procs: true, stats: stats(values) })),
    });
  });

  it('POST /v1/misc/time/convert', TIMEOUT, async () => {
    const zones = ['Africa/Casablanca', 'America/New_York', 'game', 'Asia/Kolkata', 'Antarctica/Troll', 'Europe/Dublin'];
    const plan = (timezone: string, year: number) => ({ timezone, datetime: `${String(year).padStart(4, '0')}-03-29T02:30:59.999999999` });
    await checkWorst('POST /v1/misc/time/convert', {
      plans: [plan('UTC', 9999), plan('Africa/Casablanca', 1), plan('x'.repeat(200_000), 2026), plan('America/New_York', 2026)],
      change: (_, random) => plan(pick(random, zones), 1 + randomBelow(random, 9999)),
      cost: (body) => costOfRequest(app, post('/v1/misc/time/convert', body)),
    });
  });

  it('POST /v1/misc/feedback', TIMEOUT, async () => {
    let address = 0;
    await checkWorst('POST /v1/misc/feedback', {
      plans: FORM_PLANS,
      change: changedForm,
      cost: (plan) => {
        address += 1;
        const { body, headers } = formBody(plan, 'attachments', { message: 'Something is wrong.' });
        return costOfRequest(app, {
          path: '/v1/misc/feedback',
          method: 'POST',
          body,
          headers: { ...headers, 'CF-Connecting-IP': `10.9.0.${address}` },
        });
      },
    });
  });

  const MARKET_TEXTS: Record<string, () => string> = {
    'listings with long names': () => lines(100_000, (index) => listing(index, 'n'.repeat(150))),
    'line breaks': () => '\n'.repeat(500_000),
    separators: () => ';'.repeat(1_000_000),
    'ids in one line': () => '00000000-0000-1000-8000-000000000000;'.repeat(500_000),
    'listings in one line': () => Array.from({ length: 249_000 }, (_, index) => listing(index, 'x')).join(','),
    'refused listings': () => lines(249_000, (index) => `${index.toString(16).padStart(36, '-')};a;;0;0`),
    'hyphens and hex': () => ' abcdef-'.repeat(2_600_000),
  };
  const lines = (count: number, lineOf: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => lineOf(index))
      .join('\n')
      .slice(0, 20 * MIB - 4096);
  const listing = (index: number, name: string) =>
    `${idAt(NOW - 3600 - (index % 5000), index)};${name};t;${1 + (index % 999)};${1 + index}`;
  it('POST /v1/market/insert', TIMEOUT, async () => {
    await checkWorst<string>('POST /v1/market/insert', {
      plans: Object.keys(MARKET_TEXTS),
      cost: (name) =>
        costOfRequest(app, {
          path: '/v1/market/insert',
          method: 'POST',
          authorization: master,
          now: NOW,
          ...fileForm(MARKET_TEXTS[name]?.() ?? ''),
        }),
    });
  });

  it('POST /v1/market/insert that stores', TIMEOUT, async () => {
    await checkWorst('POST /v1/market/insert of tracked items', {
      plans: [20_000, 150_000].map((listings) => ({ listings })),
      cost: ({ listings }) => {
        const text = lines(listings, (index) => listing(index, bundledInterestItems[index % bundledInterestItems.length] ?? ''));
        return costOfRequest(app, { path: '/v1/market/insert', method: 'POST', authorization: master, now: NOW, ...fileForm(text) });
      },
    });
  });

  it('GET /v1/market/listings', TIMEOUT, async () => {
    const sorts = ['last_seen', '-last_seen', 'price_each', '-price_each', 'created_at', 'price', 'stack', 'name', '-name'];
    const query = (random: RandomSource) =>
      `limit=1000&sort=${pick(random, sorts)}&hide_expired=${pick(random, ['true', 'false'])}&price_min=0&price_max=${randomBelow(random, 2000)}&offset=${pick(random, [0, 100_000])}&last_seen_after=${pick(random, [0, NOW - 10])}`;
    await checkWorst<string>('GET /v1/market/listings', {
      plans: [
        'limit=1000&hide_expired=false&sort=stack',
        'limit=1000&offset=140000&hide_expired=false&sort=-name',
        'limit=1000&price_min=0.001&price_max=999999&sort=price',
      ],
      change: (_, random) => query(random),
      cost: (text) => costOfRequest(app, get(`/v1/market/listings?${text}`, { now: NOW + 60 })),
    });
  });

  const BOARD_TEXTS: Record<string, () => string> = {
    'short rows': () => boardsOf(1, 1_700_000),
    'many boards': () => boardsOf(100_000, 4),
    'line breaks': () => '\n'.repeat(20 * MIB - 4096),
    'rows that nobody reads': () => `B$C$1 = N$META##${'1;;|'.repeat(5_000_000)}\n`,
    'one long line': () => 'x'.repeat(20 * MIB - 4096),
  };
  const boardsOf = (boards: number, rows: number) => {
    const row = Array.from({ length: rows }, (_, index) => `${index + 1};p${index % 1000};9`).join('|');
    const made: string[] = [];
    for (let index = 0, length = 0; index < boards && length < 19 * MIB; index += 1) {
      made.push(`B_${index}$Leaderboard_Category_Meta$${index + 1} = N${index}$META##${row}`);
      length += row.length + 60;
    }
    return `${made.join('\n').slice(0, 20 * MIB - 4096)}\n`;
  };
  it('POST /v1/leaderboards/insert', TIMEOUT, async () => {
    await checkWorst<string>('POST /v1/leaderboards/insert', {
      plans: Object.keys(BOARD_TEXTS),
      cost: (name) =>
        costOfRequest(app, {
          path: '/v1/leaderboards/insert',
          method: 'POST',
          authorization: master,
          ...fileForm(BOARD_TEXTS[name]?.() ?? ''),
        }),
    });
  });

  it('one step of the object that imports dumps', TIMEOUT, async () => {
    const db = createDatabase(bindings.DB);
    const service = createIngestService({
      captures: createCapturesStore(db),
      objects: createCaptureObjects(bindings.BOARDS),
      raw: createRawDumps(bindings.BOARDS),
      log: createIngestLog(db),
      settings: fixedSettings(),
    });
    // The object does not serve clients and has 30 s of CPU time per step.
    await checkWorst<string>(
      'ingest object: one dump',
      {
        plans: Object.keys(BOARD_TEXTS),
        async cost(name, round) {
          const text = BOARD_TEXTS[name]?.() ?? '';
          const task = await receive(text, NOW + round * 3600, `task-${round}`, { isBackfill: true });
          return costOf(async () => {
            const { message } = await service.process(task);
            return { status: 200, requestBytes: text.length, responseBytes: message.length };
          });
        },
      },
      30_000,
    );
  });

  describe('archive files', () => {
    it('GET /v1/updates/{branch}/file/compare, view', TIMEOUT, async () => {
      const inProcess = (plan: (typeof DIFF_PLANS)[number]): Promise<Cost> => {
        const [left, right] = diffTexts(plan);
        return costOf(async () => {
          const hunks = diffLines(left, right);
          return { status: 200, requestBytes: left.length + right.length, responseBytes: hunks?.length ?? 0 };
        });
      };
      const worst = await searchWorst(`${SEED} diff`, { plans: DIFF_PLANS, change: changedDiff, steps: 20, cost: inProcess });
      const [left, right] = diffTexts(worst.plan);
      const binary = '\u0001'.repeat(MIB - 1);
      const version = (text: string, more: string) => ({ files: { 'worst.txt': text, 'control.txt': more } });
      await storeVersions(createContentStore(env.ARCHIVE), 'live-us', [
        { tag: 'A', capturedAt: NOW, ...version(left, binary) },
        { tag: 'B', capturedAt: NOW + 1, ...version(right, `${binary}x`) },
      ]);
      const file = (kind: string, path: string) =>
        costOfRequest(app, get(`/v1/updates/live-us/file/${kind}?path=${path}${kind === 'compare' ? '&from=1&to=2' : ''}`));
      await checkWorst('GET /v1/updates/{branch}/file/view', { plans: ['worst.txt', 'control.txt'], cost: (path) => file('view', path) });
      await checkWorst('GET /v1/updates/{branch}/file', {
        plans: ['worst.txt', 'control.txt'],
        cost: (path) => costOfRequest(app, get(`/v1/updates/live-us/file?path=${path}`)),
      });
      await checkWorst('GET /v1/updates/{branch}/file/compare', {
        plans: [{ path: 'control.txt' }, { path: 'worst.txt', ...worst.plan }],
        cost: ({ path }) => file('compare', path),
      });
    });
  });

  it('GET /v1/codexes/search', TIMEOUT, async () => {
    const random = seededRandom(SEED);
    const writes = createCodexWrites(createDatabase(env.DB));
    const staged: Staged = {};
    for (let number = 0; number < 3000; number += 1) {
      const entry = derivedEntry({
        type: 'mount',
        path: `prefabs/a/${number}.binfab`,
        name: `${'aba'.repeat(30)}${number}`,
        description: pick(random, ['ab', 'a']).repeat(200),
        category: 'Zoo',
        mastery: 1,
        masteryGeode: 1,
        powerRank: 1,
      });
      stageEntry(staged, entry, '1', 'added');
    }
    await writes.stageRows('live-us', 1, staged);
    await writes.applyBuild({ branch: 'live-us', ordinal: 1, parserVersion: PARSER_VERSION, now: NOW });
    await checkWorst<string>('GET /v1/codexes/search', {
      plans: ['a'.repeat(200), 'ab'.repeat(100), 'aba', 'a', '"%_'.repeat(60), 'ba b'],
      change: (text, source) => `${pick(source, ['a', 'b', 'ab', ''])}${text}`.slice(0, 1 + randomBelow(source, 200)).trim() || 'a',
      cost: (text) => costOfRequest(app, get(`/v1/codexes/search?limit=200&sort=-mastery&q=${encodeURIComponent(text)}`)),
    });
  });

  it('GET /v1/mods/images/{sha256}', TIMEOUT, async () => {
    const noise = (width: number, height: number, mask: number) => {
      const bytes = sampleBytes(width * height * 4).map((byte) => 64 + (byte & mask));
      const rows = Array.from({ length: height }, (_, y) =>
        joinBytes([new Uint8Array(1), bytes.subarray(y * width * 4, (y + 1) * width * 4)]),
      );
      return pngOf({ width, height, depth: 8, colourType: 6 }, rows);
    };
    const plan = (width: number, height: number, mask: number, target: number) => ({ width, height, mask, target });
    await checkWorst('GET /v1/mods/images/{sha256}?w=, first', {
      plans: [plan(2560, 1440, 1, 1416), plan(2150, 1715, 7, 1416), plan(2560, 1440, 1, 400), plan(1417, 1130, 31, 1416)],
      cost({ width, height, mask, target }) {
        const png = noise(width, height, mask);
        return costOf(async () => {
          const made = await shrinkImage(png, target);
          return { status: made ? 200 : 422, requestBytes: png.length, responseBytes: made?.length ?? 0 };
        });
      },
    });
  });

  it('POST /auth/login', TIMEOUT, async () => {
    const passwords = createPasswords();
    await checkWorst('sign-in: scrypt of production', {
      plans: [12, 1000].map((length) => ({ length })),
      cost: ({ length }) =>
        costOf(async () => {
          await passwords.check('\u1e9b\u0323'.repeat(length / 2), null);
          return { status: 200, requestBytes: length, responseBytes: 0 };
        }),
    });
  });

  for (const name of ['calendar', 'calendar.ics']) {
    it(`GET /v1/rotations/${name}`, TIMEOUT, async () => {
      await checkWorst<number>(`GET /v1/rotations/${name}`, {
        plans: [NOW, 0, 4_000_000_000],
        change: (_, random) => randomBelow(random, 4_000_000_000),
        cost: (at, round) => costOfRequest(app, get(`/v1/rotations/${name}?at=${at + round}`)),
      });
    });
  }

  it('GET /v1/snapshot', TIMEOUT, async () => {
    const listed = JSON.parse((await call('/v1/snapshot?include=x', { authorization: reader }, app)).text);
    const names = /server-time[\w\-/, ]*/.exec(JSON.stringify(listed))?.[0].split(/,\s*/) ?? [];
    await checkWorst<string>('GET /v1/snapshot', {
      plans: ['', ...(names.length > 1 ? [`?include=${names.join(',')}`] : [])],
      cost: (query) => costOfRequest(newApp(), get(`/v1/snapshot${query}`)),
    });
  });

  it('GET /openapi.json', TIMEOUT, async () => {
    await checkWorst<string>('GET /openapi.json, first', { plans: [''], cost: () => costOfRequest(newApp(), get('/openapi.json')) });
  });
});
