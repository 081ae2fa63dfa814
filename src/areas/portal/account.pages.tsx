import { Dialog, Field, Form, Loading } from './fields.tsx';
import type { PageContent } from './page.tsx';

type AccountPage = Omit<PageContent, 'viewer'>;

const MAX_PASSWORD_LENGTH = 256;
const MAX_EMAIL_LENGTH = 254;

const profile = (
  <section class="card" aria-labelledby="profile-title">
    <h2 id="profile-title">Profile</h2>
    <dl id="profile" class="facts" />
    <Form id="profile-form" sends="PATCH /auth/me" submit="Save">
      <Field id="display_name" label="Display name" maxlength={80} autocomplete="nickname" hint="Leave empty to remove it." />
    </Form>
  </section>
);

const email = (
  <section class="card" aria-labelledby="email-title">
    <h2 id="email-title">Email address</h2>
    <Form id="email-form" sends="POST /auth/change-email" submit="Change the address">
      <Field
        id="new_email"
        label="New address"
        type="email"
        required
        maxlength={MAX_EMAIL_LENGTH}
        autocomplete="email"
        hint="Takes effect when you open the link in the confirmation email and enter your password. Ends all sessions."
      />
      <Field
        id="email_password"
        name="password"
        label="Your password"
        type="password"
        required
        maxlength={MAX_PASSWORD_LENGTH}
        autocomplete="current-password"
      />
    </Form>
  </section>
);

const password = (
  <section class="card" aria-labelledby="password-title">
    <h2 id="password-title">Password</h2>
    <Form id="password-form" sends="POST /auth/change-password" submit="Change the password">
      <Field
        id="current_password"
        label="Current password"
        type="password"
        required
        maxlength={MAX_PASSWORD_LENGTH}
        autocomplete="current-password"
      />
      <Field
        id="new_password"
        label="New password"
        type="password"
        required
        minlength={8}
        maxlength={MAX_PASSWORD_LENGTH}
        autocomplete="new-password"
        hint="At least 8 characters. Ends all other sessions."
      />
    </Form>
  </section>
);

const data = (
  <section class="card" aria-labelledby="data-title">
    <h2 id="data-title">Your data</h2>
    <p>All data stored about you as one JSON file: account, tokens without secrets, sessions and requests.</p>
    <div class="actions">
      <button type="button" id="export">
        Download
      </button>
      <button type="button" class="danger" data-opens="delete-dialog">
        Delete the account
      </button>
    </div>
  </section>
);

export function accountPage(): AccountPage {
  const main = (
    <>
      <h1>Account</h1>
      <div class="cards">
        {profile}
        {email}
        {password}
        {data}
      </div>
      <Dialog id="delete-dialog" title="Delete the account">
        <p>Deletes the account with its tokens, sessions, usage and webhooks. Tokens stop working immediately. This cannot be undone.</p>
        <Form id="delete-form" sends="POST /auth/delete-account" next="/" submit="Delete permanently" danger>
          <Field
            id="confirm_email"
            label="Type your email address to confirm"
            type="email"
            required
            maxlength={MAX_EMAIL_LENGTH}
            autocomplete="off"
          />
        </Form>
      </Dialog>
    </>
  );
  return { title: 'Account', path: '/portal/account', script: 'account.js', main };
}

export function sessionsPage(): AccountPage {
  const main = (
    <>
      <div class="page-head">
        <h1>Sessions</h1>
        <button type="button" class="danger" id="end-all">
          Sign out everywhere
        </button>
      </div>
      <p class="hint">Devices that are signed in to your account. A session that you end is rejected with its next request.</p>
      <Loading id="sessions" label="Loading the sessions…" />
    </>
  );
  return { title: 'Sessions', path: '/portal/sessions', script: 'sessions.js', main };
}
