import { isObject } from '../../platform/kit/values/json-values.ts';

/** A candidate token reported by the partner. */
export interface Finding {
  token: string;
  /** Type of secret in the terms of the partner; null: not reported. */
  type: string | null;
  /** Location of the finding; null: not reported. */
  url: string | null;
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Parses the findings of a report in its order. Entries without a token are ignored. */
export function parseFindings(report: readonly unknown[]): Finding[] {
  return report.flatMap((entry) => {
    const { token, type, url } = isObject(entry) ? entry : {};
    return typeof token === 'string' && token !== '' ? [{ token, type: textOrNull(type), url: textOrNull(url) }] : [];
  });
}
