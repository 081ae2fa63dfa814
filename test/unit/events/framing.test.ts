import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commentFrame, eventFrame, messageText, parseResumePoint, retryFrame } from '../../../src/areas/events/framing.domain.ts';

describe('eventFrame', () => {
  it('writes the exact bytes of the specification', () => {
    const text = messageText('challenge', '{"name":"RAMPAGE ALERT!"}', 1_773_156_600);
    expect(eventFrame({ id: 41, type: 'challenge', text })).toBe(
      'event: challenge\nid: 41\ndata: {"type":"challenge","data":{"name":"RAMPAGE ALERT!"},"ts":1773156600}\n\n',
    );
    expect(commentFrame('ping')).toBe(': ping\n\n');
    expect(retryFrame(() => 0)).toBe('retry: 1000\n\n');
    expect(retryFrame(() => 1 - 2 ** -32)).toBe('retry: 15000\n\n');
  });

  it('does not change the body', () => {
    const body = '{ "spaced":  1.50, "kept" : "\\u00e9" }';
    expect(messageText('stampy', body, 1)).toBe(`{"type":"stampy","data":${body},"ts":1}`);
  });

  it('writes any JSON on one data line', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(), (data, id) => {
        const frame = eventFrame({ id, type: 'chaos', text: messageText('chaos', JSON.stringify(data), 7) });
        const lines = frame.split('\n');
        expect(lines).toHaveLength(5);
        const parsed = JSON.parse((lines[2] ?? '').slice('data: '.length));
        expect(parsed).toEqual({ type: 'chaos', data: JSON.parse(JSON.stringify(data)), ts: 7 });
      }),
    );
  });
});

describe('parseResumePoint', () => {
  it.each([
    ['0', { afterId: 0 }],
    ['41', { afterId: 41 }],
    ['999999999', { afterId: 999_999_999 }],
    ['1000000000', { since: 1_000_000_000 }],
    ['999999999999999', { since: 999_999_999_999_999 }],
    ['', null],
    ['-1', null],
    ['1.5', null],
    ['0x10', null],
    ['1e3', null],
    [' 1', null],
    ['٣', null],
    ['1234567890123456', null],
  ])('parses %j', (text, point) => {
    expect(parseResumePoint(text)).toEqual(point);
  });
});
