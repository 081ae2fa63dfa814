import { Swarm } from './events-clients.ts';
import { PRIMED_BY } from './events-measure.ts';
import { startOurs } from './events-targets.ts';
const t = await startOurs();
try {
  const s = new Swarm(t.stream, PRIMED_BY);
  for (const n of [200, 1200, 4000, 4900]) { const b = s.size; const at = performance.now(); await s.grow(n); console.log(n, ((n - b) / (performance.now() - at) * 1000).toFixed(0), 'opened/s'); }
} finally { await t.dispose(); process.exit(); }
