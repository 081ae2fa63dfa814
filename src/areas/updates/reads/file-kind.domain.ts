import { imageTypeOf } from '../../../platform/http/bodies/image-type.ts';
import { namedValues } from '../../../platform/kit/values/named-values.ts';

/** Kind of a file for previews. */
export const FILE_KINDS = namedValues('ArchiveFileKind', 'Kind of file content.', [
  'text',
  'image',
  'dds',
  'blueprint',
  'swf',
  'bnk',
  'pkfx',
  'binary',
  'too_large',
  'missing',
]);
export type FileKind = (typeof FILE_KINDS)[number];

/** Number of leading bytes needed to detect the kind. */
export const KIND_BYTES = 16;

const SIGNATURES: readonly { kind: FileKind; starts: readonly string[] }[] = [
  { kind: 'image', starts: ['BM'] },
  { kind: 'dds', starts: ['DDS '] },
  { kind: 'swf', starts: ['FWS', 'CWS', 'ZWS'] },
  { kind: 'bnk', starts: ['BKHD'] },
];

const EXTENSIONS: Readonly<Record<string, FileKind>> = { blueprint: 'blueprint', pkfx: 'pkfx', swf: 'swf', bnk: 'bnk', dds: 'dds' };

/** Kind by magic bytes or file extension; null if the file has to be decoded as text first. */
export function detectKind(path: string, head: Uint8Array): FileKind | null {
  const start = String.fromCharCode(...head);
  const byContent = SIGNATURES.find(({ starts }) => starts.some((signature) => start.startsWith(signature)));
  if (byContent) return byContent.kind;
  if (imageTypeOf(head)) return 'image';
  return EXTENSIONS[path.slice(path.lastIndexOf('.') + 1).toLowerCase()] ?? null;
}
