import type { FC } from 'hono/jsx';
import { Instant } from '../../platform/http/pages/parts.tsx';
import { MAX_EMAIL_LENGTH } from '../../platform/kit/values/mail-address.domain.ts';
import { CodeField, Field, Form } from './layout/forms.page.tsx';
import type { PageContent } from './layout/layout.page.tsx';

const MIN_PASSWORD_LENGTH = 8;
const MAX_PASSWORD_LENGTH = 256;
const MAX_NAME_LENGTH = 80;

/** The captcha of a form. `action`: name of the form for the captcha provider. */
export const Captcha: FC<{ siteKey: string | null; action: string }> = ({ siteKey, action }) =>
  siteKey === null ? null : <div class="captcha" data-sitekey={siteKey} data-action={action} />;

const Email: FC = () => (
  <Field id="email" label="Email address" type="email" required maxlength={MAX_EMAIL_LENGTH} autocomplete="username" />
);

const NewPassword: FC<{ id: string }> = ({ id }) => (
  <Field
    id={id}
    label="Password"
    type="password"
    hint="At least 8 characters, for example several unrelated words."
    required
    minlength={MIN_PASSWORD_LENGTH}
    maxlength={MAX_PASSWORD_LENGTH}
    autocomplete="new-password"
  />
);

const CurrentPassword: FC = () => (
  <Field id="password" label="Password" type="password" required maxlength={MAX_PASSWORD_LENGTH} autocomplete="current-password" />
);

const script = 'sign-in.js';

const signInLink = (
  <p class="links">
    <a href="/portal/login">Sign in</a>
  </p>
);

export function loginPage(siteKey: string | null): PageContent {
  const main = (
    <section class="narrow">
      <h1>Sign in</h1>
      <Form id="login" sends="POST /auth/login" next="/portal" submit="Sign in">
        <Email />
        <CurrentPassword />
        <CodeField />
        <Captcha siteKey={siteKey} action="login" />
      </Form>
      <p class="links">
        <a href="/portal/signup">Create an account</a> <a href="/portal/forgot-password">Forgot your password?</a>{' '}
        <a href="/portal/verify-email">Resend the verification email</a>
      </p>
    </section>
  );
  return { title: 'Sign in', script, captchaSiteKey: siteKey, main };
}

export function signUpPage(siteKey: string | null): PageContent {
  const main = (
    <section class="narrow">
      <h1>Create an account</h1>
      <p>Verify your email address to create API tokens.</p>
      <Form id="signup" sends="POST /auth/signup" next="/portal/check-mail" submit="Create the account">
        <Email />
        <Field id="display_name" label="Display name (optional)" maxlength={MAX_NAME_LENGTH} autocomplete="nickname" sendAs="optional" />
        <NewPassword id="password" />
        <Captcha siteKey={siteKey} action="signup" />
        <p class="hint">
          By creating an account you agree to the <a href="/docs/terms">terms of use</a>. See <a href="/docs/privacy">privacy</a> for the
          data that is stored.
        </p>
      </Form>
      <p class="links">
        <a href="/portal/login">I have an account</a>
      </p>
    </section>
  );
  return { title: 'Create an account', script, captchaSiteKey: siteKey, main };
}

export function checkMailPage(): PageContent {
  const main = (
    <section class="narrow">
      <h1>Check your email</h1>
      <p>We sent you an email. Open its link within 48 hours and enter your password to verify your address.</p>
      <p class="links">
        <a href="/portal/login">Sign in</a> <a href="/portal/verify-email">Resend the email</a>
      </p>
    </section>
  );
  return { title: 'Check your email', main };
}

export function resendPage(siteKey: string | null): PageContent {
  const main = (
    <section class="narrow">
      <h1>Resend the verification email</h1>
      <Form id="resend" sends="POST /auth/resend-verification" submit="Send the link">
        <Email />
        <Captcha siteKey={siteKey} action="resend-verification" />
      </Form>
      {signInLink}
    </section>
  );
  return { title: 'Verify your address', script, captchaSiteKey: siteKey, main };
}

