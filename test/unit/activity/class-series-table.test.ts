import { describe, expect, it } from 'vitest';
import { classSeriesTable } from '../../../src/areas/activity/class-activity.routes.ts';
import { linesOf } from '../../../src/platform/http/tables/table-reply.ts';

describe('classSeriesTable', () => {
  it('returns one row per class and bucket, with null for missing values', () => {
    const body = {
      buckets: [100, 200],
      classes: [
        { class_index: 0, name: 'Knight', icon: null, values: [4.5, null], values_clean: [1, 2] },
        { class_index: 1, name: 'Gunslinger', icon: null, values: [7, 8], values_clean: [null, null] },
      ],
    };
    expect([...linesOf(JSON.stringify(body), classSeriesTable, 'csv')].join('')).toBe(
      [
        't,class_index,name,icon,active,active_clean',
        '100,0,Knight,,4.5,1',
        '200,0,Knight,,,2',
        '100,1,Gunslinger,,7,',
        '200,1,Gunslinger,,8,',
        '',
      ].join('\r\n'),
    );
  });
});
