import { ArtifactFault } from '../../game/artifact.ts';

/** A container that breaks its own format, with the byte and the field at fault. */
export class TmodFault extends ArtifactFault {
  /** Offset in the container. */
  readonly offset: number;
  readonly field: string;

  constructor(offset: number, field: string, problem: string) {
    super(`offset ${offset}, ${field}: ${problem}`);
    this.offset = offset;
    this.field = field;
  }
}
