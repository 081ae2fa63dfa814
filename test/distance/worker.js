// Entry in front of the bundle: runs a request behind the simulated distance and responds with its hops. `withObjectExports`
// adds the exports of `objects`.
import * as service from './index.js';
import { createSimulator, hopsInSequence, hopsWithin, wrapObjects } from './simulator.js';

const simulator = createSimulator();
simulator.installClock();

// biome-ignore lint/correctness/noUnusedVariables: the added exports use it
const objects = wrapObjects(service, simulator);

export default {
  async fetch(request, env, ctx) {
    const command = request.headers.get('X-Distance');
    if (command === null) return service.default.fetch(request, simulator.wrap(env), ctx);
    const { isCold = false, advanceMs = 0, evictedGate } = JSON.parse(command);
    if (evictedGate)
      await env.TOKEN_GATES.getByName(evictedGate)
        .simulateEviction()
        .catch(() => {});
    if (isCold) globalThis.forgetService();
    simulator.advanceClock(advanceMs);
    const trip = await simulator.run(async () => {
      const response = await service.default.fetch(request, simulator.wrap(env), ctx);
      await response.arrayBuffer();
      return response.status;
    });
    const waited = hopsInSequence(trip);
    const sequence = waited.map((hop) => ({ ...hop, within: hopsWithin(hop, trip) }));
    const others = trip.hops.filter((hop) => !hop.fromObject && !waited.includes(hop));
    return Response.json({ status: trip.result, ms: trip.endedAt - trip.startedAt, sequence, others });
  },
};
