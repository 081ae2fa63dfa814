/** The publisher sent something that is not what it should be. The message says what, for people. */
export class Malformed extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'Malformed';
  }
}
