import { visibleText } from '../../src/platform/kit/values/visible-text.ts';

/** A carriage return within a line: the text after it would cover the start of the line. */
const OVERWRITING = /\r(?!\n)/g;

/**
 * Removes control characters and characters that reverse the direction of a text from everything that is written to a stream: names of files
 * and responses of services could hide lines of a terminal or change what they seem to say.
 */
export function cleanOutput(stream: Pick<NodeJS.WriteStream, 'write'>): void {
  const write = stream.write.bind(stream) as (chunk: unknown, ...more: unknown[]) => boolean;
  stream.write = (chunk: unknown, ...more: unknown[]) =>
    write(typeof chunk === 'string' ? visibleText(chunk).replaceAll(OVERWRITING, '') : chunk, ...more);
}
