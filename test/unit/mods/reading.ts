import { openContents } from '../../../src/areas/mods/file-contents.domain.ts';
import { inflated } from '../../../src/areas/mods/inflate.service.ts';
import { readJsonChunks } from '../../../src/areas/mods/read-json.service.ts';
import { readHeader } from '../../../src/areas/mods/tmod-header.domain.ts';

/** A packed file of a read response, with decoded content. */
export interface ReadFile {
  path: string;
  stored_path?: string;
  index: number;
  offset: number;
  size: number;
  checksum: number;
  content: Uint8Array;
  content_base64?: string;
  checksum_ok?: boolean;
}

export interface ReadResult {
  version: number;
  header_size: number;
  properties: Record<string, string>;
  file_count: number;
  files: ReadFile[];
  metadata_only: boolean;
  flags: number;
  categories: string[];
  header_repaired: boolean;
}

/** Reads a file and parses the response. `reserved` collects the sizes of reserved copies. */
export async function readTmod(bytes: Uint8Array, reserved: number[] = []): Promise<ReadResult> {
  const header = readHeader(bytes);
  const contents = await openContents(bytes, header, { memory: { grow: (size) => reserved.push(size), own: () => {} }, inflated });
  try {
    return parsed(await collectText(readJsonChunks(header, contents)));
  } finally {
    await contents.close();
  }
}

export async function readMetadata(bytes: Uint8Array): Promise<ReadResult> {
  return parsed(await collectText(readJsonChunks(readHeader(bytes), null)));
}

async function collectText(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of chunks) text += decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}

function parsed(text: string): ReadResult {
  const result = JSON.parse(text) as ReadResult;
  for (const file of result.files) file.content = new Uint8Array(Buffer.from(file.content_base64 ?? '', 'base64'));
  return result;
}
