import { InputError } from '../../platform/kit/errors/input-error.ts';
import { decodeBase64InPlace } from '../../platform/kit/values/base64.ts';
import { utf8Bytes } from '../../platform/kit/values/bytes.ts';
import { JsonReader } from '../../platform/kit/values/json-reader.ts';
import { packedPath, packProblem } from './packed-path.domain.ts';
import { DEFAULT_VERSION, FLAGS_PROPERTY, MAX_FILES, MAX_PROPERTIES, MAX_VERSION, TAGS_PROPERTY } from './tmod.data.ts';
import type { PackedFile, TmodPlan } from './tmod-layout.domain.ts';
import { withGeneratedProperties } from './tmod-properties.domain.ts';

/** Maximum total of members and items: twice the need of the largest request. */
const MAX_ENTRIES = 524_288;

type Path = readonly (string | number)[];

/** Reads the next value, or records its error. */
type ReadField = (path: Path) => void;

/**
 * Parses a build request from the bytes of its JSON text. Decodes file contents in place, which destroys the JSON text. Throws
 * `MalformedJson`, or `InputError` for the first value with a wrong type, otherwise for the first value that breaks a rule.
 */
export function readBuildRequest(bytes: Uint8Array): TmodPlan {
  return new BuildRequestReader(bytes).read();
}

class BuildRequestReader {
  readonly #json: JsonReader;
  #invalid: InputError | null = null;
  #refused: InputError | null = null;
  #version = DEFAULT_VERSION;
  #properties = new Map<string, Uint8Array>();
  #files: PackedFile[] | null = null;

  constructor(bytes: Uint8Array) {
    this.#json = new JsonReader(bytes, { maxEntries: MAX_ENTRIES });
  }

  read(): TmodPlan {
    this.#object([], {
      version: (path) => this.#readVersion(path),
      properties: (path) => this.#readProperties(path),
      files: (path) => this.#readFiles(path),
    });
    this.#json.end();
    if (this.#files === null) this.#note('invalid', ['files'], 'is required');
    const properties = withGeneratedProperties(this.#properties);
    if (properties.size > MAX_PROPERTIES)
      this.#note('refused', ['properties'], `must have at most ${MAX_PROPERTIES} members including the generated ones`);
    const fault = this.#invalid ?? this.#refused;
    if (fault) throw fault;
    return { version: this.#version, properties, files: this.#files ?? [] };
  }

  #readVersion(path: Path): void {
    this.#version = this.#integer(path, 0, MAX_VERSION) ?? DEFAULT_VERSION;
  }

  #readProperties(path: Path): void {
    const properties = new Map<string, Uint8Array>();
    this.#properties = properties;
    if (!this.#is('object', path)) return;
    for (const name of this.#json.members()) {
      if (!name.isWellFormed()) this.#note('invalid', path, 'must have well-formed names');
      const value = this.#propertyValue(name, [...path, name]);
      if (value) properties.set(name, value);
    }
  }

  #propertyValue(name: string, path: Path): Uint8Array | null {
    const kind = this.#json.kind();
    if (name === TAGS_PROPERTY && kind === 'array') return this.#tagList(path);
    if (name === FLAGS_PROPERTY && kind === 'number') {
      const flags = this.#integer(path, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
      return flags === null ? null : utf8Bytes(String(flags));
    }
    if (!this.#is('string', path)) return null;
    const plain = this.#json.plainString();
    if (plain) return plain;
    const text = this.#json.string();
    if (!text.isWellFormed()) this.#note('invalid', path, 'must be well-formed text');
    return utf8Bytes(text);
  }

  #tagList(path: Path): Uint8Array {
    const tags: string[] = [];
    for (const index of this.#json.items()) {
      if (this.#is('string', [...path, index])) tags.push(this.#json.string());
    }
    const text = tags.join(',');
    if (!text.isWellFormed()) this.#note('invalid', path, 'must be well-formed text');
    return utf8Bytes(text);
  }

  #readFiles(path: Path): void {
    const files: PackedFile[] = [];
    const usedPaths = new Set<string>();
    this.#files = files;
    if (!this.#is('array', path)) return;
    let count = 0;
    for (const index of this.#json.items()) {
      count += 1;
      // Too many files are rejected later; the rest is only skipped.
      const file = count > MAX_FILES ? this.#json.skip() : this.#file([...path, index], usedPaths);
      if (file) files.push(file);
    }
    if (count === 0) this.#note('refused', path, 'must have at least one file');
    if (count > MAX_FILES) this.#note('refused', path, `must have at most ${MAX_FILES} files`);
  }

  #file(at: Path, usedPaths: Set<string>): PackedFile | null {
    const given: { path?: string; content?: Uint8Array | null } = {};
    const isObject = this.#object(at, {
      path: (field) => {
        given.path = this.#is('string', field) ? packedPath(this.#json.string()) : '';
      },
      content_base64: (field) => {
        given.content = this.#is('string', field) ? this.#content(field) : null;
      },
    });
    if (!isObject) return null;
    const { path, content } = given;
    if (path === undefined) this.#note('invalid', [...at, 'path'], 'is required');
    if (content === undefined) this.#note('invalid', [...at, 'content_base64'], 'is required');
    if (path === undefined || !content) return null;
    const problem = packProblem(path, usedPaths);
    if (problem !== null) this.#note('refused', [...at, 'path'], problem);
    usedPaths.add(path);
    return { path, content };
  }

  #content(path: Path): Uint8Array | null {
    const content = decodeBase64InPlace(this.#json.plainString() ?? utf8Bytes(this.#json.string()));
    if (!content) this.#note('refused', path, 'must be base64 (standard alphabet, padded, no white space)');
    return content;
  }

  /** Reads the known members of an object and skips the others; false if the next value is not an object. */
  #object(path: Path, fields: Readonly<Record<string, ReadField>>): boolean {
    if (!this.#is('object', path)) return false;
    for (const name of this.#json.members()) {
      const read = Object.hasOwn(fields, name) ? fields[name] : undefined;
      if (read) read([...path, name]);
      else this.#json.skip();
    }
    return true;
  }

  #integer(path: Path, min: number, max: number): number | null {
    if (!this.#is('number', path)) return null;
    const value = this.#json.number();
    if (Number.isInteger(value) && value >= min && value <= max) return value + 0;
    this.#note('invalid', path, `must be an integer between ${min} and ${max}`);
    return null;
  }

  /** Whether the next value has a type. If not, records an error and skips the value. */
  #is(kind: 'object' | 'array' | 'string' | 'number', path: Path): boolean {
    if (this.#json.kind() === kind) return true;
    this.#note('invalid', path, `must be ${kind === 'object' || kind === 'array' ? 'an' : 'a'} ${kind}`);
    this.#json.skip();
    return false;
  }

  /** Records the first error of each kind. */
  #note(sort: 'invalid' | 'refused', path: Path, problem: string): void {
    if (sort === 'invalid') this.#invalid ??= new InputError(sort, path, problem);
    else this.#refused ??= new InputError(sort, path, problem);
  }
}
