import { describe, expect, it } from 'vitest';
import { maxConnectionsPerShard, replaySeconds, shardNames } from '../../../src/areas/events/event-variables.domain.ts';

const SENSELESS = [undefined, '', '0', '-3', '1.5', 'many', 'NaN', 'Infinity', '1000000'];

describe('deployment variable', () => {
  it('sets the number of shards', () => {
    expect(shardNames({ EVENTS_SHARDS: '3' })).toEqual(['shard-0', 'shard-1', 'shard-2']);
    expect(shardNames({ EVENTS_SHARDS: '64' })).toHaveLength(64);
  });

  it('sets the replay period', () => {
    expect(replaySeconds({ EVENTS_REPLAY_DAYS: '2' })).toBe(2 * 86_400);
  });

  it('sets the number of streams per shard', () => {
    expect(maxConnectionsPerShard({ EVENTS_MAX_CONNECTIONS_PER_SHARD: '12' })).toBe(12);
  });

  it.each(SENSELESS)('falls back to the default for %j', (text) => {
    expect(shardNames({ EVENTS_SHARDS: text })).toHaveLength(8);
    expect(replaySeconds({ EVENTS_REPLAY_DAYS: text })).toBe(604_800);
    expect(maxConnectionsPerShard({ EVENTS_MAX_CONNECTIONS_PER_SHARD: text })).toBe(1000);
  });
});
