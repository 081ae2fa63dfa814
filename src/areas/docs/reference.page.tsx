import type { FC } from 'hono/jsx';
import { Anchor, Code, Highlighted, Prose } from './prose.page.tsx';
import type { BodyView, CodeSample, FieldView, OperationView, ParameterView, TagView } from './reference.domain.ts';

/** Longer lists of enum values are collapsed. */
const VALUES_AT_ONCE = 8;

/** The reference of one tag: a list of its operations, then the details. */
export const TagPage: FC<{ tag: TagView; slug: string }> = ({ tag, slug }) => (
  <>
    <p class="lead">
      <Prose text={tag.description} />
    </p>
    <nav class="operations" aria-label="Operations">
      <ul>
        {tag.operations.map(({ id, method, path, summary, badge }) => (
          <li>
            <a href={`#${id}`}>{summary}</a>
            <span class="line">
              <MethodMark method={method} /> <code>{path}</code>
            </span>
            <BadgeMark badge={badge} />
          </li>
        ))}
      </ul>
    </nav>
    {tag.operations.map((operation) => (
      <Operation operation={operation} />
    ))}
    <p class="hint">
      Machine-readable: <a href={`/openapi/${slug}.json`}>OpenAPI document of this tag</a>.
    </p>
  </>
);

const MethodMark: FC<{ method: string }> = ({ method }) => <b class={`method ${method.toLowerCase()}`}>{method}</b>;

const BadgeMark: FC<{ badge: OperationView['badge'] }> = ({ badge }) => <span class={`badge ${badge}`}>{badge}</span>;

const Operation: FC<{ operation: OperationView }> = ({ operation }) => {
  const { id, method, path, summary, badge, isDeprecated, isRunnable } = operation;
  return (
    <section class="operation" aria-labelledby={id} data-method={isRunnable ? method : undefined} data-path={path} data-access={badge}>
      <h2 id={id}>
        {summary}
        <Anchor id={id} />
      </h2>
      <p class="line">
        <MethodMark method={method} /> <code>{path}</code> <BadgeMark badge={badge} />
        {isDeprecated ? <span class="badge deprecated">deprecated</span> : null}
      </p>
      <div class="columns">
        <Contract operation={operation} />
        <Examples operation={operation} />
      </div>
    </section>
  );
};

/** Parameters, bodies and errors of an operation. */
const Contract: FC<{ operation: OperationView }> = ({ operation }) => {
  const { paragraphs, parameters, summary, body, success, errors, badge } = operation;
  return (
    <div>
      {paragraphs.map((text) => (
        <p>
          <Prose text={text} />
        </p>
      ))}
      <Facts operation={operation} />
      {parameters.length > 0 ? <Parameters parameters={parameters} summary={summary} /> : null}
      {body ? <Body title="Request body" body={body} /> : null}
      <h3>Response{success.status === '' ? '' : ` ${success.status}`}</h3>
      {success.description === '' ? null : (
        <p>
          <Prose text={success.description} />
        </p>
      )}
      {success.bodies.map((one) => (
        <Response body={one} />
      ))}
      {success.headers.length > 0 ? (
        <p class="hint">
          Headers:{' '}
          {success.headers.map((name, index) => (
            <>
              {index > 0 ? ', ' : ''}
              <code>{name}</code>
            </>
          ))}
        </p>
      ) : null}
      {errors.length > 0 && badge !== 'webhook' ? <Errors errors={errors} summary={summary} /> : null}
    </div>
  );
};

/** The request in each language, and example bodies. */
const Examples: FC<{ operation: OperationView }> = ({ operation: { id, samples, body, success } }) => (
  <div class="samples">
    <Samples samples={samples} id={id} />
    {body?.example ? (
      <Code text={body.example} caption="Request body" class="request-example" language={languageOf(body.contentType)} />
    ) : null}
    {success.bodies.map(({ example, isShortened, contentType }) =>
      example ? (
        <Code
          text={example}
          caption={`Response ${success.status} · ${contentType}${isShortened ? ' · shortened' : ''}`}
          language={languageOf(contentType)}
        />
      ) : null,
    )}
  </div>
);

/** JSON is highlighted; other bodies are shown as they are. */
const languageOf = (contentType: string) => (/^application\/(?:json|.*\+json)$/.test(contentType) ? 'json' : undefined);

const LANGUAGES: Readonly<Record<CodeSample['language'], string>> = { bash: 'curl', js: 'JavaScript', python: 'Python' };

/** The request in each language. The markup of the tabs is that of the guides. */
const Samples: FC<{ samples: readonly CodeSample[]; id: string }> = ({ samples, id }) => {
  const [curl] = samples;
  if (curl === undefined) return null;
  if (samples.length === 1) return <Code text={curl.text} caption="Request" class="request" language={curl.language} />;
  return (
    <div class="sample tabs">
      <div class="tab-bar" role="radiogroup" aria-label="Language">
        {samples.map(({ language }) => (
          <>
            <input type="radio" name={`code-${id}`} id={`${id}-${language}`} value={language} checked={language === curl.language} />
            <label for={`${id}-${language}`}>{LANGUAGES[language]}</label>
          </>
        ))}
      </div>
      {samples.map(({ language, text }) => (
        <div class={language === curl.language ? 'code request' : 'code'} data-language={language}>
          <pre tabindex={0}>
            <Highlighted text={text} language={language} />
          </pre>
        </div>
      ))}
    </div>
  );
};

