import type { PageContent } from './layout.page.tsx';

/** Shown in place of a page for signed-in accounts. Its script renews the session and reloads, or opens the sign-in page. */
export function renewalPage(): Omit<PageContent, 'viewer'> {
  const main = (
    <div class="narrow">
      <h1>Sign in</h1>
      <p>This page is for signed-in accounts. An account is free.</p>
      <p class="links">
        <a class="button primary" href="/portal/login">
          Sign in
        </a>
        <a class="button" href="/portal/signup">
          Create an account
        </a>
      </p>
    </div>
  );
  return { title: 'Sign in', script: 'renewal.js', worksWithoutScript: true, main };
}
