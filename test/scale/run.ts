import { runMain, UserError } from '../../scripts/lib/main.ts';
import { MONTH, simulateTokens, type TokenFlow, type Traffic, usageOfMonth } from './model.ts';
import { costsOf, METERS, PRICES, totalOf, type Usage } from './prices.data.ts';
import { COLUMNS, NO_TRAFFIC } from './traffic.data.ts';

interface Column {
  name: string;
  target: number;
  traffic: Traffic;
}

const number = (value: number, digits = 0) =>
  value.toLocaleString('en-US', { maximumFractionDigits: digits, minimumFractionDigits: digits });

/** A count with at most three significant digits: `25.9 billion`. */
function short(value: number): string {
  for (const [unit, name] of [
    [1e9, ' billion'],
    [1e6, ' million'],
  ] as const) {
    if (value >= unit) return `${Number((value / unit).toPrecision(3))}${name}`;
  }
  return value >= 100 ? number(value) : String(Number(value.toPrecision(2)));
}

/** `npm run bench -- scale`: the bill of a month for each column, as the tables of docs/operations/scale.md. Fails above a target. */
await runMain(async () => {
  const bills: (Column & { flow: TokenFlow; usage: Usage; costs: Usage; total: number })[] = [];
  // One after the other: each simulation replaces the clock.
  for (const column of COLUMNS) {
    const traffic = { ...NO_TRAFFIC, ...column.traffic };
    const flow = await simulateTokens(traffic);
    const usage = usageOfMonth(traffic, flow);
    bills.push({ ...column, traffic, flow, usage, costs: costsOf(usage), total: totalOf(usage) });
  }
  const row = (cells: readonly string[]) => console.log(`| ${cells.join(' | ')} |`);

  console.log(`Simulated requests: ${number(bills.reduce((sum, { flow }) => sum + flow.simulatedRequests, 0))}\n`);
  row(['', 'Included', ...bills.map(({ name }) => name)]);
  row(Array.from({ length: bills.length + 2 }, () => '---'));
  for (const meter of METERS) {
    const cells = bills.map(({ usage, costs }) => `${short(usage[meter])}: $${number(costs[meter], costs[meter] < 100 ? 2 : 0)}`);
    row([meter, short(PRICES[meter].included), ...cells]);
  }
  row(['Total, plan of $5 included', '', ...bills.map(({ total }) => `**$${number(total, total < 1000 ? 2 : 0)}**`)]);
  row(['Target', '', ...bills.map(({ target }) => `$${number(target, 0)}`)]);

  console.log('\nA second of all tokens');
  row(['', ...bills.map(({ name }) => name)]);
  row(Array.from({ length: bills.length + 1 }, () => '---'));
  const second = (name: string, of: (flow: TokenFlow) => number) => row([name, ...bills.map(({ flow }) => number(of(flow), 2))]);
  second('D1 rows written', ({ d1Rows }) => d1Rows);
  second('D1 look-ups', ({ lookups }) => lookups);
  second('Usage deliveries of their own', ({ deliveries }) => deliveries);
  second('Object rows written', ({ objectRows }) => objectRows);
  second('D1 day rows after 400 days, millions', ({ dayRows }) => dayRows / 1e6);
  row(['Object requests for each request', ...bills.map(({ usage, traffic }) => perRequest(usage['object requests'], traffic))]);

  const missed = bills.filter(({ target, total }) => total > target);
  if (missed.length > 0) throw new UserError(`above the target: ${missed.map(({ name }) => name).join(', ')}`);
});

function perRequest(amount: number, { requestsPerSecond }: Traffic): string {
  return requestsPerSecond === 0 ? '' : number(amount / (requestsPerSecond * MONTH), 2);
}
