/** Bytes before the properties: header size (8), version (2), number of properties (2). */
export const FIXED_HEADER_BYTES = 12;
/** Limit of the 16-bit counter in the header. */
export const MAX_PROPERTIES = 65_535;
export const MAX_VERSION = 65_535;
export const DEFAULT_VERSION = 1;
/** The table stores the length of a path in one byte. */
export const MAX_PATH_BYTES = 255;

/** Maximum number of files in a `.tmod` file: more than any real one has, and quick to iterate. */
export const MAX_FILES = 65_536;
/** Maximum header size. The response contains paths twice: 16 MiB of paths gave a response of 85 MB. */
export const MAX_HEADER_BYTES = 8 * 1024 * 1024;
/** Maximum size of a `.tmod` file and of a build request. */
export const MAX_BODY_BYTES = 20 * 1024 * 1024;
/** Maximum number of decoded bytes, and maximum total size of the entries. */
export const MAX_DECODED_BYTES = 32 * 1024 * 1024;

/** Packed files are padded with zero bytes to a multiple of this. */
export const FILE_ALIGNMENT = 4;

/** zlib header of a stream of stored blocks. */
export const ZLIB_HEAD = [0x78, 0x01] as const;
/** First bytes of a stream that tell whether it is stored: its zlib header and the kind of the first block. */
export const STREAM_START_BYTES = 3;
/** Maximum content of a stored block. */
export const RUN_BYTES = 32_768;
/** Header of a stored block: kind, length, complement of the length. */
export const RUN_HEADER_BYTES = 5;
/** Empty stored block that ends a written stream: no final block and no Adler-32 follow. */
export const STREAM_TAIL = [0x00, 0x00, 0x00, 0xff, 0xff] as const;

/** Property with the name of the program that wrote the file, and its value for this service. */
export const LOADER_PROPERTY = 'modLoader';
export const LOADER_LABEL = 'ServiceAPI';
export const TAGS_PROPERTY = 'tags';
export const FLAGS_PROPERTY = 'flags';
export const TITLE_PROPERTY = 'title';
export const AUTHOR_PROPERTY = 'author';
/** Path of the packed image that shows the mod. */
export const PREVIEW_PROPERTY = 'previewPath';
