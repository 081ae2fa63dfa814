import { env } from 'cloudflare:workers';
import { zipSync } from 'fflate';
import { beforeEach, expect, it } from 'vitest';
import { pick, type RandomSource, randomBelow, seededRandom } from '../../../../src/platform/kit/random.ts';
import { createProject } from '../../../support/projects.ts';
import { call, freshInstant } from '../../../support/requests.ts';
import { clearCatalog, packed, testImage } from '../catalog.ts';
import { newAuthor, upload } from './authors.ts';

/** Files of each kind: 10, and 100 in `npm run test:long`, which sets the scale. */
const FILES_OF_KIND = Math.ceil(2 * Number((env as { FUZZ_SCALE?: string }).FUZZ_SCALE ?? 5));

beforeEach(clearCatalog);

/** Lengths and flags that lie: bytes of the file replaced, cut off or repeated. */
function damaged(file: Uint8Array<ArrayBuffer>, random: RandomSource): Uint8Array<ArrayBuffer> {
  const copy = file.slice();
  for (let change = 0; change <= randomBelow(random, 6); change += 1) {
    // Headers lie at the start and the end.
    const at =
      randomBelow(random, 2) === 0
        ? randomBelow(random, Math.min(64, copy.length))
        : copy.length - 1 - randomBelow(random, Math.min(64, copy.length));
    copy[at] = pick(random, [0, 1, 0x7f, 0x80, 0xff, randomBelow(random, 256)]);
  }
  const kind = randomBelow(random, 4);
  if (kind === 0) return copy.slice(0, randomBelow(random, copy.length) + 1);
  if (kind === 1) {
    const twice = new Uint8Array(copy.length * 2);
    twice.set(copy);
    twice.set(copy, copy.length);
    return twice;
  }
  return copy;
}

const names = ['../../etc/passwd', 'a\0b', '/abs', 'C:\\x', '..\\..\\x', 'x'.repeat(4000), '\u202egnp.exe', ''];

/** A bomb of 8 MiB of zeros, and thousands of entries. */
const LARGE_ZIPS = [
  zipSync({ bomb: new Uint8Array(8 * 1024 * 1024) }, { level: 9 }),
  zipSync(Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`${index}`, new Uint8Array()]))),
].map((zip) => new Uint8Array(zip));

function hostileZip(random: RandomSource): Uint8Array<ArrayBuffer> {
  // A large one, or names that leave the folder.
  const large = LARGE_ZIPS[randomBelow(random, 3)];
  if (large) return large;
  return new Uint8Array(zipSync({ [pick(random, names)]: new Uint8Array([1]), ok: new Uint8Array([2]) }));
}

const hostileTmod = (random: RandomSource) =>
  packed(pick(random, ['x', '\0'.repeat(100_000)]), {
    title: pick(random, names).slice(0, 200),
    author: pick(random, names).slice(0, 200),
  });

/** Signatures with chunks that lie about their length or never end. */
const hostileImage = (random: RandomSource): Uint8Array<ArrayBuffer> => {
  const start = pick(random, [
    [
      0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0xff, 0xff, 0xff, 0xff, 0x49, 0x48, 0x44, 0x52, 0x7f, 0xff, 0xff, 0xff, 0x7f, 0xff,
      0xff, 0xff,
    ],
    [...new TextEncoder().encode('RIFF'), 0xff, 0xff, 0xff, 0xff, ...new TextEncoder().encode('WEBPVP8X'), 0xff, 0xff, 0xff, 0xff],
    [...new TextEncoder().encode('GIF89a'), 0xff, 0xff, 0xff, 0xff, 0xf7, 0, 0, ...Array.from({ length: 400 }, () => 0x2c)],
    [...testImage(1)],
  ]);
  return damaged(new Uint8Array([...start, ...Array.from({ length: 500 }, () => randomBelow(random, 256))]), random);
};

it('refuses or stores hostile files and images without an internal error, and serves the stored ones', async () => {
  const random = seededRandom('hostile files');
  const statuses: Record<string, number> = {};
  const count = (kind: string, { status, text }: { status: number; text: string }) => {
    expect(status, `${kind}: ${text.slice(0, 300)}`).toBeLessThan(500);
    const name = `${kind} ${status}`;
    statuses[name] = (statuses[name] ?? 0) + 1;
    return status;
  };
  for (let index = 0; index < FILES_OF_KIND; index += 1) {
    // A new account for each: the allowances of uploads must not refuse them.
    const author = await newAuthor();
    const { path } = await createProject({ userId: author.userId, visibility: 'public' });
    const files = { zip: hostileZip(random), tmod: hostileTmod(random) };
    for (const [kind, file] of Object.entries(files)) {
      for (const [form, bytes] of [
        ['whole', file],
        ['damaged', damaged(file, random)],
      ] as const) {
        const fields = { tag: `${kind} ${form}`, publish: 'true' };
        const response = await upload(`${path}/releases`, author, fields, bytes, { now: freshInstant(), name: `../${kind}.${kind}` });
        count(kind, response);
      }
    }
    const image = (method: string, at: string) =>
      call(`${path}${at}`, {
        method,
        now: freshInstant(),
        authorization: author.authorization,
        body: hostileImage(random),
        headers: { 'Content-Type': 'image/png' },
      });
    if (count('banner', await image('PUT', '/banner')) === 200) {
      const mod = await call(path.replace('/v1/publishing', '/v1/mods'), { now: freshInstant() });
      const url = JSON.parse(mod.text).banner_url as string;
      for (const query of ['', '?w=320']) count('served', await call(`${new URL(url).pathname}${query}`, { now: freshInstant() }));
    }
    count('preview', await image('POST', '/previews'));
    count('page', await call(path.replace('/v1/publishing', '/mods'), { now: freshInstant() }));
  }
  const total = Object.values(statuses).reduce((sum, n) => sum + n, 0);
  expect(total).toBeGreaterThanOrEqual(FILES_OF_KIND * 7);
  expect((await call('/v1/mods?limit=100', { now: freshInstant() })).status).toBe(200);
});
