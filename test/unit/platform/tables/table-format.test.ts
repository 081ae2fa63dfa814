import { describe, expect, it } from 'vitest';
import { acceptedFormat, formatOf } from '../../../../src/platform/http/tables/table-reply.ts';

describe('acceptedFormat', () => {
  it.each<[string | null, string]>([
    [null, 'json'],
    ['', 'json'],
    ['*/*', 'json'],
    ['application/*', 'json'],
    ['text/*', 'json'],
    ['text/html', 'json'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'json'],
    ['application/json', 'json'],
    ['text/csv', 'csv'],
    ['TEXT/CSV ; header=present', 'csv'],
    ['application/x-ndjson', 'jsonl'],
    ['application/jsonl', 'jsonl'],
    ['text/csv, */*', 'csv'],
    ['*/*, text/csv', 'csv'],
    ['text/csv;q=0.5, */*', 'json'],
    ['text/csv;q=0.5, */*;q=0.1', 'csv'],
    ['text/csv, application/json', 'csv'],
    ['application/json, text/csv', 'json'],
    ['application/json;q=0.9, text/csv', 'csv'],
    ['text/csv;q=0.2, application/x-ndjson;q=0.3', 'jsonl'],
    ['text/csv;q=0', 'json'],
    ['text/csv;q=high', 'json'],
    ['text/csv;q=2', 'json'],
    ['__proto__, constructor', 'json'],
    [', ;, ;q=1', 'json'],
    [`${'a/b,'.repeat(40)}text/csv`, 'json'],
  ])('picks from %j: %s', (accept, format) => {
    expect(acceptedFormat(accept)).toBe(format);
  });
});

describe('formatOf', () => {
  it('prefers the parameter to Accept, and Accept to the default', () => {
    expect(formatOf('json', 'text/csv')).toBe('json');
    expect(formatOf('csv', 'application/json')).toBe('csv');
    expect(formatOf('jsonl', 'text/csv')).toBe('jsonl');
    expect(formatOf('', 'text/csv')).toBe('csv');
    expect(formatOf(null, null)).toBe('json');
  });
});