const Facts: FC<{ operation: OperationView }> = ({ operation: { access, scope, rateLimits } }) => (
  <dl class="facts">
    {access === '' ? null : (
      <div>
        <dt>Access</dt>
        <dd>
          <Prose text={access} />
        </dd>
      </div>
    )}
    {scope === null ? null : (
      <div>
        <dt>Scope</dt>
        <dd>
          <a href="/docs/authentication">
            <code>{scope}</code>
          </a>
        </dd>
      </div>
    )}
    {rateLimits.length === 0 ? null : (
      <div>
        <dt>
          <a href="/docs/rate-limits">Rate limit</a>
        </dt>
        <dd>
          {rateLimits.map((text, index) => (
            <>
              {index > 0 ? <br /> : null}
              {text}
            </>
          ))}
        </dd>
      </div>
    )}
  </dl>
);

const Parameters: FC<{ parameters: readonly ParameterView[]; summary: string }> = ({ parameters, summary }) => (
  <>
    <h3>Parameters</h3>
    <section class="scroll" tabindex={0} aria-label={`Parameters: ${summary}`}>
      <table>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Description</th>
          </tr>
        </thead>
        <tbody>
          {parameters.map((parameter) => (
            <tr
              class="parameter"
              data-name={parameter.name}
              data-in={parameter.in}
              data-type={parameter.type}
              data-required={parameter.isRequired ? 'true' : undefined}
              data-sampled={parameter.isSampled ? 'true' : undefined}
              data-example={parameter.example}
              data-values={parameter.values.length > 0 ? parameter.values.join('\n') : undefined}
            >
              <th scope="row">
                <code>{parameter.name}</code>
                <span class="where">
                  {parameter.type}, {parameter.in}
                  {parameter.isRequired ? <b>, required</b> : null}
                </span>
              </th>
              <td>
                <Prose text={parameter.description} />
                <Limits limits={parameter.limits} />
                <Values values={parameter.values} />
                {parameter.example === '' ? null : (
                  <span class="hint">
                    {' '}
                    Example: <code>{parameter.example}</code>
                  </span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  </>
);

const Body: FC<{ title: string; body: BodyView }> = ({ title, body }) => (
  <>
    <h3>{title}</h3>
    <p data-body={body.contentType} class="body-type">
      <code>{body.contentType}</code>: {body.type}
      {body.isRequired ? ', required' : ''}. <Prose text={body.description} />
    </p>
    <Fields fields={body.fields} />
  </>
);

const Response: FC<{ body: BodyView }> = ({ body }) => (
  <>
    <p class="body-type">
      <code>{body.contentType}</code>: {body.type}. <Prose text={body.description} />
    </p>
    {body.fields.length === 0 ? null : (
      <details class="fields-of">
        <summary>Response fields</summary>
        <Fields fields={body.fields} />
      </details>
    )}
  </>
);

const Fields: FC<{ fields: readonly FieldView[] }> = ({ fields }) =>
  fields.length === 0 ? null : (
    <ul class="fields">
      {fields.map((field) => (
        <li>
          <p class="field-name">
            <code>{field.name}</code> <span class="type">{field.type}</span>
            {field.isRequired ? null : <span class="where">optional</span>}
            {field.isDeprecated ? <span class="badge deprecated">deprecated</span> : null}
          </p>
          <p>
            <Prose text={field.description} />
            <Limits limits={field.limits} />
            <Values values={field.values} />
            {field.omission === null ? null : <span class="hint"> ({field.omission})</span>}
          </p>
          {field.children.length === 0 ? null : (
            <details>
              <summary>
                {field.children.length} {field.children.length === 1 ? 'field' : 'fields'} of <code>{field.name}</code>
              </summary>
              <Fields fields={field.children} />
            </details>
          )}
        </li>
      ))}
    </ul>
  );

const Limits: FC<{ limits: readonly string[] }> = ({ limits }) =>
  limits.length === 0 ? null : <span class="hint"> ({limits.join('; ')})</span>;

const Values: FC<{ values: readonly string[] }> = ({ values }) => {
  if (values.length === 0) return null;
  const list = values.map((value, index) => (
    <>
      {index > 0 ? ' ' : ''}
      <code>{value}</code>
    </>
  ));
  if (values.length <= VALUES_AT_ONCE) return <span class="values">One of: {list}</span>;
  return (
    <details class="values">
      <summary>{values.length} allowed values</summary>
      {list}
    </details>
  );
};

const Errors: FC<{ errors: OperationView['errors']; summary: string }> = ({ errors, summary }) => (
  <details>
    <summary>Errors: {[...new Set(errors.map(({ status }) => status))].join(', ')}</summary>
    <section class="scroll" tabindex={0} aria-label={`Errors: ${summary}`}>
      <table>
        <thead>
          <tr>
            <th scope="col">Status</th>
            <th scope="col">Code</th>
            <th scope="col">When</th>
          </tr>
        </thead>
        <tbody>
          {errors.map(({ status, code, description }) => (
            <tr>
              <th scope="row">{status}</th>
              <td>
                <a href={`/docs/errors#${code}`}>
                  <code>{code}</code>
                </a>
              </td>
              <td>
                <Prose text={description} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  </details>
);
