import type { z } from '@hono/zod-openapi';
import type { BudgetGroup } from './access/policy/policy.ts';
import type { Scope, ScopeDeclarations, ScopeRegistry } from './access/policy/scopes.ts';
import type { TokenGate } from './access/tokens/token-gate.ts';
import type { TokenRegistry } from './access/tokens/token-registry.ts';
import type { Outbox } from './durable/outbox.ts';
import type { Environment } from './environment.ts';
import type { EventPublisher, EventSource } from './events/event-source.ts';
import type { MemoryBudget } from './http/bodies/memory-budget.ts';
import type { BodySource, Endpoint } from './http/pipeline/define-route.ts';
import type { IngestLog } from './ingest/ingest-log.ts';
import type { Mailer } from './mail/mailer.ts';
import type { OutgoingRequest, StreamMessage } from './openapi/outgoing.ts';
import type { RateLimiter } from './rate-limits/rate-limiter.ts';
import type { Job } from './schedule/job.ts';
import type { Scheduler } from './schedule/scheduler.ts';
import type { SettingRegistry } from './settings/setting-values.ts';
import type { FeatureName, SettingDeclarations } from './settings/settings.data.ts';
import type { SettingsRepository } from './settings/settings.repository.ts';
import type { SettingsSource } from './settings/settings-cache.ts';
import type { Database, PublicReads, ReadFreshness } from './storage/database.ts';
import type { UpstreamClient } from './upstream/upstream-client.ts';
import type { UsageRepository } from './usage/usage.repository.ts';

export interface Platform {
  env: Env;
  environment: Environment;
  /** The database at its primary: the default for every read, and every write. */
  db: Database;
  /** Public data, read from the nearest replica, for repositories that may be some seconds behind. */
  publicReads: PublicReads;
  freshness: ReadFreshness;
  /** The settings in force, cached by the isolate. */
  settings: SettingsSource;
  /** The settings as stored. */
  storedSettings: SettingsRepository;
  /** The settings of every area, as declared. */
  settingRegistry: SettingRegistry;
  upstream: UpstreamClient;
  limiter: RateLimiter;
  /** The memory of the isolate that large requests share. */
  memory: MemoryBudget;
  /** The scopes of every area. */
  scopes: ScopeRegistry;
  budgetGroups: readonly BudgetGroup[];
  gate: TokenGate;
  tokens: TokenRegistry;
  usage: UsageRepository;
  /** Deliveries that survive a crash. */
  outbox: Outbox;
  mailer: Mailer;
  ingestLog: IngestLog;
  events: EventPublisher;
  /** A new random id. */
  newId(): string;
}

/**
 * Interfaces that areas offer to each other. An area declares its ports here by declaration merging, beside their
 * implementation; composition checks that every port has one provider.
 */
export interface Ports {
  /** The event stream. */
  events: EventPublisher;
}

/** One serialised body of an area as a part of `GET /v1/snapshot`. */
export interface SnapshotBody {
  source: BodySource;
  /** Schema of the body. */
  schema: z.ZodType;
  feature?: FeatureName;
  /** The scope of the body's own route. */
  scope: Scope;
  /** Included when the client names no parts. */
  isDefault: boolean;
}

/** The bodies of an area, all under one scope. */
export function asSnapshotBodies(
  bodies: Readonly<Record<string, Pick<SnapshotBody, 'source' | 'schema' | 'feature'>>>,
  scope: Scope,
  isDefault: boolean,
): Record<string, SnapshotBody> {
  return Object.fromEntries(Object.entries(bodies).map(([name, body]) => [name, { ...body, scope, isDefault }]));
}

/** Account data of an area: its export and deletion. */
export interface AccountData {
  /** Fields of the account's export file. Never a secret. */
  export?(userId: string): Promise<Record<string, unknown>>;
  /** Deletes it all, before the account itself is deleted. Repeating it is harmless. */
  delete?(userId: string): Promise<void>;
}

/** The parts of all areas; complete once every area is created, so read it only inside handlers and jobs. */
export interface Service {
  endpoints(): readonly Endpoint[];
  eventSources(): readonly EventSource[];
  snapshotBodies(): Readonly<Record<string, SnapshotBody>>;
  accountData(): readonly AccountData[];
  scheduler(): Scheduler;
  /** Groups of the documentation. */
  tags: Readonly<Record<string, string>>;
  /** Messages of the event stream, by type. */
  streamMessages: Readonly<Record<string, StreamMessage>>;
  /** Requests to addresses of users, by name. */
  webhooks: Readonly<Record<string, OutgoingRequest>>;
  /** Stored personal data. */
  stored: readonly StoredKind[];
  /** Tables without personal data. */
  impersonalTables: readonly string[];
}

export interface AreaContext extends Platform {
  /** Complete once every area is created: call ports inside handlers and jobs, not while creating an area. */
  ports: Ports;
  service: Service;
}

/** Parts that an area contributes to the running service. */
export interface AreaParts {
  /** A function where declaring the routes takes something of another area. */
  endpoints: readonly Endpoint[] | (() => readonly Endpoint[]);
  jobs?: readonly Job[];
  eventSources?: readonly EventSource[];
  snapshotBodies?: Readonly<Record<string, SnapshotBody>>;
  accountData?: AccountData;
  provides?: Partial<Ports>;
}

/** One kind of data about people that an area stores; the privacy page lists it. */
export interface StoredKind {
  title: string;
  /** Contents, in one sentence. */
  what: string;
  /** Retention, in one sentence. */
  until: string;
  /** Its tables; `*` ends a prefix. */
  tables: readonly string[];
}

/** One area of the service: the only interface between an area and composition. */
export interface Area {
  /** Its run-time settings. */
  settings?: SettingDeclarations;
  /** The scopes of API tokens that this area introduces. */
  scopes?: ScopeDeclarations;
  /** Groups of its endpoints that multiply the anonymous and the token limit. */
  budgetGroups?: readonly BudgetGroup[];
  /** Groups of the documentation that this area introduces, with a sentence about each. */
  tags?: Readonly<Record<string, string>>;
  /** The messages of the event stream that come from this area, by type. */
  streamMessages?: Readonly<Record<string, StreamMessage>>;
  /** The requests that this area sends to addresses of users, by name. */
  webhooks?: Readonly<Record<string, OutgoingRequest>>;
  /** Its stored personal data. */
  stored?: readonly StoredKind[];
  /** Its tables without personal data; `*` ends a prefix. */
  impersonalTables?: readonly string[];
  create(context: AreaContext): AreaParts;
}

/** Declares an area. */
export function defineArea(area: Area): Area {
  return area;
}
