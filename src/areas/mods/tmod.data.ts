/** Bytes before the properties: header size (8), version (2), number of properties (2). */
export const FIXED_HEADER_BYTES = 12;
/** A header can count no more properties. */
export const MAX_PROPERTIES = 65_535;
export const MAX_VERSION = 65_535;
export const DEFAULT_VERSION = 1;
/** The length of a path is one byte in the table. */
export const MAX_PATH_BYTES = 255;

/** Most files of one container: beyond any real one, and few enough to go through in a fraction of a second. */
export const MAX_FILES = 65_536;
/** Maximum header size in bytes: paths appear twice in the response, so 16 MiB of paths gave 85 MB. */
export const MAX_HEADER_BYTES = 8 * 1024 * 1024;
/** Largest container and largest build request, in bytes. */
export const MAX_BODY_BYTES = 20 * 1024 * 1024;
/** Most decoded bytes that a read looks at, and the most that all its entries together may claim. */
export const MAX_DECODED_BYTES = 32 * 1024 * 1024;

/** Every packed file is followed by zero bytes up to a multiple of this. */
export const FILE_ALIGNMENT = 4;

/** zlib header of a stream of stored blocks. */
export const ZLIB_HEAD = [0x78, 0x01] as const;
/** Bytes of one stored block, at most. */
export const RUN_BYTES = 32_768;
/** Header of a stored block: kind, length, complement of the length. */
export const RUN_HEADER_BYTES = 5;
/** Empty stored block that ends a written stream: no final block and no Adler-32 follow. */
export const STREAM_TAIL = [0x00, 0x00, 0x00, 0xff, 0xff] as const;

/** Property that says which program wrote the container, and what it says of ours. */
export const LOADER_PROPERTY = 'modLoader';
export const LOADER_LABEL = 'ServiceAPI';
export const TAGS_PROPERTY = 'tags';
export const FLAGS_PROPERTY = 'flags';
export const TITLE_PROPERTY = 'title';
export const AUTHOR_PROPERTY = 'author';
