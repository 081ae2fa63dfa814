import { CASES, countDifferences } from './calc-cases.ts';

/** A Worker for `calc.ts` that runs rounds of a case, or compares results with the oracle. It cannot measure time itself. */
export default {
  async fetch(request: Request): Promise<Response> {
    const { searchParams } = new URL(request.url);
    const seed = searchParams.get('compare');
    const amount = Number(searchParams.get('amount'));
    if (seed !== null) return new Response(String(countDifferences(seed, amount)));
    const run = CASES[Number(searchParams.get('case'))]?.run;
    for (let round = 0; run && round < amount; round += 1) run();
    return new Response('done');
  },
};
