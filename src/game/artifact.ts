/** Contents of a verified release file. */
export interface InspectedArtifact {
  readonly title: string | null;
  /** As stored. Several names are separated by commas. */
  readonly author: string | null;
  /** Properties of the header. The last value of a repeated name. */
  readonly properties: Readonly<Record<string, string>>;
  readonly fileCount: number;
}

/** Verifies a release file. Throws `ArtifactFault` if the file is invalid. */
export type ArtifactInspector = (bytes: Uint8Array<ArrayBuffer>) => Promise<InspectedArtifact>;

/** Sets properties in the header of a release file. Throws `ArtifactFault` if the file is invalid or becomes too large. */
export type ArtifactStamper = (bytes: Uint8Array<ArrayBuffer>, stamp: Readonly<Record<string, string>>) => Uint8Array<ArrayBuffer>;

/** Thrown for an invalid release file. The message contains the offset and the field. */
export class ArtifactFault extends Error {
  override readonly name = 'ArtifactFault';
}
