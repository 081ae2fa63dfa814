import type { FC } from 'hono/jsx';

/** A link to the complete form of a public page, which needs an account. */
export const FullPageLink: FC<{ path: string; label: string }> = ({ path, label }) => (
  <p class="card full-link">
    <a href={path}>{label}</a>: for signed-in accounts. An account is free.
  </p>
);
