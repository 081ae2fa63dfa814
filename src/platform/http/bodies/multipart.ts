import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { badRequest, bodyTooLarge, validationError } from '../../errors/api-error.ts';
import { unstorableTexts } from '../../errors/unstorable-texts.ts';
import { joinBytes } from '../../values/bytes.ts';
import { rejectUnfinished } from './body.ts';

/** A file of a form, wholly read. */
export interface FormFile {
  field: string;
  /** As sent by the client; never use it as a path. */
  filename: string;
  contentType: string;
  bytes: Uint8Array<ArrayBuffer>;
}

export interface Form {
  /** Text fields; each may occur once. */
  fields: ReadonlyMap<string, string>;
  files: readonly FormFile[];
  /** Fields of empty files. */
  emptyFiles: ReadonlySet<string>;
}

export interface FormLimits {
  /** Everything together, in bytes. */
  total: number;
  /** One file, in bytes. */
  file: number;
  /** Files that hold anything: empty ones, as browsers send for slots left empty, are dropped. */
  files: number;
  /** One text field, in bytes. */
  field: number;
  fields: number;
  /** Longest time the client may take. */
  seconds: number;
}

/**
 * Consumers of the files of some fields: such files are read in chunks, and the form then has no bytes for them. A form can
 * prove invalid after chunks were consumed.
 */
export type FileSinks = ReadonlyMap<string, (piece: Uint8Array) => void>;

const NO_SINKS: FileSinks = new Map();

const MAX_HEADER_PAIRS = 20;
const MAX_HEADER_BYTES = 8 * 1024;
/** Empty slots are parts too. */
const MAX_PARTS = 100;
const SHOWN_NAME_LENGTH = 100;
/** RFC 2046, section 5.1.1, allows a boundary of 70 characters; long ones make the search for them slow. */
const LONG_BOUNDARY = /;\s*boundary="?[^";]{71}/i;

/**
 * Reads a `multipart/form-data` body in chunks and enforces limits while reading. Throws 400 for a form that is malformed,
 * exceeds a limit or takes too long, and 413 for a body over the limit. Drops data after the first fault, because a client that
 * is still sending would miss the response.
 */
export async function readForm(request: Request, limits: FormLimits, sinks: FileSinks = NO_SINKS): Promise<Form> {
  const collector = new FormCollector(limits, sinks);
  const parser = createParser(request.headers.get('Content-Type') ?? '', limits, collector);
  if (!request.body) throw badRequest('the form must not be empty');
  const reader = request.body.getReader();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    reader.cancel().catch(() => {});
  }, limits.seconds * 1000);
  try {
    let length = 0;
    for (;;) {
      const read = await reader.read().catch(rejectUnfinished);
      if (read.done) break;
      length += read.value.byteLength;
      if (length > limits.total) {
        await reader.cancel();
        throw bodyTooLarge(limits.total);
      }
      if (!collector.fault) await parser.write(read.value);
    }
  } finally {
    clearTimeout(timer);
  }
  if (isLate) throw badRequest(`the form took longer than ${limits.seconds} seconds`);
  if (!collector.fault) await parser.end();
  return collector.form();
}

interface Parser {
  write(chunk: Uint8Array): Promise<void>;
  /** Waits until all data is consumed. */
  end(): Promise<void>;
}

const FORM_HINT = 'send the form with an HTTP client that sets Content-Type and its boundary';

/** The parser of a form. A part may hold one byte over the limit, so an excess can be detected and named. */
function createBusboy(contentType: string, limits: FormLimits): BusboyInstance {
  if (!/^multipart\/form-data\s*(?:;|$)/i.test(contentType))
    throw badRequest('the request body must be multipart/form-data', undefined, FORM_HINT);
  if (LONG_BOUNDARY.test(contentType)) throw badRequest('the multipart boundary must have at most 70 characters');
  const sizes = { fileSize: limits.file + 1, fieldSize: limits.field + 1 };
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      preservePath: true,
      limits: { ...sizes, parts: MAX_PARTS, headerPairs: MAX_HEADER_PAIRS, headerSize: MAX_HEADER_BYTES },
    });
  } catch {
    throw badRequest('Content-Type has no multipart boundary', undefined, FORM_HINT);
  }
}

