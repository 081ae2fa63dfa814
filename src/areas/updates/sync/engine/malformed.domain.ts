/** A file of the publisher is invalid. The message names the file and the problem. */
export class MalformedFileError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'MalformedFileError';
  }
}
