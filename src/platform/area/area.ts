import type { z } from '@hono/zod-openapi';
import type { RateLimiter } from '../access/limits/rate-limiter.ts';
import type { RateLimitGroup } from '../access/policy/policy.ts';
import type { Scope, ScopeDeclarations, ScopeRegistry } from '../access/policy/scopes.ts';
import type { ProjectKeys } from '../access/project-keys/project-keys.ts';
import type { ChangeJournal } from '../access/tokens/change-journal.ts';
import type { TokenFormat } from '../access/tokens/token-format.ts';
import type { TokenGate } from '../access/tokens/token-gate.ts';
import type { TokenRegistry } from '../access/tokens/token-registry.ts';
import type { Outbox } from '../durable/outbox.ts';
import type { Job } from '../durable/schedule/job.ts';
import type { Scheduler } from '../durable/schedule/scheduler.ts';
import type { AnyEventDeclaration, EventFacts, EventRegistry, EventSchemas } from '../events/event-declaration.ts';
import type { EventPublisher, EventSource } from '../events/event-source.ts';
import type { MemoryPool } from '../http/bodies/memory-pool.ts';
import type { BodySource, Endpoint } from '../http/pipeline/define-route.ts';
import type { IngestLog } from '../http/pipeline/receipt.ts';
import type { Routes } from '../http/pipeline/route-groups.ts';
import type { TableDeclarations } from '../kit/table-declaration.ts';
import type { OutgoingRequest } from '../openapi/outgoing.ts';
import type { Environment } from '../settings/environment.ts';
import type { SettingRegistry } from '../settings/setting-values.ts';
import type { FeatureName, SettingDeclarations } from '../settings/settings.data.ts';
import type { SettingsStore } from '../settings/settings.store.ts';
import type { SettingsSource } from '../settings/settings-cache.ts';
import type { ServiceEnv } from '../settings/variables.data.ts';
import type { Database, PublicReads, ReadFreshness } from '../storage/database.ts';
import type { Mailer } from '../upstream/mail/mailer.ts';
import type { UpstreamClient } from '../upstream/upstream-client.ts';
import type { SearchSource } from './search-source.ts';

export interface Platform {
  /** Bindings, secrets and variables, with the defaults of variables that the deployment does not set. */
  env: ServiceEnv;
  environment: Environment;
  /** The primary database: for all writes, and for reads that must be current. */
  db: Database;
  /** Reads from the nearest replica, for public data that may be some seconds old. */
  publicReads: PublicReads;
  freshness: ReadFreshness;
  /** The current settings, cached by the isolate. */
  settings: SettingsSource;
  /** The stored settings. */
  storedSettings: SettingsStore;
  /** The declared settings of all areas. */
  settingRegistry: SettingRegistry;
  upstream: UpstreamClient;
  limiter: RateLimiter;
  /** Memory of the isolate that large requests share. */
  memory: MemoryPool;
  /** The scopes of all areas. */
  scopes: ScopeRegistry;
  rateLimitGroups: readonly RateLimitGroup[];
  gate: TokenGate;
  tokens: TokenRegistry;
  /** Format and keys of API tokens. */
  tokenFormat: TokenFormat;
  /** Changed tokens and deleted accounts, outside the database. */
  changeJournal: ChangeJournal;
  /** Keys of mod projects. */
  projectKeys: ProjectKeys;
  /** Deliveries that survive a crash. */
  outbox: Outbox;
  mailer: Mailer;
  /** The log of inserts. Use it only in handlers and jobs. */
  ingestLog: IngestLog;
  events: EventPublisher;
  /** Creates a random id. */
  newId(): string;
}

/**
 * Interfaces between areas. An area declares its ports by declaration merging, beside the implementation. Composition names the one
 * provider of each.
 */
export interface Ports {
  /** The event stream. */
  events: EventPublisher;
}

/** One body of an area in `GET /v1/snapshot`. */
export interface SnapshotBody {
  source: BodySource;
  /** Imports the schema of the body. */
  schema(): Promise<z.ZodType>;
  feature?: FeatureName;
  /** The scope of the endpoint that returns the body. */
  scope: Scope;
  /** Included when the client names no parts. */
  isDefault: boolean;
}

/** Bodies of an area that share one scope. */
export function asSnapshotBodies(
  bodies: Readonly<Record<string, Pick<SnapshotBody, 'source' | 'schema' | 'feature'>>>,
  scope: Scope,
  isDefault: boolean,
): Record<string, SnapshotBody> {
  return Object.fromEntries(Object.entries(bodies).map(([name, body]) => [name, { ...body, scope, isDefault }]));
}

