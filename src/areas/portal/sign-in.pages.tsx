import type { FC } from 'hono/jsx';
import { Field, Form } from './fields.tsx';
import type { PageContent } from './page.tsx';

const MIN_PASSWORD = 8;
const MAX_PASSWORD = 256;
const MAX_EMAIL = 254;
const MAX_NAME = 80;

type SignInPage = Omit<PageContent, 'viewer'>;

/** Where the captcha is shown; `action` says to its provider what for. */
const Captcha: FC<{ siteKey: string | null; action: string }> = ({ siteKey, action }) =>
  siteKey === null ? null : <div class="captcha" data-sitekey={siteKey} data-action={action} />;

const Email: FC = () => <Field id="email" label="E-mail address" type="email" required maxlength={MAX_EMAIL} autocomplete="username" />;

const NewPassword: FC<{ id: string }> = ({ id }) => (
  <Field
    id={id}
    label="Password"
    type="password"
    hint="At least 8 characters; a few plain words are good."
    required
    minlength={MIN_PASSWORD}
    maxlength={MAX_PASSWORD}
    autocomplete="new-password"
  />
);

const CurrentPassword: FC = () => (
  <Field id="password" label="Password" type="password" required maxlength={MAX_PASSWORD} autocomplete="current-password" />
);

const script = 'sign-in.js';

export function loginPage(siteKey: string | null): SignInPage {
  const main = (
    <section class="narrow">
      <h1>Sign in</h1>
      <Form id="login" sends="POST /auth/login" next="/portal/tokens" submit="Sign in">
        <Email />
        <CurrentPassword />
        <Captcha siteKey={siteKey} action="login" />
      </Form>
      <p class="links">
        <a href="/portal/signup">Create an account</a> <a href="/portal/forgot-password">Forgot the password?</a>{' '}
        <a href="/portal/verify-email">Mail the verification again</a>
      </p>
    </section>
  );
  return { title: 'Sign in', script, captchaSiteKey: siteKey, main };
}

export function signUpPage(siteKey: string | null): SignInPage {
  const main = (
    <section class="narrow">
      <h1>Create an account</h1>
      <p>An account makes API tokens. The address has to be verified before the first one.</p>
      <Form id="signup" sends="POST /auth/signup" next="/portal/check-mail" submit="Create the account">
        <Email />
        <Field id="display_name" label="Name to show (optional)" maxlength={MAX_NAME} autocomplete="nickname" sendAs="optional" />
        <NewPassword id="password" />
        <Captcha siteKey={siteKey} action="signup" />
        <p class="hint">
          With an account you agree to the <a href="/docs/terms">terms of use</a>. What is stored about you is listed under{' '}
          <a href="/docs/privacy">privacy</a>.
        </p>
      </Form>
      <p class="links">
        <a href="/portal/login">I have an account</a>
      </p>
    </section>
  );
  return { title: 'Create an account', script, captchaSiteKey: siteKey, main };
}

export function checkMailPage(): SignInPage {
  const main = (
    <section class="narrow">
      <h1>Open the link in the mail</h1>
      <p>We have sent a link to your address. Open it within 48 hours and enter your password to verify the address.</p>
      <p class="links">
        <a href="/portal/login">Sign in</a> <a href="/portal/verify-email">Mail it again</a>
      </p>
    </section>
  );
  return { title: 'Check your mail', main };
}

export function resendPage(siteKey: string | null): SignInPage {
  const main = (
    <section class="narrow">
      <h1>Mail the verification again</h1>
      <Form id="resend" sends="POST /auth/resend-verification" submit="Send the link">
        <Email />
        <Captcha siteKey={siteKey} action="resend-verification" />
      </Form>
      <p class="links">
        <a href="/portal/login">Sign in</a>
      </p>
    </section>
  );
  return { title: 'Verify your address', script, captchaSiteKey: siteKey, main };
}

export function forgotPage(siteKey: string | null): SignInPage {
  const main = (
    <section class="narrow">
      <h1>Forgot the password</h1>
      <p>We mail a link to set a new one. It is good for an hour.</p>
      <Form id="forgot" sends="POST /auth/forgot-password" submit="Send the link">
        <Email />
        <Captcha siteKey={siteKey} action="forgot-password" />
      </Form>
      <p class="links">
        <a href="/portal/login">Sign in</a>
      </p>
    </section>
  );
  return { title: 'Forgot the password', script, captchaSiteKey: siteKey, main };
}

/** Target of the link in a verification mail. Opening it changes nothing: the form does, with the password of the account. */
export function verifyPage(): SignInPage {
  const main = (
    <section class="narrow">
      <h1>Verify your e-mail address</h1>
      <p>Enter the password of the account to verify its address. If you did not create an account, close this page.</p>
      <Form id="verify" sends="POST /auth/verify-email" submit="Verify">
        <CurrentPassword />
      </Form>
      <p class="links">
        <a href="/portal/verify-email">Mail another link</a> <a href="/portal/forgot-password">Forgot the password?</a>{' '}
        <a href="/portal/login">Sign in</a>
      </p>
    </section>
  );
  return { title: 'Verify your e-mail address', script, main };
}

/** Target of the link in the mail to a new address, like that of a verification mail. */
export function confirmChangePage(): SignInPage {
  const main = (
    <section class="narrow">
      <h1>Confirm your new e-mail address</h1>
      <p>Enter the password of the account to give it this address. Every session ends. If you did not ask for this, close this page.</p>
      <Form id="confirm-change" sends="POST /auth/verify-email-change" submit="Confirm">
        <CurrentPassword />
      </Form>
      <p class="links">
        <a href="/portal/login">Sign in</a>
      </p>
    </section>
  );
  return { title: 'Confirm your new e-mail address', script, main };
}

/** The script takes the token of the link from the address: no server and no page ever holds it. */
export function resetPage(): SignInPage {
  const main = (
    <section class="narrow">
      <h1>Set a new password</h1>
      <Form id="reset" sends="POST /auth/reset-password" submit="Set the password">
        <NewPassword id="new_password" />
      </Form>
      <p class="links">
        <a href="/portal/login">Sign in</a>
      </p>
    </section>
  );
  return { title: 'Set a new password', script, main };
}
