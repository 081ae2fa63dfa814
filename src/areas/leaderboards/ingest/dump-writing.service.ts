import type { CaptureObjects, Version } from '../captures/capture-objects.repository.ts';
import type { StagedBoard } from '../captures/captures.repository.ts';
import { PlayerShardBuilder, shardCount } from '../captures/player-shards.domain.ts';
import { MAX_LINE_LENGTH, OBJECT_CONCURRENCY } from '../leaderboards.data.ts';
import { type BoardMeta, createDumpReader, type DumpReport } from './dump.domain.ts';
import type { Rows } from './dump-line.domain.ts';
import { createInFlight } from './in-flight.ts';
import { createLineSplitter } from './line-splitter.domain.ts';

/** Result of `writeDump`. */
export interface WrittenDump {
  metas: BoardMeta[];
  staged: StagedBoard[];
  entries: number;
  playerShards: number;
  report: DumpReport;
}

/** Row count and first row. The name is a copy: a slice of a line would keep the whole line in memory. */
interface BoardSize {
  entries: number;
  leaderName: string | null;
  leaderScore: number | null;
}

/** Writes the rows of a dump to the objects of a version, line by line: one board is in memory at a time. */
export async function writeDump(text: ReadableStream<string>, version: Version, objects: CaptureObjects): Promise<WrittenDump> {
  const reader = createDumpReader();
  const splitter = createLineSplitter(MAX_LINE_LENGTH);
  const players = new PlayerShardBuilder();
  const flight = createInFlight(OBJECT_CONCURRENCY);
  const sizes = new Map<number, BoardSize>();

  async function processLine(line: string | null): Promise<void> {
    if (line === null) return reader.skipLongLine();
    const board = reader.read(line);
    if (!board) return;
    sizes.set(board.uuid, sizeOf(board.rows));
    if (board.rows.ranks.length === 0) return;
    players.add(board.uuid, board.rows);
    await flight.start(() => objects.putBoard(version, board.uuid, board.rows));
  }

  for await (const chunk of text) for (const line of splitter.push(chunk)) await processLine(line);
  for (const line of splitter.end()) await processLine(line);
  const entries = sumOf(sizes);
  const playerShards = shardCount(entries);
  for (let shard = 0; shard < playerShards; shard += 1) {
    const rows = players.drainShard(shard, playerShards);
    if (rows !== null) await flight.start(() => objects.putPlayers(version, shard, rows));
  }
  await flight.finish();
  const metas = reader.metas();
  return { metas, staged: metas.map((meta) => stagedBoard(meta, sizes)), entries, playerShards, report: reader.report() };
}

function sizeOf({ ranks, names, scores }: Rows): BoardSize {
  const [name] = names;
  return { entries: ranks.length, leaderName: name === undefined ? null : [...name].join(''), leaderScore: scores[0] ?? null };
}

function stagedBoard({ uuid, contestType }: BoardMeta, sizes: ReadonlyMap<number, BoardSize>): StagedBoard {
  return { uuid, contestType, ...(sizes.get(uuid) ?? { entries: 0, leaderName: null, leaderScore: null }) };
}

function sumOf(sizes: ReadonlyMap<number, BoardSize>): number {
  let sum = 0;
  for (const { entries } of sizes.values()) sum += entries;
  return sum;
}
