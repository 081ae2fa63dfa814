/** Sort fields of listings. */
export const SORT_FIELDS = ['last_seen', 'price_each', 'created_at', 'price', 'stack', 'name'] as const;
export type SortField = (typeof SORT_FIELDS)[number];

export interface ListingSort {
  field: SortField;
  descending: boolean;
}

export const DEFAULT_SORT: ListingSort = { field: 'last_seen', descending: true };

/** Parses `+field`, `-field` or `field`; a `+` in a URL arrives as a space. Any other value is the default. */
export function parseSort(text: string): ListingSort {
  const trimmed = text.trim();
  const sign = trimmed.startsWith('-') || trimmed.startsWith('+') ? trimmed[0] : '';
  const field = SORT_FIELDS.find((name) => name === trimmed.slice(sign?.length));
  return field === undefined ? DEFAULT_SORT : { field, descending: sign === '-' };
}
