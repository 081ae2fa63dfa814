import type { Child, FC } from 'hono/jsx';

interface FieldProps {
  id: string;
  label: string;
  hint?: string;
  type?: 'text' | 'email' | 'password' | 'number' | 'search' | 'datetime-local';
  name?: string;
  value?: string;
  required?: boolean;
  minlength?: number;
  maxlength?: number;
  min?: number;
  max?: number;
  autocomplete?: string;
  /** Conversion of the value in the request. */
  sendAs?: 'number' | 'optional' | 'time' | 'json';
}

/** A labelled input. `aria-describedby` refers to its hint and error. */
export const Field: FC<FieldProps> = ({ id, label, hint, sendAs, name = id, type = 'text', ...rest }) => (
  <div class="field">
    <label for={id}>{label}</label>
    <input id={id} name={name} type={type} data-send={sendAs} aria-describedby={`${id}-hint ${id}-error`} {...rest} />
    <p class="hint" id={`${id}-hint`}>
      {hint ?? ''}
    </p>
    <p class="error" id={`${id}-error`} hidden />
  </div>
);

/** Code of the second factor. The script shows it when the service asks for a code. */
export const CodeField: FC<{ id?: string }> = ({ id = 'code' }) => (
  <div data-role="code" hidden>
    <Field
      id={id}
      name="code"
      label="Code"
      maxlength={40}
      autocomplete="one-time-code"
      sendAs="optional"
      hint="Code of your authenticator app, or a recovery code."
    />
  </div>
);

interface TextAreaProps {
  id: string;
  label: string;
  hint?: string;
  name?: string;
  rows?: number;
  maxlength?: number;
  required?: boolean;
  sendAs?: 'lines' | 'optional' | 'json';
}

export const TextArea: FC<TextAreaProps> = ({ id, label, hint, sendAs, name = id, rows = 4, ...rest }) => (
  <div class="field">
    <label for={id}>{label}</label>
    <textarea id={id} name={name} rows={rows} data-send={sendAs} spellcheck={false} aria-describedby={`${id}-hint ${id}-error`} {...rest} />
    <p class="hint" id={`${id}-hint`}>
      {hint ?? ''}
    </p>
    <p class="error" id={`${id}-error`} hidden />
  </div>
);

interface SelectProps {
  id: string;
  label: string;
  hint?: Child;
  /** Absent for a select that no form sends. */
  name?: string;
  /** Value and title of each option. */
  options: readonly (readonly [value: string, title: string])[];
  /** Value that is selected at first. Default: the first. */
  preset?: string;
  /** Conversion of the value in the request. */
  sendAs?: 'number';
}

export const Select: FC<SelectProps> = ({ id, label, hint, name, options, preset, sendAs }) => (
  <div class="field">
    <label for={id}>{label}</label>
    <select id={id} name={name} data-send={sendAs} aria-describedby={hint && `${id}-hint`}>
      {options.map(([value, title]) => (
        <option value={value} selected={value === preset}>
          {title}
        </option>
      ))}
    </select>
    {hint && (
      <p class="hint" id={`${id}-hint`}>
        {hint}
      </p>
    )}
  </div>
);

interface FormProps {
  id: string;
  /** Method and path of the request. */
  sends: string;
  submit: string;
  /** Page that opens after success. */
  next?: string;
  danger?: boolean;
  children?: Child;
}

/** A form that the script sends as JSON. Screen readers announce its errors. */
export const Form: FC<FormProps> = ({ id, sends, submit, next, danger = false, children }) => (
  <form id={id} method="post" data-sends={sends} data-next={next}>
    {children}
    <p class="error" role="alert" data-role="error" />
    <div class="actions">
      <button type="submit" class={danger ? 'danger' : 'primary'}>
        {submit}
      </button>
    </div>
  </form>
);

/** A modal dialog. Escape and buttons with `data-close` close it. */
export const Dialog: FC<{ id: string; title: string; wide?: boolean; children?: Child }> = ({ id, title, wide = false, children }) => (
  <dialog id={id} aria-labelledby={`${id}-title`} class={wide ? 'wide' : undefined}>
    <div class="dialog-head">
      <h2 id={`${id}-title`}>{title}</h2>
      <button type="button" class="quiet" data-close aria-label="Close">
        ✕
      </button>
    </div>
    {children}
  </dialog>
);

/** A text that the script fills in, with a button that copies it. */
export const Secret: FC<{ id: string; isPrimary?: boolean }> = ({ id, isPrimary = false }) => (
  <div class="secret">
    <code id={id} />
    <button type="button" class={isPrimary ? 'primary' : undefined} data-copy={id}>
      Copy
    </button>
  </div>
);

/** Placeholder for content that the script loads. */
export const Loading: FC<{ id: string; label: string }> = ({ id, label }) => (
  <div id={id} class="results" aria-busy="true">
    <p class="hint">{label}</p>
  </div>
);

/** Editor of allowed addresses. `prefix`: prefix of the ids, which must be unique on the page. */
export const AllowlistEditor: FC<{ prefix: string; note: string }> = ({ prefix, note }) => (
  <fieldset class="field allowlist" data-allowlist={prefix}>
    <legend>Allowed addresses</legend>
    <p class="hint" id={`${prefix}-address-hint`}>
      {note} Single addresses or networks: <code>198.51.100.7</code>, <code>198.51.100.0/24</code>, <code>2001:db8::/48</code>.
    </p>
    <ul class="chips" data-role="entries" aria-label="Allowed addresses" />
    <div class="row">
      <label class="hidden-label" for={`${prefix}-address`}>
        Address or network to add
      </label>
      <input
        id={`${prefix}-address`}
        data-role="address"
        maxlength={64}
        autocomplete="off"
        spellcheck={false}
        aria-describedby={`${prefix}-address-hint ${prefix}-address-error`}
      />
      <button type="button" data-role="add">
        Add
      </button>
      <button type="button" data-role="add-mine">
        Add my address
      </button>
    </div>
    <p class="error" id={`${prefix}-address-error`} data-role="address-error" role="alert" />
  </fieldset>
);
