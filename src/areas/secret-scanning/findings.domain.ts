import { isObject } from '../../platform/values/json-values.ts';

/** A candidate token reported by the partner. */
export interface Finding {
  token: string;
  /** The partner's name of the kind of secret; null when it is not said. */
  type: string | null;
  /** Where it was found; null when it is not said. */
  url: string | null;
}

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** The findings of a report, in its order; what names no token is left out. */
export function findingsIn(report: readonly unknown[]): Finding[] {
  return report.flatMap((entry) => {
    const { token, type, url } = isObject(entry) ? entry : {};
    return typeof token === 'string' && token !== '' ? [{ token, type: text(type), url: text(url) }] : [];
  });
}
