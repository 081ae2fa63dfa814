import { DISPOSABLE_DOMAINS } from './disposable-domains.data.ts';

/** Normalizes an email address for storage and comparison. */
export function normalizeEmail(text: string): string {
  return text.trim().toLowerCase();
}

/** Whether the domain of a normalized address, or a parent domain, is disposable. */
export function isDisposable(email: string): boolean {
  const labels = email.slice(email.lastIndexOf('@') + 1).split('.');
  return labels.some((_, index) => DISPOSABLE_DOMAINS.has(labels.slice(index).join('.')));
}
