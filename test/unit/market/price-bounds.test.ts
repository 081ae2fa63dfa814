import { describe, expect, it } from 'vitest';
import { ListingsQuery } from '../../../src/areas/market/listings.routes.ts';

const boundOf = (text: string) => ListingsQuery.parse({ price_max: text }).price_max;

describe('price_min and price_max', () => {
  it('are exact in thousandths', () => {
    for (let milli = 0; milli < 20_000; milli += 1) {
      const text = `${Math.floor(milli / 1000)}.${String(milli % 1000).padStart(3, '0')}`;
      const bound = boundOf(text);
      if (bound?.milliFloor !== milli || bound.milliCeil !== milli)
        expect(bound, text).toMatchObject({ milliFloor: milli, milliCeil: milli });
    }
    expect(boundOf('1.005')).toMatchObject({ milliFloor: 1005, milliCeil: 1005 });
    expect(boundOf('1000000000')).toMatchObject({ milliFloor: 1e12, milliCeil: 1e12 });
  });

  it('are rounded inwards when they have more decimals', () => {
    expect(boundOf('1.0051')).toMatchObject({ milliFloor: 1005, milliCeil: 1006 });
    expect(boundOf('1.005000000')).toMatchObject({ milliFloor: 1005, milliCeil: 1005 });
    expect(boundOf('0.000000001')).toMatchObject({ milliFloor: 0, milliCeil: 1 });
  });

  it.each(['1000000000.1', '1000000001', '9999999999', '-1', '1e3', '1.', '.5', ''])('reject %j', (text) => {
    expect(ListingsQuery.safeParse({ price_max: text }).success).toBe(false);
  });
});
