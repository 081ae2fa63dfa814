import { namedValues } from '../../../platform/values/named-values.ts';

/** What a file holds, as far as a reader in a browser cares. */
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

/** Bytes of the beginning that tell the kind. */
export const KIND_BYTES = 16;

const SIGNATURES: readonly { kind: FileKind; starts: readonly string[] }[] = [
  { kind: 'image', starts: ['\x89PNG\r\n\x1a\n', '\xff\xd8\xff', 'GIF87a', 'GIF89a', 'BM'] },
  { kind: 'dds', starts: ['DDS '] },
  { kind: 'swf', starts: ['FWS', 'CWS', 'ZWS'] },
  { kind: 'bnk', starts: ['BKHD'] },
];

const EXTENSIONS: Readonly<Record<string, FileKind>> = { blueprint: 'blueprint', pkfx: 'pkfx', swf: 'swf', bnk: 'bnk', dds: 'dds' };

/** The kind of a file that its name or its first bytes tell; null when only its text can. */
export function kindOf(path: string, head: Uint8Array): FileKind | null {
  const start = String.fromCharCode(...head);
  const byContent = SIGNATURES.find(({ starts }) => starts.some((signature) => start.startsWith(signature)));
  if (byContent) return byContent.kind;
  if (start.startsWith('RIFF') && start.slice(8, 12) === 'WEBP') return 'image';
  return EXTENSIONS[path.slice(path.lastIndexOf('.') + 1).toLowerCase()] ?? null;
}
