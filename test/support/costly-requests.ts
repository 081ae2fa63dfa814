import { deflateRawSync } from 'node:zlib';
import { pick, type RandomSource, randomBelow } from '../../src/platform/kit/random.ts';
import { containerOf, deflated, joined, packed, type RawEntry, sampleBytes, storedStream } from './tmod.ts';

/** Requests near the limits, built from small plans that a search can change. */

const MIB = 1024 * 1024;
const utf8 = new TextEncoder();

export interface ReadPlan {
  files: number;
  pathBytes: number;
  /** Capital letters add the stored path to the response next to the normalized one. */
  capitals: boolean;
  /** Sum of the decoded sizes that the files claim. */
  claimedBytes: number;
  stream: 'stored' | 'tiny-blocks' | 'zeros' | 'sample' | 'framed-hit';
  order: 'forward' | 'reversed';
  properties: number;
  propertyBytes: number;
}

export const READ_PLANS: readonly ReadPlan[] = [
  { files: 40, pathBytes: 20, capitals: false, claimedBytes: 20 * MIB, stream: 'stored', order: 'forward' },
  { files: 65_536, pathBytes: 16, capitals: true, claimedBytes: 32 * MIB, stream: 'zeros', order: 'reversed' },
  { files: 65_536, pathBytes: 110, capitals: true, claimedBytes: 32 * MIB, stream: 'zeros', order: 'forward' },
  { files: 4000, pathBytes: 60, capitals: true, claimedBytes: 32 * MIB, stream: 'framed-hit', order: 'reversed' },
  { files: 65_000, pathBytes: 16, capitals: false, claimedBytes: 5 * MIB, stream: 'tiny-blocks', order: 'reversed' },
  { files: 40, pathBytes: 16, capitals: false, claimedBytes: 29 * MIB, stream: 'sample', order: 'reversed' },
].map((plan) => ({ ...plan, properties: 3, propertyBytes: 10 }) as ReadPlan);
READ_PLANS satisfies readonly ReadPlan[];

export function changedRead(plan: ReadPlan, random: RandomSource): ReadPlan {
  const near = (value: number, most: number) => Math.max(1, Math.min(most, Math.round(value * (0.5 + randomBelow(random, 1000) / 700))));
  return pick(random, [
    () => ({ ...plan, files: near(plan.files, 65_536) }),
    () => ({ ...plan, pathBytes: near(plan.pathBytes, 250) }),
    () => ({ ...plan, capitals: !plan.capitals }),
    () => ({ ...plan, claimedBytes: near(plan.claimedBytes, 32 * MIB) }),
    () => ({ ...plan, stream: pick(random, ['stored', 'tiny-blocks', 'zeros', 'sample', 'framed-hit'] as const) }),
    () => ({ ...plan, order: plan.order === 'forward' ? ('reversed' as const) : ('forward' as const) }),
    () => ({ ...plan, properties: pick(random, [3, 1000, 60_000]), propertyBytes: pick(random, [5, 20, 100]) }),
  ])();
}

const numbered = (index: number, length: number, capitals: boolean) =>
  `${index}/${(capitals ? 'Aa' : 'aa').repeat(length)}`.slice(0, Math.max(length, 6));

/** As many stored blocks with a five-byte header and little content as fit. */
function tinyBlocks(bytes: number, contentBytes = 8): Uint8Array {
  const block = Uint8Array.of(0, contentBytes, 0, ~contentBytes & 255, 255, ...new Uint8Array(contentBytes));
  const stream = new Uint8Array(2 + Math.floor(bytes / block.length) * block.length);
  stream.set([0x78, 0x01]);
  for (let at = 2; at < stream.length; at += block.length) stream.set(block, at);
  return stream;
}

const streams = new Map<string, Uint8Array>();

function streamOf({ stream, claimedBytes }: ReadPlan): Uint8Array {
  const key = `${stream} ${claimedBytes}`;
  let made = streams.get(key);
  if (!made) {
    if (stream === 'stored') made = storedStream(sampleBytes(Math.min(claimedBytes, 18 * MIB)));
    else if (stream === 'tiny-blocks') made = tinyBlocks(12 * MIB);
    else if (stream === 'sample') made = deflated(sampleBytes(Math.min(claimedBytes, 27 * MIB)));
    // Random bytes after the compressed zeros: the framed reading is hashed, and some entries may match.
    else if (stream === 'framed-hit') made = joined([0x78, 0x9c], deflateRawSync(new Uint8Array(claimedBytes)), sampleBytes(12 * MIB));
    else made = deflated(new Uint8Array(claimedBytes));
    streams.clear();
    streams.set(key, made);
  }
  return made;
}

