import { expect, inject } from 'vitest';
import { type Search, searchWorst } from './request-cost.ts';

const MAX_WORK_MS = 1000;
const MIB = 1024 * 1024;
/** Maximum memory of a request without a reservation: a body of 256 KiB, and a response of 8 MiB. */
const MAX_UNRESERVED_BYTES = 8.25 * MIB;

interface Row {
  'worst input': string;
  'work ms': number;
  'storage ms': number;
  status: number;
  'request bytes': number;
  'worst response bytes': number;
  'worst unreserved memory': number;
  candidates: number;
}

/** The table of the most expensive requests that seeded searches find. Sizes are bytes. */
export function createCostTable(seed: string) {
  const table: Record<string, Row> = {};
  return {
    /** Searches the most expensive request, adds it to the table and checks the limits. */
    async checkWorst<Plan>(name: string, search: Search<Plan>, limit = MAX_WORK_MS): Promise<void> {
      const worst = await searchWorst(`${seed} ${name}`, search);
      table[name] = {
        'worst input': JSON.stringify(worst.plan).slice(0, 150),
        'work ms': Math.round(worst.workMs),
        'storage ms': Math.round(worst.storageMs),
        status: worst.status,
        'request bytes': worst.requestBytes,
        'worst response bytes': worst.maxResponseBytes,
        'worst unreserved memory': worst.maxUnreservedBytes,
        candidates: worst.tried,
      };
      expect(worst.workMs, `${name}: ${JSON.stringify(worst.plan)}`).toBeLessThan(limit);
      expect(worst.maxUnreservedBytes, `${name}: unreserved memory`).toBeLessThan(MAX_UNRESERVED_BYTES);
    },

    async print(): Promise<void> {
      const lines = [
        `seed ${seed}; lowest of three repeats of the worst candidate`,
        `COST route | ${Object.keys(Object.values(table)[0] ?? {}).join(' | ')}`,
        ...Object.entries(table).map(([name, row]) => `COST ${name} | ${Object.values(row).join(' | ')}`),
      ];
      await fetch(inject('processorTime'), { method: 'POST', body: `${lines.join('\n')}\n` });
    },
  };
}
