import { expect, it } from 'vitest';
import { decodeMessage, encodeEvent, encodeHello, PROBE, PROBE_ANSWER } from '../../../src/areas/events/shards.ts';

const EVENT = { id: 12, at: 1_773_156_600, type: 'chaos', text: '{"type":"chaos","data":{"item":"Ünïcode \\n 💰"},"ts":1773156600}' };

it('carries an event to a stream as the bytes the client gets', () => {
  const message = decodeMessage(encodeEvent(EVENT));
  expect(message).toMatchObject({ kind: 'event', id: 12, type: 'chaos' });
  const frame = message?.kind === 'event' ? new TextDecoder().decode(message.frame) : '';
  expect(frame).toBe(`event: chaos\nid: 12\ndata: ${EVENT.text}\n\n`);
});

it('greets with the newest event', () => {
  expect(decodeMessage(encodeHello({ id: 12, at: 1_773_156_600 }))).toEqual({ kind: 'hello', id: 12, at: 1_773_156_600 });
  expect(decodeMessage(encodeHello({ id: 0, at: 0 }))).toEqual({ kind: 'hello', id: 0, at: 0 });
});

it('encodes what many streams receive only once', () => {
  const text = encodeEvent(EVENT);
  expect(decodeMessage(text)).toBe(decodeMessage(`${text}`));
  expect(decodeMessage(encodeEvent({ ...EVENT, id: 13 }))).toMatchObject({ id: 13 });
});

it.each(['', 'hello', '12', '12 x chaos {}', '12 13', PROBE, PROBE_ANSWER])('passes over %j', (text) => {
  expect(decodeMessage(text)).toBeNull();
});
