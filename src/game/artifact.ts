/** What a verified release file says of itself. */
export interface InspectedArtifact {
  readonly title: string | null;
  /** As stored: several names are separated by commas. */
  readonly author: string | null;
  /** Every property of the header, last value of a repeated name. */
  readonly properties: Readonly<Record<string, string>>;
  readonly fileCount: number;
}

/** Verifies a whole release file. Throws `ArtifactFault` when it must be refused. */
export type ArtifactInspector = (bytes: Uint8Array<ArrayBuffer>) => Promise<InspectedArtifact>;

/** A release file that cannot be read; the message names offset and field. */
export class ArtifactFault extends Error {
  override readonly name = 'ArtifactFault';
}
