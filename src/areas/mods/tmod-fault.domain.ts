import { ArtifactFault } from '../../game/artifact.ts';

/** An invalid `.tmod` file, with the offset and the field of the error. */
export class TmodFault extends ArtifactFault {
  /** Byte offset in the file. */
  readonly offset: number;
  readonly field: string;

  constructor(offset: number, field: string, problem: string) {
    super(`offset ${offset}, ${field}: ${problem}`);
    this.offset = offset;
    this.field = field;
  }
}