/** Export and deletion of the account data of an area. */
export interface AccountData {
  /** Fields of the account's export file. Never a secret. */
  export?(userId: string): Promise<Record<string, unknown>>;
  /** Deletes all data of the account, before the account itself is deleted. Idempotent. */
  delete?(userId: string): Promise<void>;
}

/** The parts of all areas. Complete after all areas are created: use it only in handlers and jobs. */
export interface Service {
  /** Loads the routes of all areas. */
  endpoints(): Promise<readonly Endpoint[]>;
  /** In the order of the stream. */
  eventSources(): readonly EventSource[];
  /** Imports the schemas of the bodies. */
  eventSchemas(): Promise<EventSchemas>;
  /** Facts that the bodies of events lack. */
  eventFacts(): EventFacts;
  snapshotBodies(): Readonly<Record<string, SnapshotBody>>;
  accountData(): readonly AccountData[];
  searchSources(): readonly SearchSource[];
  scheduler(): Scheduler;
  /** Tags of the OpenAPI document with their descriptions. */
  tags: Readonly<Record<string, string>>;
  /** The event types of all areas. */
  events: EventRegistry;
  /** Webhook requests, by name. Imports their schemas. */
  webhooks(): Promise<Readonly<Record<string, OutgoingRequest>>>;
  /** Stored personal data. */
  stored: readonly StoredKind[];
  /** The tables of the platform and of all areas. */
  tables: TableDeclarations;
}

export interface AreaContext extends Platform {
  /** Complete after all areas are created: use ports only in handlers and jobs. */
  ports: Ports;
  service: Service;
}

/** Parts that an area contributes to the running service. */
export interface AreaParts<Provided extends Partial<Ports> = Partial<Ports>> {
  /** A function if the declarations of the routes depend on another area. */
  endpoints: readonly Routes[] | (() => readonly Routes[]);
  jobs?: readonly Job[];
  eventSources?: readonly EventSource[];
  /** Imports the schemas of the bodies of its events. */
  eventSchemas?(): Promise<EventSchemas>;
  /** Facts that the bodies of its events lack. */
  eventFacts?: EventFacts;
  snapshotBodies?: Readonly<Record<string, SnapshotBody>>;
  accountData?: AccountData;
  searchSources?: readonly SearchSource[];
  provides?: Provided;
}

/** One kind of personal data that an area stores. The privacy page lists all kinds. */
export interface StoredKind {
  title: string;
  /** Contents, in one sentence. */
  what: string;
  /** Retention, in one sentence. */
  until: string;
}

/** One area of the service: the interface between an area and composition. */
export interface Area<Provided extends Partial<Ports> = Partial<Ports>> {
  /** Its run-time settings. */
  settings?: SettingDeclarations;
  /** The scopes of API tokens that this area introduces. */
  scopes?: ScopeDeclarations;
  /** Endpoint groups that multiply the anonymous and the token limit. */
  rateLimitGroups?: readonly RateLimitGroup[];
  /** Tags of the OpenAPI document that this area adds, with a one-sentence description each. */
  tags?: Readonly<Record<string, string>>;
  /** The event types of this area. */
  events?: readonly AnyEventDeclaration[];
  /** Webhook requests that this area sends, by name. */
  webhooks?(events: EventRegistry): Promise<Readonly<Record<string, OutgoingRequest>>>;
  /** Its stored personal data. A table names the title of the kind that covers it (`personal`). */
  stored?: readonly StoredKind[];
  /** Its tables, as declared in its `*.tables.ts`. */
  tables?: TableDeclarations;
  create(context: AreaContext): AreaParts<Provided>;
}

/** Declares an area. */
export function defineArea<Provided extends Partial<Ports> = Record<never, never>>(area: Area<Provided>): Area<Provided> {
  return area;
}

type ProvidedBy<One> = One extends Area<infer Provided> ? Provided : never;
type KeyOfAny<Union> = Union extends unknown ? keyof Union : never;

/** The ports of each area. A port that another area provides too has no usable type. */
export type ProvidedByEach<Areas> = {
  [Name in keyof Areas]: {
    [Port in keyof ProvidedBy<Areas[Name]>]: Port extends KeyOfAny<ProvidedBy<Areas[Exclude<keyof Areas, Name>]>>
      ? 'another area provides this port too'
      : ProvidedBy<Areas[Name]>[Port];
  };
};

/** Creates areas in their order. */
export function createAreas<Areas extends Record<string, Area>>(areas: Areas, context: AreaContext) {
  const parts = Object.entries(areas).map(([name, area]) => ({ name, ...area.create(context) }));
  // `fromEntries` forgets which name has which value.
  const provided = Object.fromEntries(parts.map(({ name, provides }) => [name, provides])) as ProvidedByEach<Areas>;
  return { parts: parts as readonly AreaParts[], provided };
}
