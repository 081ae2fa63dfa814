/** The running service and a token for it. */
declare const process: { env: Record<string, string | undefined>; stdout: { write(text: string): void } };

export const BASE_URL = process.env.BASE_URL ?? '';
export const AUTHORIZATION = { Authorization: `Bearer ${process.env.TOKEN}` };

/** A character whose coefficient is 1290. */
export const CHARACTER = { physical_damage: 10, magic_damage: 860, critical_damage: 50 };
export const COEFFICIENT = 1290;

/** Fails unless the three responses match those of the service. */
export function finish(now: number | undefined, parts: readonly string[], coefficient: number | undefined): void {
  if (typeof now !== 'number' || now < 1_700_000_000) throw new Error(`unexpected time: ${now}`);
  if (parts.join() !== 'server-time,corruxion') throw new Error(`unexpected parts: ${parts}`);
  if (coefficient !== COEFFICIENT) throw new Error(`unexpected coefficient: ${coefficient}`);
  process.stdout.write('3 requests\n');
}
