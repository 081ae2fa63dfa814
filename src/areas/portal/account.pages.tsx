import type { FC } from 'hono/jsx';
import { MAX_EMAIL_LENGTH } from '../../platform/kit/values/mail-address.domain.ts';
import { CodeField, Dialog, Field, Form, Loading, Secret } from './layout/forms.page.tsx';
import type { PageContent } from './layout/layout.page.tsx';

const MAX_PASSWORD_LENGTH = 256;

const YourPassword: FC<{ id: string }> = ({ id }) => (
  <Field
    id={id}
    name="password"
    label="Your password"
    type="password"
    required
    maxlength={MAX_PASSWORD_LENGTH}
    autocomplete="current-password"
  />
);

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
      <YourPassword id="email_password" />
      <CodeField id="email_code" />
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
      <CodeField id="password_code" />
    </Form>
  </section>
);

const secondFactor = (
  <section class="card" aria-labelledby="factor-title">
    <h2 id="factor-title">Second factor</h2>
    <p>A code of an authenticator app, in addition to the password, at sign-in and for sensitive changes. API tokens work without it.</p>
    <dl id="factor" class="facts" />
    <div class="actions">
      <button type="button" id="factor-set-up" data-opens="set-up-dialog" hidden>
        Set up
      </button>
      <button type="button" id="factor-codes" data-opens="codes-dialog" hidden>
        Replace the recovery codes
      </button>
      <button type="button" id="factor-disable" class="danger" data-opens="disable-dialog" hidden>
        Remove
      </button>
    </div>
  </section>
);

const SecondFactorDialogs: FC = () => (
  <>
    <Dialog id="set-up-dialog" title="Set up a second factor">
      <Form id="set-up-form" sends="POST /auth/second-factor/set-up" submit="Continue">
        <YourPassword id="set_up_password" />
      </Form>
      <div id="set-up-secret" hidden>
        <p>Scan the code with an authenticator app, or type in the secret. Then enter the code that the app shows.</p>
        <p id="set-up-qr" class="qr" />
        <Secret id="set-up-text" />
        <Form id="enable-form" sends="POST /auth/second-factor/enable" submit="Enable">
          <Field
            id="enable_code"
            name="code"
            label="Code"
            required
            maxlength={40}
            autocomplete="one-time-code"
            hint="Ends all other sessions."
          />
        </Form>
      </div>
    </Dialog>
    <Dialog id="codes-dialog" title="Replace the recovery codes">
      <p>You get ten new codes. The old ones no longer work.</p>
      <Form id="codes-form" sends="POST /auth/second-factor/recovery-codes" submit="Replace">
        <YourPassword id="codes_password" />
        <CodeField id="codes_code" />
      </Form>
    </Dialog>
    <Dialog id="disable-dialog" title="Remove the second factor">
      <p>Sign-ins and changes will no longer require a code.</p>
      <Form id="disable-form" sends="POST /auth/second-factor/disable" submit="Remove" danger>
        <YourPassword id="disable_password" />
        <CodeField id="disable_code" />
      </Form>
    </Dialog>
    <Dialog id="recovery-dialog" title="Copy the recovery codes now">
      <p>Each code works once, when you do not have your device. They are shown only now. Keep them apart from your password.</p>
      <Secret id="recovery-codes" isPrimary />
      <div class="actions">
        <button type="button" data-close>
          I have copied them
        </button>
      </div>
    </Dialog>
  </>
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

export function accountPage(): PageContent {
  const main = (
    <>
      <h1>Account</h1>
      <div class="cards">
        {profile}
        {email}
        {password}
        {secondFactor}
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
          <Field
            id="delete_password"
            name="password"
            label="Password"
            type="password"
            required
            maxlength={256}
            autocomplete="current-password"
          />
          <CodeField id="delete_code" />
        </Form>
      </Dialog>
      <SecondFactorDialogs />
    </>
  );
  return { title: 'Account', path: '/portal/account', script: 'account.js', main };
}

export function sessionsPage(): PageContent {
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
