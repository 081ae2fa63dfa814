import type { HealthRequest, HealthResponse, HealthRow } from '../../../../src/areas/gems/builds/builds-health.domain.ts';
import { viewStarChart } from '../../../../src/areas/gems/builds/star-chart.domain.ts';
import { classByName } from '../../../../src/game/classes.domain.ts';
import { roundTo } from '../../../../src/platform/kit/values/numbers.ts';

/** Number of gems with each line, of three Empowered and of six Lesser gems. */
const EMPOWERED = multisets(3).map(countsOf);
const LESSER = multisets(6).map(countsOf);

/** Reference implementation of the health optimizer: nine gems, each with one of three lines, as multisets in order. */
export function naiveHealth(request: HealthRequest): HealthResponse {
  const stats = classByName(request.character ?? 'Bard')?.stats ?? [];
  const sheet = (name: string) => stats.find((stat) => stat.name === name)?.value ?? 0;
  const { stats: chart } = viewStarChart(request.star_chart);
  const places = request.high_precision ? 8 : 2;

  let CH = sheet('Critical Hit') + 18.8;
  if (request.weapon_ch) CH += 7;
  if (request.ring_ch) CH += 6.1;
  CH += chart['Critical Hit']?.flat ?? 0;
  const MH = sheet('Maximum Health') + 126400 + (chart['Maximum Health']?.flat ?? 0);
  let MP = sheet('Maximum Health %') + 547;
  if (request.hat_health) MP += 312;
  if (request.face_health) MP += 312;
  MP += chart['Maximum Health']?.pct ?? 0;

  const rows: HealthRow[] = [];
  for (const [a, b, c] of EMPOWERED) {
    for (const [d, e, f] of LESSER) {
      const criticalHit = CH + a * (25.25 * 1.1) + d * (24 * 1.1);
      const health = MH + b * (61950 * 1.1) + e * (56700 * 1.1);
      const percent = MP + c * (619.5 * 1.1) + f * (567 * 1.1);
      if (criticalHit < 100 - 1e-9) continue;
      rows.push({
        rank: 0,
        layout: `${a}/${b}/${c} ${d}/${e}/${f}`,
        empowered: { critical_hit: a, maximum_health: b, maximum_health_per: c },
        lesser: { critical_hit: d, maximum_health: e, maximum_health_per: f },
        critical_hit: roundTo(criticalHit, places),
        maximum_health: roundTo(health, places),
        maximum_health_per: roundTo(percent, places),
        health: roundTo(health * (1 + percent / 100), places),
      });
    }
  }
  rows.sort((left, right) => right.health - left.health || left.critical_hit - right.critical_hit);
  rows.forEach((row, index) => {
    row.rank = index + 1;
  });
  const base = { critical_hit: roundTo(CH, places), maximum_health: roundTo(MH, places), maximum_health_per: roundTo(MP, places) };
  return { base, results: rows, count: rows.length };
}

/** Sorted line indexes of a number of gems: 000, 001, 002, 011, ... */
function multisets(gems: number): number[][] {
  if (gems === 0) return [[]];
  return multisets(gems - 1)
    .flatMap((lines) => [0, 1, 2].map((line) => [...lines, line]))
    .filter((lines) => lines.every((line, index) => index === 0 || line >= (lines[index - 1] ?? 0)));
}

function countsOf(lines: number[]): [number, number, number] {
  const count = (line: number) => lines.filter((entry) => entry === line).length;
  return [count(0), count(1), count(2)];
}