export function forgotPage(siteKey: string | null): PageContent {
  const main = (
    <section class="narrow">
      <h1>Request a password reset</h1>
      <p>We send you an email with a link to set a new password. The link is valid for one hour.</p>
      <Form id="forgot" sends="POST /auth/forgot-password" submit="Send the link">
        <Email />
        <Captcha siteKey={siteKey} action="forgot-password" />
      </Form>
      {signInLink}
    </section>
  );
  return { title: 'Request a password reset', script, captchaSiteKey: siteKey, main };
}

/** Target of the link in a verification email. Opening the page changes nothing; the form verifies the address with the password. */
export function verifyPage(): PageContent {
  const main = (
    <section class="narrow">
      <h1>Verify your email address</h1>
      <p>Enter the password of the account to verify its address. If you did not create an account, close this page.</p>
      <Form id="verify" sends="POST /auth/verify-email" submit="Verify">
        <CurrentPassword />
      </Form>
      <p class="links">
        <a href="/portal/verify-email">Send another link</a> <a href="/portal/forgot-password">Forgot your password?</a>{' '}
        <a href="/portal/login">Sign in</a>
      </p>
    </section>
  );
  return { title: 'Verify your email address', script, main };
}

/** Target of the link in the email to a new address. Opening the page changes nothing. */
export function confirmChangePage(): PageContent {
  const main = (
    <section class="narrow">
      <h1>Confirm your new email address</h1>
      <p>
        Enter the password of the account to confirm the new address. This ends every session. If you did not request this, close this page.
      </p>
      <Form id="confirm-change" sends="POST /auth/verify-email-change" submit="Confirm">
        <CurrentPassword />
      </Form>
      {signInLink}
    </section>
  );
  return { title: 'Confirm your new email address', script, main };
}

/** Target of the link that confirms a device after many failed sign-ins. Opening the page changes nothing. */
export function confirmDevicePage(): PageContent {
  const main = (
    <section class="narrow">
      <h1>Confirm this device</h1>
      <p>Confirm only if you have just signed in yourself. If not, close this page and change your password.</p>
      <Form id="confirm-device" sends="POST /auth/confirm-device" submit="Confirm this device" />
      {signInLink}
    </section>
  );
  return { title: 'Confirm this device', script, main };
}

/** The script reads the token from the URL fragment, which is never sent to a server. */
export function resetPage(): PageContent {
  const main = (
    <section class="narrow">
      <h1>Set a new password</h1>
      <Form id="reset" sends="POST /auth/reset-password" submit="Set the password">
        <NewPassword id="new_password" />
      </Form>
      {signInLink}
    </section>
  );
  return { title: 'Set a new password', script, main };
}

export interface MailboxMessage {
  recipient: string;
  subject: string;
  text: string | null;
  createdAt: number;
}

const LINK = /(https?:\/\/\S+)/;

/** Text in which URLs are links. */
const TextWithLinks: FC<{ text: string }> = ({ text }) => (
  <pre tabindex={0}>{text.split(LINK).map((part, index) => (index % 2 === 1 ? <a href={part}>{part}</a> : part))}</pre>
);

/** `/portal/dev/mailbox`: emails that a development server stores instead of sending. */
export function mailboxPage(mails: readonly MailboxMessage[]): PageContent {
  const main = (
    <>
      <h1>Mailbox of this development server</h1>
      {mails.length === 0 ? (
        <p>
          No emails yet. <a href="/portal/signup">Create an account</a> to receive one.
        </p>
      ) : null}
      {mails.map((mail) => (
        <article class="card">
          <h2>{mail.subject}</h2>
          <p class="hint">
            to {mail.recipient}, <Instant at={mail.createdAt} />
          </p>
          <TextWithLinks text={mail.text ?? ''} />
        </article>
      ))}
    </>
  );
  return { title: 'Mailbox', script: 'times.js', worksWithoutScript: true, main };
}
