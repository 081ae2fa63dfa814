import { costsOf, METERS, PRICES, totalOf, type Usage } from '../../src/areas/admin/bill/prices.data.ts';
import { MONTH, simulateTokens, type TokenFlow, type Traffic, usageOfMonth } from './model.ts';
import { AGED, AGES, COLUMNS, LARGE, NO_TRAFFIC } from './traffic.data.ts';

export interface Bill {
  name: string;
  target: number;
  traffic: Traffic;
  flow: TokenFlow;
  usage: Usage;
  costs: Usage;
  total: number;
  /** Usage of the last month of each age. */
  aged: readonly Usage[];
}

/** Flow of the tokens of each column, by its name. */
export type Flows = Readonly<Record<string, TokenFlow>>;

const trafficOf = ({ traffic }: (typeof COLUMNS)[number]): Traffic => ({ ...NO_TRAFFIC, ...traffic });

/** Simulates the tokens of every column. */
export async function simulateFlows(): Promise<Flows> {
  const flows: Record<string, TokenFlow> = {};
  // One after the other: each simulation replaces the clock.
  for (const column of COLUMNS) flows[column.name] = await simulateTokens(trafficOf(column));
  return flows;
}

/** The bill of every column from the flows of its tokens. */
export function billsOf(flows: Flows): Bill[] {
  return COLUMNS.map((column) => {
    const { name, target, content } = column;
    const flow = flows[name];
    if (!flow) throw new Error(`no flow of tokens for the column "${name}"`);
    const traffic = trafficOf(column);
    const usage = usageOfMonth(traffic, flow, content, 1);
    const aged = AGES.map((month) => usageOfMonth(traffic, flow, content, month));
    return { name, target, traffic, flow, usage, costs: costsOf(usage), total: totalOf(usage), aged };
  });
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

const dollars = (value: number) => `$${number(value, value < 1000 ? 2 : 0)}`;

/** A table in Markdown. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** The bill of the first month of each column. */
export function billTable(bills: readonly Bill[]): string {
  const cell = (amount: number, cost: number) => (cost < 0.005 ? short(amount) : `${short(amount)}: ${dollars(cost)}`);
  return table(
    ['', 'Included', ...bills.map(({ name }) => name)],
    [
      ...METERS.map((meter) => [
        meter,
        short(PRICES[meter].included),
        ...bills.map(({ usage, costs }) => cell(usage[meter], costs[meter])),
      ]),
      ['Total, plan of $5 included', '', ...bills.map(({ total }) => `**${dollars(total)}**`)],
      ['Target', '', ...bills.map(({ target }) => `$${number(target)}`)],
    ],
  );
}

/** The bill of the last month of each age. */
export function ageTable(bills: readonly Bill[]): string {
  const rows = bills
    .filter(({ name }) => AGED.includes(name))
    .flatMap(({ name, aged }) =>
      aged.map((usage, index) => [
        name,
        String(AGES[index]),
        ...(['D1 rows written', 'D1 rows read', 'D1 GB stored', 'object GB stored', 'R2 GB stored'] as const).map((meter) =>
          short(usage[meter]),
        ),
        dollars(totalOf(usage)),
      ]),
    );
  return table(['', 'Month', 'D1 rows written', 'D1 rows read', 'D1 GB', 'object GB', 'R2 GB', 'Bill'], rows);
}

/** Numbers of streams whose month is computed, beside 100 requests a second. */
export const STREAMS = [1000, 10_000, 50_000];

/** The cost of streams that are open all month. */
export function streamTable(bills: readonly Bill[]): string {
  const base = bills.find(({ name }) => name === '100 requests/s');
  if (!base) throw new Error('no column to add streams to');
  const usageOf = (streams: number) => usageOfMonth({ ...base.traffic, streams }, base.flow, LARGE, 1);
  const without = usageOf(0);
  const meters = ['object requests', 'object GB-s', 'object rows written', 'Worker requests'] as const;
  const rows = STREAMS.map((streams) => {
    const usage = usageOf(streams);
    return [
      number(streams),
      String(Math.ceil(streams / 1000)),
      ...meters.map((meter) => short(usage[meter] - without[meter])),
      dollars(totalOf(usage) - totalOf(without)),
    ];
  });
  return table(['Streams', 'Shards', ...meters, 'Added to the bill'], rows);
}

/** Amounts of a second of all tokens. */
export function secondTable(bills: readonly Bill[]): string {
  const row = (name: string, of: (flow: TokenFlow) => number) => [name, ...bills.map(({ flow }) => number(of(flow), 2))];
  const perRequest = ({ usage, traffic: { requestsPerSecond } }: Bill) =>
    requestsPerSecond === 0 ? '' : number(usage['object requests'] / (requestsPerSecond * MONTH), 2);
  return table(
    ['', ...bills.map(({ name }) => name)],
    [
      row('D1 rows written', ({ d1Rows }) => d1Rows),
      row('D1 look-ups', ({ lookups }) => lookups),
      row('Usage deliveries of their own', ({ deliveries }) => deliveries),
      row('Object rows written', ({ objectRows }) => objectRows),
      row('D1 day rows after 400 days, millions', ({ dayRows }) => dayRows / 1e6),
      ['Object requests for each request', ...bills.map(perRequest)],
    ],
  );
}
