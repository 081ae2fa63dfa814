import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { badRequest, bodyTooLarge, validationError } from '../../kit/errors/api-error.ts';
import { joinBytes } from '../../kit/values/bytes.ts';
import { findUnstorableTexts } from '../pipeline/validation.ts';
import { bodyChunks, type Reserve } from './body.ts';

/** A file of a form, read completely. */
export interface FormFile {
  field: string;
  /** Sent by the client; must not be used as a path. */
  filename: string;
  contentType: string;
  bytes: Uint8Array<ArrayBuffer>;
}

export interface Form {
  /** Text fields; each may occur once. */
  fields: ReadonlyMap<string, string>;
  files: readonly FormFile[];
  /** Fields whose file is empty. */
  emptyFiles: ReadonlySet<string>;
}

export interface FormLimits {
  /** Maximum size of the body in bytes. */
  total: number;
  /** Maximum size of a file in bytes. */
  file: number;
  /** Maximum number of non-empty files. Browsers send an empty file for an input without a file. */
  files: number;
  /** Maximum size of a text field in bytes. */
  field: number;
  fields: number;
  /** Maximum time to receive the body. */
  seconds: number;
}

/**
 * Consumers of file chunks by field. Files of these fields have no bytes in the form. The form may prove invalid after chunks were
 * consumed.
 */
export type FileSinks = ReadonlyMap<string, (chunk: Uint8Array) => void>;

const NO_SINKS: FileSinks = new Map();

const MAX_HEADER_PAIRS = 20;
const MAX_HEADER_BYTES = 8 * 1024;
/** Includes empty files. */
const MAX_PARTS = 100;
const MAX_PRINTED_NAME_LENGTH = 100;
/** RFC 2046 5.1.1 allows at most 70 characters. Searching for a longer boundary is slow. */
const LONG_BOUNDARY = /;\s*boundary="?[^";]{71}/i;

/**
 * Reads a `multipart/form-data` body in chunks and enforces limits while reading. Throws 400 for a form that is malformed, exceeds a
 * limit or takes too long, 413 for a body over the limit, and the errors of `reserve`. After the first fault the rest of the body is read and dropped, because
 * a client that is still sending would miss the response.
 */
export async function readForm(request: Request, limits: FormLimits, reserve: Reserve, sinks: FileSinks = NO_SINKS): Promise<Form> {
  const collector = new FormCollector(limits, sinks);
  const parser = createParser(request.headers.get('Content-Type') ?? '', limits, collector);
  if (!request.body) throw badRequest('the form must not be empty');
  let length = 0;
  for await (const chunk of bodyChunks(request.body, limits.seconds)) {
    length += chunk.byteLength;
    if (length > limits.total) throw bodyTooLarge(limits.total);
    if (collector.fault) continue;
    reserve(chunk.byteLength);
    // A copy: the parser keeps parts of the chunk.
    await parser.write(chunk.slice());
  }
  if (!collector.fault) await parser.end();
  return collector.form();
}

interface Parser {
  write(chunk: Uint8Array): Promise<void>;
  /** Resolves when all data is consumed. */
  end(): Promise<void>;
}

const FORM_HINT = 'send the form with an HTTP client that sets Content-Type and its boundary';

/** Creates the parser of a form. Its size limits are one byte higher, so that excess is detected. */
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
    // A parser that has failed or finished may never call the callback.
    write: (chunk) => Promise.race([new Promise<void>((resolve) => void busboy.write(chunk, () => resolve())), done]),
    end() {
      busboy.end();
      return done;
    },
  };
}

/** Collects the parts of a form. Frees all parts when one is invalid. */
class FormCollector {
  readonly #limits: FormLimits;
  readonly #sinks: FileSinks;
  readonly #fields = new Map<string, string>();
  #files: FormFile[] = [];
  readonly #emptyFiles = new Set<string>();
  /** Number of non-empty files so far. Chunks of several files may interleave. */
  #nonEmptyFiles = 0;
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
    this.#rejectUnstorable({ [name]: value });
    if (this.#fault) return;
    if (this.#fields.has(name)) {
      this.fail(validationError([{ loc: ['body', name], msg: 'must be given only once', type: 'repeated' }]));
    } else if (new TextEncoder().encode(value).byteLength > this.#limits.field) {
      this.fail(badRequest(`${printableName(name)} must have at most ${this.#limits.field} bytes`));
    } else if (this.#fields.size >= this.#limits.fields) {
      this.fail(badRequest(`the form must have at most ${this.#limits.fields} fields`));
    } else {
      this.#fields.set(name, value);
    }
  }

  /** Starts a file. `add` receives its chunks. */
  openFile(field: string, filename: string, contentType: string): { add(chunk: Uint8Array): void; close(): void } {
    let chunks: Uint8Array[] = [];
    let size = 0;
    this.#rejectUnstorable({ [field]: filename });
    const consume = this.#sinks.get(field) ?? ((chunk: Uint8Array) => void chunks.push(chunk));
    return {
      add: (chunk) => {
        if (this.#fault || chunk.byteLength === 0) return;
        if (size === 0) this.#nonEmptyFiles += 1;
        size += chunk.byteLength;
        if (this.#nonEmptyFiles > this.#limits.files) this.fail(this.#tooMany(filename));
        else if (size > this.#limits.file) this.fail(this.#tooLarge(filename));
        else consume(chunk);
        if (this.#fault) chunks = [];
      },
      close: () => {
        if (!this.#fault && size > 0) this.#files.push({ field, filename, contentType, bytes: joinBytes(chunks) });
        if (size === 0) this.#emptyFiles.add(field);
        chunks = [];
      },
    };
  }

  #rejectUnstorable(texts: Readonly<Record<string, string>>): void {
    const problems = findUnstorableTexts('body', texts);
    if (problems.length > 0) this.fail(validationError(problems));
  }

  form(): Form {
    if (this.#fault) throw this.#fault;
    return { fields: this.#fields, files: this.#files, emptyFiles: this.#emptyFiles };
  }

  #tooMany(filename: string): Error {
    const limit = this.#limits.files;
    return badRequest(`the form must have at most ${limit} files; ${printableName(filename)} exceeds the limit`, {
      filename: printableName(filename),
      limit,
    });
  }

  #tooLarge(filename: string): Error {
    const limit = this.#limits.file;
    return badRequest(`${printableName(filename)} must have at most ${limit} bytes`, {
      filename: printableName(filename),
      limit_bytes: limit,
    });
  }
}

function printableName(name: string): string {
  return name.slice(0, MAX_PRINTED_NAME_LENGTH).toWellFormed() || '(without a name)';
}