/** The container of a plan, truncated to the maximum body size of 20 MiB. */
export function readBody(plan: ReadPlan): Uint8Array<ArrayBuffer> {
  const headerBytes = plan.files * (plan.pathBytes + 14) + plan.properties * (plan.propertyBytes + 9);
  const files = headerBytes > 7.9 * MIB ? Math.floor((plan.files * 7.9 * MIB) / headerBytes) : plan.files;
  const stream = streamOf(plan);
  const size = Math.max(1, Math.floor(plan.claimedBytes / files));
  const first = stream.subarray(7, 7 + size);
  const { entries: known } = packed([{ path: 'x', content: first }]);
  const entries: RawEntry[] = Array.from({ length: files }, (_, index) => ({
    path: numbered(index, plan.pathBytes, plan.capitals),
    offset: index * size,
    size,
    checksum: plan.stream === 'framed-hit' && index === 0 ? (known[0]?.checksum ?? 0) : index,
  }));
  if (plan.order === 'reversed') entries.reverse();
  const properties = Array.from({ length: plan.properties }, (_, index) => [`p${index}`, '"'.repeat(plan.propertyBytes)] as const);
  const container = containerOf({ properties, entries, stream: new Uint8Array(0) });
  return joined(container, stream.subarray(0, Math.max(0, 20 * MIB - container.length)));
}

export interface BuildPlan {
  files: number;
  pathBytes: number;
  /** Whether texts contain escapes, which take a different code path. */
  escaped: boolean;
  /** Total characters of base64. */
  contentBytes: number;
  /** Number of unknown members, which are ignored. */
  strays: number;
}

export const BUILD_PLANS: readonly BuildPlan[] = [
  { files: 40, pathBytes: 20, escaped: false, contentBytes: 20 * MIB - 8192, strays: 0 },
  { files: 65_000, pathBytes: 200, escaped: true, contentBytes: 1 * MIB, strays: 0 },
  { files: 65_000, pathBytes: 10, escaped: false, contentBytes: 8 * MIB, strays: 0 },
  { files: 1, pathBytes: 10, escaped: false, contentBytes: 1000, strays: 250_000 },
  { files: 40, pathBytes: 20, escaped: true, contentBytes: 18 * MIB, strays: 0 },
];

export function changedBuild(plan: BuildPlan, random: RandomSource): BuildPlan {
  const near = (value: number, most: number) => Math.max(1, Math.min(most, Math.round(value * (0.5 + randomBelow(random, 1000) / 700))));
  return pick(random, [
    () => ({ ...plan, files: near(plan.files, 65_536) }),
    () => ({ ...plan, pathBytes: near(plan.pathBytes, 240) }),
    () => ({ ...plan, escaped: !plan.escaped }),
    () => ({ ...plan, contentBytes: near(plan.contentBytes, 20 * MIB) }),
    () => ({ ...plan, strays: plan.strays === 0 ? 100_000 : near(plan.strays, 260_000) }),
  ])();
}

export function buildBody({ files, pathBytes, escaped, contentBytes, strays }: BuildPlan): string {
  const strayText = strays > 0 ? `,"more":[${'{"":0},'.repeat(strays).slice(0, -1)}]` : '';
  const eachBytes = pathBytes * (escaped ? 6 : 1) + 40;
  const room = 20 * MIB - strayText.length - files * eachBytes - 200;
  const share = Math.max(0, Math.floor(Math.min(contentBytes, room) / files / 4) * 4);
  const content = escaped && share >= 4 ? `\\u0041${'QUJD'.repeat(share / 4).slice(1)}` : 'QUJD'.repeat(share / 4);
  const tail = (escaped ? '\\u0061' : 'a').repeat(Math.max(0, pathBytes - 6));
  const list = Array.from({ length: files }, (_, index) => `{"path":"${index}/${tail}","content_base64":"${content}"}`);
  return `{"files":[${list.join(',')}]${strayText}}`.slice(0, 20 * MIB);
}

export interface FormPlan {
  /** Length of the boundary, which the parser searches for. */
  boundary: number;
  content: 'zeros' | 'near-boundary' | 'line-breaks' | 'dashes' | 'sample';
  parts: number;
  /** Total bytes of the files. */
  bytes: number;
}

export const FORM_PLANS: readonly FormPlan[] = [
  { boundary: 40, content: 'sample', parts: 4, bytes: 20 * MIB - 8192 },
  { boundary: 1, content: 'line-breaks', parts: 4, bytes: 20 * MIB - 8192 },
  { boundary: 60, content: 'near-boundary', parts: 4, bytes: 20 * MIB - 8192 },
  { boundary: 70, content: 'near-boundary', parts: 4, bytes: 20 * MIB - 8192 },
  { boundary: 3, content: 'near-boundary', parts: 4, bytes: 20 * MIB - 8192 },
  { boundary: 70, content: 'dashes', parts: 4, bytes: 20 * MIB - 8192 },
];

export function changedForm(plan: FormPlan, random: RandomSource): FormPlan {
  return pick(random, [
    () => ({ ...plan, boundary: Math.max(1, Math.min(70, Math.round(plan.boundary * (0.3 + randomBelow(random, 1000) / 400)))) }),
    () => ({ ...plan, content: pick(random, ['zeros', 'near-boundary', 'line-breaks', 'dashes', 'sample'] as const) }),
  ])();
}

