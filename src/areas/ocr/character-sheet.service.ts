import { ApiError, badRequest, validationError } from '../../platform/errors/api-error.ts';
import type { HeavyWork, Pause } from '../../platform/heavy-work.ts';
import type { Form } from '../../platform/http/bodies/multipart.ts';
import { logError } from '../../platform/logging.ts';
import { IMAGE_TYPES, type ImageHeader, type ImageType, readImageHeader } from '../../platform/values/image-header.ts';
import type { SheetReading } from './character-stats.domain.ts';
import { CostLimitError } from './cost-limit.domain.ts';
import type { Luminance } from './luminance.domain.ts';
import {
  LARGE_IMAGE_PIXELS,
  MAX_PIXELS,
  MAX_SCANNED_PIXELS,
  MAX_SCANS,
  MAX_SIDE,
  PIXELS_PER_MS,
  READING_MS,
  RETRY_AFTER_SECONDS,
} from './ocr.data.ts';
import type { StatReader } from './stat-reader.ts';

/** Reads stats from a form with a screenshot. */
export interface CharacterSheetService {
  /** Throws 400 for what is not an image that can be read, 422 without one or with too much in it, 503 while the reader is busy or down. */
  read(form: Form): Promise<SheetReading>;
}

export interface CharacterSheetDeps {
  decode(bytes: Uint8Array<ArrayBuffer>, type: ImageType): Promise<Luminance>;
  reader: StatReader;
  heavyWork: HeavyWork;
}

const DAMAGED = 'the image cannot be decoded; it is damaged or truncated';
/** Name of the form part with the image. */
const PART = 'file';
/** Content types that mean "unknown". */
const UNDECLARED = ['', 'application/octet-stream', 'image/jpg'];

export function createCharacterSheetService({ decode, reader, heavyWork }: CharacterSheetDeps): CharacterSheetService {
  async function readPicture(bytes: Uint8Array<ArrayBuffer>, { type, width, height }: ImageHeader, pause: Pause): Promise<SheetReading> {
    if (type !== 'image/png' && width * height > LARGE_IMAGE_PIXELS) reader.release();
    let image: Luminance;
    try {
      image = await decode(bytes, type);
    } catch (error) {
      throw error instanceof CostLimitError ? tooLarge(error.message) : badRequest(DAMAGED);
    }
    await pause();
    try {
      return await reader.read(image, pause);
    } catch (error) {
      if (error instanceof CostLimitError) throw tooLarge(error.message);
      logError('the text reader failed', error);
      throw unavailable('the text reader is not available');
    }
  }

  return {
    async read(form) {
      const bytes = imageIn(form);
      const header = checkedHeader(bytes);
      const costMs = READING_MS + (header.width * header.height) / PIXELS_PER_MS;
      return heavyWork.run(costMs, (pause) => readPicture(bytes, header, pause));
    },
  };
}

function unavailable(message: string): ApiError {
  return new ApiError('service_unavailable', message, { headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) } });
}

function imageIn({ files, fields, emptyFiles }: Form): Uint8Array<ArrayBuffer> {
  const file = files.find(({ field }) => field === PART);
  if (file) {
    const declared = file.contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
    if (!UNDECLARED.includes(declared) && !(IMAGE_TYPES as readonly string[]).includes(declared)) throw badRequest(notAnImage(declared));
    return file.bytes;
  }
  if (emptyFiles.has(PART)) throw badRequest('file must not be empty');
  const isText = fields.has(PART);
  const problem = isText ? { msg: 'must be a file', type: 'invalid_type' } : { msg: 'is required', type: 'missing' };
  throw validationError([{ loc: ['body', PART], ...problem }]);
}

function notAnImage(declared: string): string {
  return `unsupported image type ${declared.slice(0, 60).toWellFormed()}; supported types: ${IMAGE_TYPES.join(', ')}`;
}

/** The header of an image that can be decoded within bounds. Everything a decoder allocates or repeats is checked here. */
function checkedHeader(bytes: Uint8Array): ImageHeader {
  const header = readImageHeader(bytes);
  if (!header) throw badRequest(`unsupported image type; supported types: ${IMAGE_TYPES.join(', ')}`);
  const { width, height, scans } = header;
  if (width < 1 || height < 1) throw badRequest('the image has no pixels');
  const side = Math.max(width, height);
  if (side > MAX_SIDE) throw tooLarge(`the image has ${width} x ${height} pixels; at most ${MAX_SIDE} per side are allowed`);
  if (width * height > MAX_PIXELS) throw tooLarge(`the image has ${width} x ${height} pixels; at most ${MAX_PIXELS} in total are allowed`);
  if (!header.framesFit) throw badRequest('the image has a frame larger than its canvas');
  if (header.truncated) throw badRequest(DAMAGED);
  if (header.animated) throw badRequest('the image is animated; send a single frame');
  const maxScans = Math.min(MAX_SCANS, Math.floor(MAX_SCANNED_PIXELS / (width * height)));
  if (scans > maxScans) throw tooLarge(`the image has ${scans} JPEG scans; at most ${maxScans} are allowed at this size`);
  return header;
}

/** 422 for an image that takes too much work. */
function tooLarge(found: string): ApiError {
  return validationError([{ loc: ['body', PART], msg: `${found}; crop the screenshot to the character sheet`, type: 'too_large' }]);
}
