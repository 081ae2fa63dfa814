/** A file of an archive; its checksum (CRC-32) is known in advance. */
interface ZipFile {
  name: string;
  /** Bytes. */
  size: number;
  crc: number;
  open(): AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

const LOCAL_BYTES = 30;
const CENTRAL_BYTES = 46;
const END_BYTES = 22;
const LOCAL_MARK = 0x04034b50;
const CENTRAL_MARK = 0x02014b50;
const END_MARK = 0x06054b50;
/** Version 2.0 of the format. */
const VERSION = 20;
/** Names are UTF-8. */
const UTF8_FLAG = 0x0800;
/** 1980-01-01: the same files always have the same bytes. */
const DATE = 0x21;

const encoder = new TextEncoder();

/** Streams a zip archive without compression: release files are compressed already. Up to 4 GiB and 65,535 files. */
export function zipArchive(files: readonly ZipFile[]): { length: number; chunks(): AsyncGenerator<Uint8Array> } {
  const named = files.map((file) => ({ ...file, nameBytes: encoder.encode(file.name) }));
  const length = named.reduce((sum, { size, nameBytes }) => sum + LOCAL_BYTES + CENTRAL_BYTES + 2 * nameBytes.length + size, END_BYTES);
  async function* chunks(): AsyncGenerator<Uint8Array> {
    const central: Uint8Array[] = [];
    let offset = 0;
    for (const { size, crc, nameBytes, open } of named) {
      const record = { size, crc, nameBytes };
      const local = writeRecord(LOCAL_MARK, LOCAL_BYTES, record);
      central.push(writeRecord(CENTRAL_MARK, CENTRAL_BYTES, record, offset));
      yield local;
      yield* open();
      offset += local.length + size;
    }
    let directory = 0;
    for (const record of central) {
      directory += record.length;
      yield record;
    }
    const end = new DataView(new ArrayBuffer(END_BYTES));
    end.setUint32(0, END_MARK, true);
    end.setUint16(8, central.length, true);
    end.setUint16(10, central.length, true);
    end.setUint32(12, directory, true);
    end.setUint32(16, offset, true);
    yield new Uint8Array(end.buffer);
  }
  return { length, chunks };
}

/** A header before a file, or its row in the directory, which also has the offset of that header. */
function writeRecord(
  mark: number,
  bytes: number,
  { size, crc, nameBytes }: { size: number; crc: number; nameBytes: Uint8Array },
  offset?: number,
): Uint8Array {
  const record = new Uint8Array(bytes + nameBytes.length);
  const view = new DataView(record.buffer);
  view.setUint32(0, mark, true);
  let at = 4;
  if (offset !== undefined) {
    view.setUint16(at, VERSION, true);
    at += 2;
    view.setUint32(CENTRAL_BYTES - 4, offset, true);
  }
  view.setUint16(at, VERSION, true);
  view.setUint16(at + 2, UTF8_FLAG, true);
  // Method 0 at +4 and time 0 at +6.
  view.setUint16(at + 8, DATE, true);
  view.setUint32(at + 10, crc, true);
  view.setUint32(at + 14, size, true);
  view.setUint32(at + 18, size, true);
  view.setUint16(at + 22, nameBytes.length, true);
  record.set(nameBytes, bytes);
  return record;
}
