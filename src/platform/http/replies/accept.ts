/** Maximum number of media ranges of an `Accept` header that are parsed. */
const MAX_RANGES = 32;

/** A media range of an `Accept` header, in lower case. */
export interface MediaRange {
  type: string;
  /** `q`: 0 to 1. */
  quality: number;
}

/** The media ranges of an `Accept` header (RFC 9110 12.5.1). */
export function mediaRanges(accept: string): MediaRange[] {
  return accept.split(',', MAX_RANGES).map((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    return { type, quality: qualityOf(parameters) };
  });
}

/** True if `Accept` is absent or admits a media type such as `text/plain`, by name or by a wildcard. */
export function admitsType(accept: string | null, mediaType: string): boolean {
  if (accept === null || accept.trim() === '') return true;
  const admitted = [mediaType, mediaType.replace(/\/.*/, '/*'), '*/*', '*'];
  return mediaRanges(accept).some(({ type, quality }) => quality > 0 && admitted.includes(type));
}

/** `q` of a media range (RFC 9110 12.4.2); 1 when absent, 0 when malformed. */
function qualityOf(parameters: readonly string[]): number {
  const qualityParameter = parameters.find((parameter) => parameter.startsWith('q='));
  if (qualityParameter === undefined) return 1;
  return /^q=(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(qualityParameter) ? Number(qualityParameter.slice(2)) : 0;
}