/** Content on which the search for the boundary fails as late as possible. */
function formContent({ boundary, content, bytes, parts }: FormPlan): Uint8Array<ArrayBuffer> {
  const size = Math.floor(bytes / parts);
  const needle = `\r\n--${'a'.repeat(boundary)}`;
  const wrong = `${needle.slice(0, -1)}`;
  const piece = { zeros: '\0', 'near-boundary': `${wrong}b`.slice(0, -1) || '\r', 'line-breaks': '\r\n', dashes: '\r\n--', sample: '' }[
    content
  ];
  const filled = piece === '' ? sampleBytes(size) : new Uint8Array(size);
  if (piece !== '') {
    const unit = utf8.encode(piece);
    filled.set(unit.subarray(0, Math.min(unit.length, size)));
    for (let done = unit.length; done < size; done *= 2) filled.copyWithin(done, 0, Math.min(done, size - done));
  }
  filled.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return filled;
}

/** A form with fields, and the files of a plan in one field. */
export function formBody(plan: FormPlan, field: string, fields: Record<string, string> = {}) {
  const boundary = 'a'.repeat(plan.boundary);
  const content = formContent(plan);
  const parts: Uint8Array[] = [];
  for (const [name, value] of Object.entries(fields)) {
    parts.push(utf8.encode(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`));
  }
  for (let part = 0; part < plan.parts; part += 1) {
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${field}"; filename="f${part}"\r\nContent-Type: image/png\r\n\r\n`;
    parts.push(utf8.encode(head), content, utf8.encode('\r\n'));
  }
  parts.push(utf8.encode(`--${boundary}--\r\n`));
  return { body: joined(...parts), headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` } };
}

/** A form with one text file. */
export function fileForm(text: string) {
  const head = '--x\r\nContent-Disposition: form-data; name="file"; filename="dump.cfg"\r\nContent-Type: text/plain\r\n\r\n';
  return {
    body: joined(utf8.encode(head), utf8.encode(text), utf8.encode('\r\n--x--\r\n')),
    headers: { 'Content-Type': 'multipart/form-data; boundary=x' },
  };
}

export interface DiffPlan {
  lines: number;
  lineLength: number;
  /** Number of equal lines between two differing lines. */
  run: number;
  /** Number of distinct texts among the equal lines. */
  alphabet: number;
  kind: 'changed' | 'unrelated' | 'shifted' | 'one-sided';
}

export const DIFF_PLANS: readonly DiffPlan[] = [
  { lines: 520_000, lineLength: 1, run: 1, alphabet: 1, kind: 'unrelated' },
  { lines: 520_000, lineLength: 1, run: 1040, alphabet: 1, kind: 'changed' },
  { lines: 260_000, lineLength: 3, run: 530, alphabet: 1, kind: 'changed' },
  { lines: 520_000, lineLength: 1, run: 520, alphabet: 1, kind: 'one-sided' },
  { lines: 520_000, lineLength: 1, run: 3, alphabet: 2, kind: 'unrelated' },
  { lines: 10_000, lineLength: 100, run: 22, alphabet: 1, kind: 'changed' },
  { lines: 520_000, lineLength: 1, run: 1100, alphabet: 1, kind: 'shifted' },
];

export function changedDiff(plan: DiffPlan, random: RandomSource): DiffPlan {
  const near = (value: number, most: number) => Math.max(1, Math.min(most, Math.round(value * (0.5 + randomBelow(random, 1000) / 700))));
  return pick(random, [
    () => ({ ...plan, run: near(plan.run, plan.lines) }),
    () => ({ ...plan, run: near(plan.run, plan.lines) }),
    () => ({ ...plan, alphabet: near(plan.alphabet, 20) }),
    () => ({ ...plan, lineLength: near(plan.lineLength, 200) }),
    () => ({ ...plan, kind: pick(random, ['changed', 'unrelated', 'shifted', 'one-sided'] as const) }),
  ])();
}

/** Two texts of at most 1 MiB. */
export function diffTexts({ lines, lineLength, run, alphabet, kind }: DiffPlan): [left: string, right: string] {
  const most = Math.min(lines, Math.floor((MIB - 8) / (lineLength + 1)));
  const plain = (index: number) => String.fromCharCode(97 + (index % alphabet)).repeat(lineLength);
  const side = (mark: string) => {
    const made: string[] = [];
    for (let index = 0; index < most; index += 1) {
      const isMarked =
        kind === 'unrelated' ? index % (run + 1) < run : (index + (kind === 'shifted' && mark === 'Y' ? run >> 1 : 0)) % (run + 1) === 0;
      if (!isMarked) made.push(plain(index));
      else if (kind !== 'one-sided' || mark === 'X') made.push(mark.repeat(lineLength));
    }
    return `${made.join('\n')}\n`;
  };
  return [side('X'), side('Y')];
}
