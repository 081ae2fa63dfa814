import { DISPOSABLE_DOMAINS } from './disposable-domains.data.ts';

/** An address as it is stored and compared. */
export function normalizeEmail(text: string): string {
  return text.trim().toLowerCase();
}

/** Whether the domain of a normalised address, or one above it, gives out throw-away addresses. */
export function isDisposable(email: string): boolean {
  const labels = email.slice(email.lastIndexOf('@') + 1).split('.');
  return labels.some((_, index) => DISPOSABLE_DOMAINS.has(labels.slice(index).join('.')));
}