function createParser(contentType: string, limits: FormLimits, collector: FormCollector): Parser {
  const busboy = createBusboy(contentType, limits);
  const done = new Promise<void>((resolve) => {
    busboy.on('finish', resolve);
    busboy.on('error', () => {
      collector.fail(badRequest('malformed multipart form'));
      resolve();
    });
  });
  busboy.on('field', (name: string | undefined, value) => collector.addField(name ?? '', value));
  busboy.on('partsLimit', () => collector.fail(badRequest(`the form must have at most ${MAX_PARTS} parts`)));
  busboy.on('file', (field: string | undefined, stream, filename: string | undefined, _encoding, type) => {
    const file = collector.openFile(field ?? '', filename ?? '', type);
    stream.on('data', (chunk: Uint8Array) => file.add(chunk));
    stream.on('end', () => file.close());
    stream.on('error', () => collector.fail(badRequest('malformed multipart form')));
  });
  return {
    // A parser that has failed or finished may never call back.
    write: (chunk) => Promise.race([new Promise<void>((resolve) => void busboy.write(chunk, () => resolve())), done]),
    end() {
      busboy.end();
      return done;
    },
  };
}

/** Collects the parts of a form until one is invalid, then releases all memory. */
class FormCollector {
  readonly #limits: FormLimits;
  readonly #sinks: FileSinks;
  readonly #fields = new Map<string, string>();
  #files: FormFile[] = [];
  readonly #emptyFiles = new Set<string>();
  /** Non-empty files; they arrive in chunks and may interleave. */
  #filled = 0;
  #fault: Error | null = null;

  constructor(limits: FormLimits, sinks: FileSinks) {
    this.#limits = limits;
    this.#sinks = sinks;
  }

  get fault(): Error | null {
    return this.#fault;
  }

  fail(fault: Error): void {
    this.#fault ??= fault;
    this.#files = [];
    this.#fields.clear();
  }

  addField(name: string, value: string): void {
    if (this.#fault) return;
    this.#refuseUnstorable({ [name]: value });
    if (this.#fault) return;
    if (this.#fields.has(name)) {
      this.fail(validationError([{ loc: ['body', name], msg: 'must be given only once', type: 'repeated' }]));
    } else if (new TextEncoder().encode(value).byteLength > this.#limits.field) {
      this.fail(badRequest(`${shown(name)} must have at most ${this.#limits.field} bytes`));
    } else if (this.#fields.size >= this.#limits.fields) {
      this.fail(badRequest(`the form must have at most ${this.#limits.fields} fields`));
    } else {
      this.#fields.set(name, value);
    }
  }

  /** Takes the pieces of a file as they come. */
  openFile(field: string, filename: string, contentType: string): { add(chunk: Uint8Array): void; close(): void } {
    let chunks: Uint8Array[] = [];
    let size = 0;
    this.#refuseUnstorable({ [field]: filename });
    const take = this.#sinks.get(field) ?? ((chunk: Uint8Array) => void chunks.push(chunk));
    return {
      add: (chunk) => {
        if (this.#fault || chunk.byteLength === 0) return;
        if (size === 0) this.#filled += 1;
        size += chunk.byteLength;
        if (this.#filled > this.#limits.files) this.fail(this.#tooMany(filename));
        else if (size > this.#limits.file) this.fail(this.#tooLarge(filename));
        else take(chunk);
        if (this.#fault) chunks = [];
      },
      close: () => {
        if (!this.#fault && size > 0) this.#files.push({ field, filename, contentType, bytes: joinBytes(chunks) });
        if (size === 0) this.#emptyFiles.add(field);
        chunks = [];
      },
    };
  }

  #refuseUnstorable(texts: Readonly<Record<string, string>>): void {
    const problems = unstorableTexts('body', texts);
    if (problems.length > 0) this.fail(validationError(problems));
  }

  form(): Form {
    if (this.#fault) throw this.#fault;
    return { fields: this.#fields, files: this.#files, emptyFiles: this.#emptyFiles };
  }

  #tooMany(filename: string): Error {
    const limit = this.#limits.files;
    return badRequest(`the form must have at most ${limit} files; ${shown(filename)} exceeds the limit`, {
      filename: shown(filename),
      limit,
    });
  }

  #tooLarge(filename: string): Error {
    const limit = this.#limits.file;
    return badRequest(`${shown(filename)} must have at most ${limit} bytes`, { filename: shown(filename), limit_bytes: limit });
  }
}

function shown(name: string): string {
  return name.slice(0, SHOWN_NAME_LENGTH).toWellFormed() || '(without a name)';
}
