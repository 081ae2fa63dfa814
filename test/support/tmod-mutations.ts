import { containerOf, deflated, EXAMPLE_HEX, fromHex, packed, sampleBytes, storedStream } from './tmod.ts';

/** A mutated request to a mod tool. */
export interface MutatedRequest {
  tool: 'read' | 'build';
  body: Uint8Array<ArrayBuffer>;
}

type Draw = (below: number) => number;
type Mutation = (bytes: Uint8Array, draw: Draw, donor: Uint8Array) => Uint8Array;

/** Extreme numbers, little-endian. */
const EXTREMES = [
  '00',
  'ff',
  '7f',
  '80',
  '0000',
  'ffff',
  'ff7f',
  '00000080',
  'ffffffff',
  'ffffff7f',
  'ffffffffffffffff',
  '0000000000000080',
].map(fromHex);
const VARINTS = ['80808080808080808001', '8080808080808080808001', 'ffffffff0f', 'ffffffff7f', '8080808010', '8100'].map(fromHex);

const spliced = (bytes: Uint8Array, at: number, removed: number, added: Uint8Array): Uint8Array =>
  new Uint8Array([...bytes.subarray(0, at), ...added, ...bytes.subarray(at + removed)]);

const MUTATIONS: readonly Mutation[] = [
  (bytes, draw) => bytes.with(draw(bytes.length), draw(256)),
  (bytes, draw) => {
    const at = draw(bytes.length);
    return bytes.with(at, (bytes[at] ?? 0) ^ (1 << draw(8)));
  },
  (bytes, draw) => bytes.slice(0, draw(bytes.length)),
  (bytes, draw) => spliced(bytes, draw(bytes.length), 1 + draw(16), new Uint8Array(0)),
  (bytes, draw) => spliced(bytes, draw(bytes.length), 0, new Uint8Array(1 + draw(16)).fill(draw(256))),
  (bytes, draw) => {
    const value = EXTREMES[draw(EXTREMES.length)] ?? new Uint8Array(0);
    return spliced(bytes, draw(bytes.length), value.length, value);
  },
  (bytes, draw) => spliced(bytes, draw(bytes.length), draw(5), VARINTS[draw(VARINTS.length)] ?? new Uint8Array(0)),
  (bytes, draw) => {
    const start = draw(bytes.length);
    return spliced(bytes, draw(bytes.length), draw(40), bytes.slice(start, start + draw(200)));
  },
  (bytes, draw, donor) => spliced(bytes, draw(bytes.length), draw(40), donor.slice(0, draw(donor.length))),
];
/** Length of the header, where mutations are concentrated. */
const HEADER_BYTES = 200;

/** Creates a deterministic random source. */
function drawFrom(seed: number): Draw {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x45d9f3b) >>> 0;
    mixed = (mixed ^ (mixed >>> 15)) >>> 0;
    return below === 0 ? 0 : mixed % below;
  };
}

/** Valid containers of every kind. */
function sampleContainers(): Uint8Array[] {
  const { entries, decoded } = packed([
    { path: 'ui/a.swf', content: sampleBytes(3000) },
    { path: 'empty', content: new Uint8Array(0) },
    { path: 'dir/b.txt', content: sampleBytes(40_000, 2).map((byte) => byte & 15) },
  ]);
  const properties = [
    ['title', 'Sample'],
    ['tags', 'Wings,Mounts'],
    ['flags', '10240'],
    ['notes', 'é\u0000😀'.repeat(30)],
  ] as const;
  return [
    fromHex(EXAMPLE_HEX),
    containerOf({}),
    containerOf({ properties, entries, stream: storedStream(decoded) }),
    containerOf({ properties, entries, stream: storedStream(decoded, (length, run) => length - run * 7) }),
    containerOf({ properties, entries, stream: deflated(decoded) }),
    containerOf({ entries: [...entries.toReversed(), ...entries], stream: deflated(decoded).subarray(0, -4) }),
    containerOf({
      entries: Array.from({ length: 300 }, (_, index) => ({ path: `${index}`, offset: index, size: 300, checksum: index })),
      stream: deflated(decoded),
    }),
    containerOf({ entries, stream: deflated(new Uint8Array(3_000_000)) }),
  ];
}

function sampleRequests(): Uint8Array[] {
  const files = [
    { path: 'UI\\Tiny.SWF', content_base64: 'YWJjZGU=' },
    { path: 'b/c.txt', content_base64: '' },
    { path: 'é', content_base64: Buffer.from(sampleBytes(2000)).toString('base64') },
  ];
  const texts = [
    JSON.stringify({ version: 1, properties: { title: 'Tiny', tags: 'Wings', flags: 3, 7: 'x' }, files }),
    JSON.stringify({ files, properties: { tags: ['Wings', 'GUI'], notes: '"\\\n\u0001😀' }, more: [1.5e-3, null, { a: [[]] }] }, null, 2),
    '{"files":[{"path":"x","content_base64":"\\/\\/8="}]}',
  ];
  return texts.map((text) => new TextEncoder().encode(text));
}

/** Generates `count` mutated requests, two thirds to read and one third to build. Deterministic. */
export function* mutatedRequests(count: number, seed: number): Generator<MutatedRequest> {
  const draw = drawFrom(seed);
  const samples = { read: sampleContainers(), build: sampleRequests() };
  for (let number = 0; number < count; number += 1) {
    const tool = number % 3 === 2 ? 'build' : 'read';
    const valid = samples[tool];
    let body = valid[draw(valid.length)] ?? new Uint8Array(1);
    for (let injuries = 1 + draw(4); injuries > 0; injuries -= 1) {
      const mutate = MUTATIONS[draw(MUTATIONS.length)];
      const donor = valid[draw(valid.length)] ?? body;
      // Half of the mutations are in the first bytes.
      const near: Draw = (below) => (below === body.length && draw(2) === 0 ? draw(Math.min(below, HEADER_BYTES)) : draw(below));
      if (mutate && body.length > 0) body = mutate(body, near, donor);
    }
    yield { tool, body: new Uint8Array(body) };
  }
}
