/** Contents of a verified release file. */
export interface InspectedArtifact {
  readonly title: string | null;
  /** As stored. Several names are separated by commas. */
  readonly author: string | null;
  /** Properties of the header. The last value of a repeated name. */
  readonly properties: Readonly<Record<string, string>>;
  readonly fileCount: number;
  /** Bytes before the contents. */
  readonly headerSize: number;
}

/** Verifies a release file. Throws `ArtifactFault` if the file is invalid. */
export type ArtifactInspector = (bytes: Uint8Array<ArrayBuffer>) => Promise<InspectedArtifact>;

/** Sets properties in the header of a release file. Throws `ArtifactFault` if the file is invalid or becomes too large. */
export type ArtifactStamper = (bytes: Uint8Array<ArrayBuffer>, stamp: Readonly<Record<string, string>>) => Uint8Array<ArrayBuffer>;

/** A file to pack into a container. `checksum`: of mod files. */
export interface PackableFile {
  path: string;
  /** Bytes. */
  size: number;
  checksum: number;
  open(): AsyncIterable<Uint8Array>;
}

/** Streams files in one container with these properties. Chunks are valid only until the next one is requested. */
export type ArtifactPacker = (
  properties: readonly (readonly [name: string, value: string])[],
  files: readonly PackableFile[],
) => { length: number; chunks(): AsyncGenerator<Uint8Array> };

/** Reads the paths of the files in a release file, without its preview image. Throws `ArtifactFault`. */
export type ArtifactPathReader = (
  read: (range: { offset: number; length: number }) => Promise<Uint8Array>,
  size: number,
) => Promise<string[]>;

/** Thrown for an invalid release file. The message contains the offset and the field. */
export class ArtifactFault extends Error {
  override readonly name = 'ArtifactFault';
}
