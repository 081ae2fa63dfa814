import type { Form } from '../../platform/http/bodies/multipart.ts';
import { ApiError, badRequest, validationError } from '../../platform/kit/errors/api-error.ts';
import type { HeavyWork, Pause } from '../../platform/kit/heavy-work.ts';
import { logError } from '../../platform/kit/logging.ts';
import { IMAGE_TYPES, type ImageHeader, type ImageType, readImageHeader } from '../../platform/kit/values/image-header.ts';
import type { SheetReading } from './character-stats.domain.ts';
import {
  CostLimitError,
  DECODER_PIXEL_BYTES,
  DECODER_START_BYTES,
  IMAGE_PIXEL_BYTES,
  LARGE_IMAGE_PIXELS,
  MAX_ENGINE_BYTES,
  MAX_PIXELS,
  MAX_SCANNED_PIXELS,
  MAX_SCANS,
  MAX_SIDE,
  PIXELS_PER_MS,
  RECOGNITION_MS,
  RETRY_AFTER_SECONDS,
} from './limits.domain.ts';
import type { Luminance } from './luminance.domain.ts';
import type { StatReader } from './stat-reader.service.ts';

/** Reads stats from a multipart form with a screenshot. */
export type CharacterSheetService = ReturnType<typeof createCharacterSheetService>;

interface CharacterSheetDeps {
  decode(bytes: Uint8Array<ArrayBuffer>, type: ImageType): Promise<Luminance>;
  reader: StatReader;
  heavyWork: HeavyWork;
}

const DAMAGED_MESSAGE = 'the image cannot be decoded; it is damaged or truncated';
/** Form field with the image. */
const FILE_FIELD = 'file';
/** Declared content types that are not checked. */
const UNCHECKED_TYPES = ['', 'application/octet-stream', 'image/jpg'];

export function createCharacterSheetService({ decode, reader, heavyWork }: CharacterSheetDeps) {
  /** Memory of a reading besides that of kept instances. */
  function neededBytes(header: ImageHeader): number {
    const pixels = header.width * header.height;
    const hasDecoder = header.type === 'image/jpeg' || header.type === 'image/webp';
    const decoding = hasDecoder ? Math.max(DECODER_START_BYTES, pixels * DECODER_PIXEL_BYTES) : 0;
    const recognition = Math.max(0, MAX_ENGINE_BYTES - reader.engineBytes()) + pixels * IMAGE_PIXEL_BYTES;
    return isDecodedAlone(header) ? Math.max(decoding, recognition) : decoding + recognition;
  }

  async function readImage(bytes: Uint8Array<ArrayBuffer>, header: ImageHeader, pause: Pause): Promise<SheetReading> {
    const { type } = header;
    if (isDecodedAlone(header)) reader.release();
    let image: Luminance;
    try {
      image = await decode(bytes, type);
    } catch (error) {
      throw error instanceof CostLimitError ? tooLarge(error.message) : badRequest(DAMAGED_MESSAGE);
    }
    await pause();
    try {
      return await reader.read(image, pause);
    } catch (error) {
      if (error instanceof CostLimitError) throw tooLarge(error.message);
      logError('text recognition failed', error);
      throw unavailable('text recognition is not available');
    }
  }

  return {
    /** Throws 400 for an unsupported or damaged image, 422 for a missing or too complex image, 503 if the queue is full or the engine fails. */
    async read(form: Form): Promise<SheetReading> {
      const bytes = findImage(form);
      const header = checkHeader(bytes);
      const costMs = RECOGNITION_MS + (header.width * header.height) / PIXELS_PER_MS;
      return heavyWork.run(
        costMs,
        (pause) => readImage(bytes, header, pause),
        () => neededBytes(header),
      );
    },
  };
}

/** True for an image whose decoder does not fit into an isolate together with the text engine. */
const isDecodedAlone = ({ type, width, height }: ImageHeader) => type !== 'image/png' && width * height > LARGE_IMAGE_PIXELS;

function unavailable(message: string): ApiError {
  return new ApiError('service_unavailable', message, { headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) } });
}

function findImage({ files, fields, emptyFiles }: Form): Uint8Array<ArrayBuffer> {
  const file = files.find(({ field }) => field === FILE_FIELD);
  if (file) {
    const declared = file.contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
    if (!UNCHECKED_TYPES.includes(declared) && !(IMAGE_TYPES as readonly string[]).includes(declared))
      throw badRequest(unsupportedType(declared));
    return file.bytes;
  }
  if (emptyFiles.has(FILE_FIELD)) throw badRequest('file must not be empty');
  const isText = fields.has(FILE_FIELD);
  const problem = isText ? { msg: 'must be a file', type: 'invalid_type' } : { msg: 'is required', type: 'missing' };
  throw validationError([{ loc: ['body', FILE_FIELD], ...problem }]);
}

function unsupportedType(declared: string): string {
  return `unsupported image type ${declared.slice(0, 60).toWellFormed()}; supported types: ${IMAGE_TYPES.join(', ')}`;
}

/** Reads and validates the header of an image: everything that determines the memory and repetitions of a decoder. */
function checkHeader(bytes: Uint8Array): ImageHeader {
  const header = readImageHeader(bytes);
  if (!header) throw badRequest(`unsupported image type; supported types: ${IMAGE_TYPES.join(', ')}`);
  const { width, height, scans } = header;
  if (width < 1 || height < 1) throw badRequest('the image has no pixels');
  const side = Math.max(width, height);
  if (side > MAX_SIDE) throw tooLarge(`the image has ${width} x ${height} pixels; at most ${MAX_SIDE} per side are allowed`);
  if (width * height > MAX_PIXELS) throw tooLarge(`the image has ${width} x ${height} pixels; at most ${MAX_PIXELS} in total are allowed`);
  if (!header.framesFit) throw badRequest('the image has a frame larger than its canvas');
  if (header.truncated) throw badRequest(DAMAGED_MESSAGE);
  if (header.animated) throw badRequest('the image is animated; send a single frame');
  const maxScans = Math.min(MAX_SCANS, Math.floor(MAX_SCANNED_PIXELS / (width * height)));
  if (scans > maxScans) throw tooLarge(`the image has ${scans} JPEG scans; at most ${maxScans} are allowed at this size`);
  return header;
}

/** 422 for an image that exceeds a limit. */
function tooLarge(problem: string): ApiError {
  return validationError([{ loc: ['body', FILE_FIELD], msg: `${problem}; crop the screenshot to the character sheet`, type: 'too_large' }]);
}
