import type { Child, FC } from 'hono/jsx';
import type { ConditionDeclaration, EventRegistry, EventType } from '../../../platform/events/event-declaration.ts';
import { Choices } from '../../../platform/http/pages/parts.tsx';
import { Dialog, Field, Form } from '../layout/forms.page.tsx';

const MAX_LABEL_LENGTH = 80;

/** The two kinds of webhooks. */
export const WebhookTabs: FC<{ current: 'chat' | 'signed' }> = ({ current }) => (
  <Choices
    label="Kind of webhook"
    choices={[
      { href: '/portal/webhooks', title: 'Chat channel', isCurrent: current === 'chat' },
      { href: '/portal/webhooks/signed', title: 'Your server (signed)', isCurrent: current === 'signed' },
    ]}
  />
);

interface WebhookDialogProps {
  title: string;
  /** Path of the webhooks of this kind. */
  path: string;
  maxUrlLength: number;
  events: EventRegistry;
  /** The choice of the events. */
  children?: Child;
}

export const CreateDialog: FC<WebhookDialogProps & { urlHint: string; labelHint?: string }> = ({
  title,
  path,
  maxUrlLength,
  urlHint,
  labelHint,
  events,
  children,
}) => (
  <Dialog id="create-dialog" title={title} wide>
    <Form id="create-form" sends={`POST ${path}`} submit="Create webhook">
      <Field id="create-url" name="url" label="URL" required maxlength={maxUrlLength} autocomplete="off" hint={urlHint} />
      <Field id="create-label" name="label" label="Name (optional)" maxlength={MAX_LABEL_LENGTH} autocomplete="off" hint={labelHint} />
      {children}
      <ConditionEditor prefix="create" events={events} />
    </Form>
  </Dialog>
);

export const EditDialog: FC<WebhookDialogProps> = ({ title, path, maxUrlLength, events, children }) => (
  <Dialog id="edit-dialog" title={title} wide>
    <Form id="edit-form" sends={`PATCH ${path}/{id}`} submit="Save">
      <Field id="edit-label" name="label" label="Name" maxlength={MAX_LABEL_LENGTH} autocomplete="off" />
      {children}
      <ConditionEditor prefix="edit" events={events} />
      <Field
        id="edit-url"
        name="url"
        label="New URL (optional)"
        maxlength={maxUrlLength}
        autocomplete="off"
        sendAs="optional"
        hint="Leave empty to keep the current URL."
      />
    </Form>
  </Dialog>
);

interface ConditionEditorProps {
  /** Prefix of the ids: a page has one editor per dialog. */
  prefix: string;
  events: EventRegistry;
}

/** All conditions with the event that they belong to. */
const declaredIn = ({ types, triggers, of }: EventRegistry) =>
  [...types, ...triggers].flatMap((event) => (of(event).conditions ?? []).map((condition) => ({ event, condition })));

const Values: FC<{ id: string; condition: ConditionDeclaration }> = ({ id, condition: { valueLabel, choices, suggestions } }) =>
  choices ? (
    <fieldset class="field">
      <legend>{valueLabel}</legend>
      <div class="choices">
        {choices.map(([value, label]) => (
          <label class="choice">
            <input type="checkbox" data-role="value" value={value} checked={choices.length === 1} />
            <span>{label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  ) : (
    <div class="field">
      <label for={id}>{valueLabel}</label>
      <input id={id} data-role="text" autocomplete="off" list={suggestions && `${id}-list`} />
      {suggestions && <datalist id={`${id}-list`} data-source={suggestions} />}
    </div>
  );

const Part: FC<{ prefix: string; event: EventType; condition: ConditionDeclaration }> = ({ prefix, event, condition }) => {
  const { name, limit } = condition;
  const id = `${prefix}-${event}-${name}`;
  return (
    <div class="row" data-kind={`${event} ${name}`} hidden>
      <Values id={id} condition={condition} />
      {limit && (
        <div class="field">
          <label for={`${id}-limit`}>{limit.label}</label>
          <input
            id={`${id}-limit`}
            data-role="limit"
            type="number"
            min={limit.min}
            max={limit.max}
            step={limit.decimals === 0 ? '1' : 'any'}
            autocomplete="off"
          />
        </div>
      )}
    </div>
  );
};

/** Conditions of a webhook: a list of sentences, and a form that adds one. The script reads its fields; they have no names. */
const ConditionEditor: FC<ConditionEditorProps> = ({ prefix, events }) => {
  const declared = declaredIn(events);
  return (
    <fieldset class="field conditions" data-conditions={prefix}>
      <legend>Conditions (optional)</legend>
      <p class="hint">An event with conditions is posted only when one of them is met. Other events are always posted.</p>
      <ul data-role="list" aria-label="Conditions" />
      <div class="field">
        <label for={`${prefix}-kind`}>Post when…</label>
        <select id={`${prefix}-kind`} data-role="kind">
          <option value="">no further condition</option>
          {declared.map(({ event, condition: { name, label } }) => (
            <option
              value={`${event} ${name}`}
              data-event={event}
              data-label={events.of(event).label}
              data-trigger={events.triggers.includes(event) ? 'true' : undefined}
            >
              {label}
            </option>
          ))}
        </select>
      </div>
      {declared.map(({ event, condition }) => (
        <Part prefix={prefix} event={event} condition={condition} />
      ))}
      <p class="error" id={`${prefix}-conditions-error`} role="alert" />
      <div class="actions small">
        <button type="button" data-role="add" hidden>
          Add the condition
        </button>
        <button type="button" data-role="try" hidden>
          Try against the last event
        </button>
      </div>
    </fieldset>
  );
};
