import type { z } from '@hono/zod-openapi';
import type { FC } from 'hono/jsx';
import {
  type ChargeRule,
  ingestRateLimit,
  type RateLimitRule,
  requiresCredential,
  STANDARD_GROUP,
  waysOfPrograms,
} from '../../platform/access/policy/policy.ts';
import { rateLimitsFrom } from '../../platform/access/policy/rate-limits.ts';
import type { ScopeRegistry } from '../../platform/access/policy/scopes.ts';
import type { Ports } from '../../platform/area/area.ts';
import type { EventRegistry, EventSchemas } from '../../platform/events/event-declaration.ts';
import { registryCommands } from '../../platform/http/pages/client-packages.ts';
import { DataTable } from '../../platform/http/pages/parts.tsx';
import type { Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { ERROR_CATALOGUE, ERROR_CODES, type ErrorCode } from '../../platform/kit/errors/api-error.ts';
import { errorComponent } from '../../platform/openapi/components.ts';
import { slugOf } from '../../platform/openapi/tag-document.ts';
import type { Settings } from '../../platform/settings/settings.data.ts';
import type { ServiceEnv } from '../../platform/settings/variables.data.ts';
import { GENERATED_MARK, type GeneratedPart, REFRESH_VARIABLES } from './generated.data.ts';
import { Anchor, Code, Prose } from './prose.page.tsx';

/** Declarations that the generated parts use. */
export interface Declarations {
  baseUrl: string;
  settings: Settings;
  /** Endpoints shown in the documentation. */
  endpoints: readonly Endpoint[];
  scopes: ScopeRegistry;
  events: EventRegistry;
  eventSchemas: EventSchemas;
  /** Tools for assistants. */
  tools: Awaited<ReturnType<Ports['listTools']>>;
  env: Pick<ServiceEnv, (typeof REFRESH_VARIABLES)[number][1]>;
}

/** Inserts the generated parts into a rendered guide. */
export function withGeneratedParts(html: string, declarations: Declarations): string {
  return html.replaceAll(GENERATED_MARK, (_mark, name: GeneratedPart) => {
    const Part = PARTS[name];
    return String(<Part {...declarations} />);
  });
}

const ErrorCodes: FC<Declarations> = ({ baseUrl }) => (
  <>
    {ERROR_CODES.map((code) => (
      <ErrorSection code={code} baseUrl={baseUrl} />
    ))}
  </>
);

/** Guides that explain a code in full. */
const MORE_ON: Partial<Record<ErrorCode, { path: string; text: string }>> = {
  rate_limited: { path: '/docs/rate-limits#why-429-and-what-to-do', text: 'Why 429, and the requests that were refused' },
  insufficient_scope: { path: '/docs/authentication#scopes', text: 'Scopes' },
};

const ErrorSection: FC<{ code: ErrorCode; baseUrl: string }> = ({ code, baseUrl }) => {
  const { status, summary, guide } = ERROR_CATALOGUE[code];
  const more = MORE_ON[code];
  const { example } = errorComponent([code], { baseUrl }).content['application/json'];
  return (
    <section class="error-code">
      <h3 id={code}>
        <code>{code}</code> <span class="type">{status}</span>
        <Anchor id={code} />
      </h3>
      <p>{summary}</p>
      <p>
        <Prose text={guide} />
        {more && ' '}
        {more && <a href={more.path}>{more.text}</a>}
      </p>
      <details>
        <summary>
          Example of <code>{code}</code>
        </summary>
        <Code text={JSON.stringify(example, null, 2)} />
      </details>
    </section>
  );
};

interface LimitRow {
  who: string;
  limit: number;
  windowSeconds: number;
  endpoints: Endpoint[];
}

const RateLimits: FC<Declarations> = ({ settings, endpoints }) => (
  <DataTable
    label="Rate limits"
    head={['Limit', 'Requests', 'Window', 'Endpoints']}
    rows={limitRows(settings, endpoints).map(({ who, limit, windowSeconds, endpoints: counted }) => [
      who,
      String(limit),
      `${windowSeconds} s`,
      <CountedEndpoints endpoints={counted} />,
    ])}
  />
);

/** Longer lists show tags instead of endpoints. */
const NAMED_ENDPOINTS = 3;

const CountedEndpoints: FC<{ endpoints: readonly Endpoint[] }> = ({ endpoints }) => {
  const links =
    endpoints.length <= NAMED_ENDPOINTS
      ? endpoints.map(({ spec }) => ({ href: `/docs/reference/${slugOf(spec.tag)}#${spec.operationId}`, text: spec.summary }))
      : [...new Set(endpoints.map(({ spec }) => spec.tag))].map((tag) => ({ href: `/docs/reference/${slugOf(tag)}`, text: tag }));
  return (
    <>
      {links.map(({ href, text }, index) => (
        <>
          {index > 0 ? ', ' : ''}
          <a href={href}>{text}</a>
        </>
      ))}
    </>
  );
};

/** Who is counted, in words. A group has other words for addresses. */
const COUNTED: Readonly<Record<ChargeRule['of'], string>> = {
  address: 'Of one address',
  token: 'With a token',
  account: 'Of one account',
  'project key': 'With a project key',
  all: 'Of all clients',
};

/** Every rate limit of programs at the documented endpoints, with its endpoints. */
function limitRows(settings: Settings, endpoints: readonly Endpoint[]): LimitRow[] {
  const rateLimits = rateLimitsFrom(settings, 1);
  const rows = new Map<string, LimitRow>();
  const add = (who: string, { limit, windowSeconds }: { limit: number; windowSeconds: number }, endpoint: Endpoint) => {
    const row = rows.get(who) ?? { who, limit, windowSeconds, endpoints: [] };
    if (!row.endpoints.includes(endpoint)) row.endpoints.push(endpoint);
    rows.set(who, row);
  };
  const named = (text: string, { name }: Pick<RateLimitRule, 'name'>) => `${text} (${name})`;
  const shared = rateLimits.token(STANDARD_GROUP).counter;
  const addCharge = (charge: ChargeRule, endpoint: Endpoint, suffix = '') => {
    if ('rule' in charge) {
      const who = charge.rule === ingestRateLimit ? 'Accepted inserts of one endpoint' : named(COUNTED[charge.of], charge.rule);
      if (charge.shown !== 'never') add(who, rateLimits.of(charge.rule), endpoint);
      return;
    }
    const { of, group } = charge;
    const who = of === 'address' ? 'Without a token' : COUNTED[of];
    // Groups without a multiplier share the standard rate limit.
    const isStandard = rateLimits.token(group).counter === shared;
    add(isStandard ? who : named(who + suffix, group), rateLimits[of === 'address' ? 'anonymous' : 'token'](group).rateLimit, endpoint);
  };
  for (const endpoint of endpoints) {
    const ways = waysOfPrograms(endpoint.spec.access).filter(({ isOpen }) => isOpen?.({ settings, authorization: null }) ?? true);
    for (const charge of ways.flatMap(({ charges }): readonly ChargeRule[] => charges)) addCharge(charge, endpoint);
    for (const { later } of ways) if (later) addCharge(later, endpoint, ', responses that must be computed');
  }
  return [...rows.values()];
}

const Scopes: FC<Declarations> = ({ scopes }) => (
  <DataTable
    label="Scopes"
    head={['Scope', 'Allows']}
    rows={scopes.names.map((name) => [<code>{name}</code>, scopes.descriptionOf(name)])}
  />
);

const EventTypes: FC<Declarations> = ({ events, eventSchemas, settings, endpoints }) => {
  const shown = events.all.filter(({ feature }) => feature === undefined || settings[feature]);
  return (
    <DataTable
      label="Event types"
      head={['Type', 'Body of data']}
      rows={shown.map(({ type }) => [
        <code>{type}</code>,
        <EventBody
          schema={eventSchemas[type]}
          endpoint={endpoints.find(({ spec }) => 'schema' in spec.ok && spec.ok.schema === eventSchemas[type])}
        />,
      ])}
    />
  );
};

const EventBody: FC<{ schema: z.ZodType | undefined; endpoint: Endpoint | undefined }> = ({ schema, endpoint }) =>
  endpoint ? (
    <a href={`/docs/reference/${slugOf(endpoint.spec.tag)}#${endpoint.spec.operationId}`}>{endpoint.spec.summary}</a>
  ) : (
    (schema?.description ?? 'See the reference of the stream.')
  );

const CacheTimes: FC<Declarations> = ({ env }) => (
  <DataTable
    label="How often data is read"
    head={['Data', 'Read every']}
    rows={REFRESH_VARIABLES.map(([title, variable]) => [title, `${env[variable]} s`])}
  />
);

const Tools: FC<Declarations> = ({ tools, endpoints }) => (
  <DataTable
    label="Tools"
    head={['Tool', 'Description', 'Scopes of the token', 'Endpoints']}
    rows={tools.map(({ name, description, endpoints: called }) => [
      <code>{name}</code>,
      description,
      scopesOf(called, endpoints),
      called.map((endpoint, index) => (
        <>
          {index === 0 ? null : ', '}
          <code>{endpoint}</code>
        </>
      )),
    ])}
  />
);

/** Scopes that the endpoints require of a token; "none" if all are public. */
function scopesOf(called: readonly string[], endpoints: readonly Endpoint[]): string {
  const scopes = endpoints.flatMap(({ spec: { method, path, access } }) =>
    'scope' in access && requiresCredential(access) && called.includes(`${method.toUpperCase()} ${path}`) ? [access.scope] : [],
  );
  return [...new Set(scopes)].join(', ') || 'none';
}

/** Nothing unless the registries have the libraries. */
const RegistryInstall: FC<Declarations> = ({ settings }) => {
  const commands = registryCommands(settings);
  return commands === null ? null : (
    <>
      <p>The registries have both libraries too:</p>
      <Code text={`${commands.typescript}\n${commands.python}`} caption="Shell" />
    </>
  );
};

const PARTS: Readonly<Record<GeneratedPart, FC<Declarations>>> = {
  'error-codes': ErrorCodes,
  'rate-limits': RateLimits,
  scopes: Scopes,
  'event-types': EventTypes,
  'cache-times': CacheTimes,
  tools: Tools,
  'registry-install': RegistryInstall,
};
