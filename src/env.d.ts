/* eslint-disable */
// Generated from wrangler.toml by `npm run types`.
interface __BaseEnv_Env {
	CACHE: KVNamespace;
	OUTBOX: R2Bucket;
	BOARDS: R2Bucket;
	ARCHIVE: R2Bucket;
	DB: D1Database;
	ASSETS: Fetcher;
	ENVIRONMENT: string;
	TOKEN_PREFIX: string;
	BASE_URL: string;
	SECURITY_CONTACT: string;
	EVENTS_SHARDS: string;
	EVENTS_MAX_CONNECTIONS_PER_SHARD: string;
	EVENTS_REPLAY_DAYS: string;
	LOG_REQUESTS: string;
	RATE_LIMIT_MULTIPLIER: string;
	UPSTREAM_USER_AGENT: string;
	NEWS_FEED_URL: string;
	NEWS_REFRESH_SECONDS: string;
	COMMUNITY_EVENTS_URL: string;
	COMMUNITY_EVENTS_REFRESH_SECONDS: string;
	STREAMS_TOKEN_URL: string;
	STREAMS_API_URL: string;
	STREAMS_REFRESH_SECONDS: string;
	VIDEOS_A_API_BASE: string;
	VIDEOS_A_REFRESH_SECONDS: string;
	VIDEOS_A_DAILY_QUOTA: string;
	VIDEOS_B_SEARCH_URL: string;
	VIDEOS_B_REFRESH_SECONDS: string;
	COMPANION_PRODUCT: string;
	CLIENTAPP_REPO: string;
	CLIENTAPP_API_BASE: string;
	CLIENTAPP_REFRESH_SECONDS: string;
	CHAOS_RELAY_REFRESH_SECONDS: string;
	APP_NAME: string;
	CAPTCHA_URL: string;
	CAPTCHA_SITEKEY: string;
	SECRET_SCANNING_KEYS_URL: string;
	BREACHED_PASSWORDS_URL: string;
	MAIL_URL: string;
	MAIL_FROM: string;
	USAGE_DELAY_SECONDS: string;
	PORTAL_URL: string;
	MODS_MIRROR_URL: string;
	UPDATES_SOURCE_BASE: string;
	UPDATES_SOURCE_PREFIX: string;
	UPDATES_PROBE_SECONDS: string;
	WEBHOOK_POST_BASE: string;
	DEMO_DATA: string;
	SIGNED_WEBHOOK_POST_BASE: string;
	DNS_OVER_HTTPS_URL: string;
	RATE_LIMITS: DurableObjectNamespace<import("./index").RateLimitObject>;
	TOKEN_GATES: DurableObjectNamespace<import("./index").TokenGateObject>;
	IDEMPOTENCY: DurableObjectNamespace<import("./index").IdempotencyObject>;
	EVENT_COORDINATOR: DurableObjectNamespace<import("./index").EventCoordinatorObject>;
	EVENT_SHARDS: DurableObjectNamespace<import("./index").EventShardObject>;
	BOARDS_INGEST: DurableObjectNamespace<import("./index").BoardsIngestObject>;
	MOD_DOWNLOADS: DurableObjectNamespace<import("./index").ModDownloadsObject>;
	MODS_MIRROR: DurableObjectNamespace<import("./index").ModsMirrorObject>;
	ARCHIVE_SYNC: DurableObjectNamespace<import("./index").ArchiveSyncObject>;
	CODEX_INDEX: DurableObjectNamespace<import("./index").CodexIndexObject>;
	WEBHOOK_SENDERS: DurableObjectNamespace<import("./index").WebhookSenderObject>;
	SERVICE_STATUS: DurableObjectNamespace<import("./index").ServiceStatusObject>;
}
declare namespace Cloudflare {
	interface GlobalProps {
		mainModule: typeof import("./index");
		durableNamespaces: "RateLimitObject" | "TokenGateObject" | "IdempotencyObject" | "EventCoordinatorObject" | "EventShardObject" | "BoardsIngestObject" | "ModDownloadsObject" | "ModsMirrorObject" | "ArchiveSyncObject" | "CodexIndexObject" | "WebhookSenderObject" | "ServiceStatusObject";
	}
	interface StagingEnv {
		CACHE: KVNamespace;
		OUTBOX: R2Bucket;
		BOARDS: R2Bucket;
		ARCHIVE: R2Bucket;
		DB: D1Database;
		ASSETS: Fetcher;
		ENVIRONMENT: string;
		TOKEN_PREFIX: string;
		BASE_URL: string;
		SECURITY_CONTACT: string;
		EVENTS_SHARDS: string;
		EVENTS_MAX_CONNECTIONS_PER_SHARD: string;
		EVENTS_REPLAY_DAYS: string;
		LOG_REQUESTS: string;
		RATE_LIMIT_MULTIPLIER: string;
		UPSTREAM_USER_AGENT: string;
		NEWS_FEED_URL: string;
		NEWS_REFRESH_SECONDS: string;
		COMMUNITY_EVENTS_URL: string;
		COMMUNITY_EVENTS_REFRESH_SECONDS: string;
		STREAMS_TOKEN_URL: string;
		STREAMS_API_URL: string;
		STREAMS_REFRESH_SECONDS: string;
		VIDEOS_A_API_BASE: string;
		VIDEOS_A_REFRESH_SECONDS: string;
		VIDEOS_A_DAILY_QUOTA: string;
		VIDEOS_B_SEARCH_URL: string;
		VIDEOS_B_REFRESH_SECONDS: string;
		COMPANION_PRODUCT: string;
		CLIENTAPP_REPO: string;
		CLIENTAPP_API_BASE: string;
		CLIENTAPP_REFRESH_SECONDS: string;
		CHAOS_RELAY_REFRESH_SECONDS: string;
		APP_NAME: string;
		CAPTCHA_URL: string;
		CAPTCHA_SITEKEY: string;
		SECRET_SCANNING_KEYS_URL: string;
		BREACHED_PASSWORDS_URL: string;
		MAIL_URL: string;
		MAIL_FROM: string;
		USAGE_DELAY_SECONDS: string;
		PORTAL_URL: string;
		MODS_MIRROR_URL: string;
		UPDATES_SOURCE_BASE: string;
		UPDATES_SOURCE_PREFIX: string;
		UPDATES_PROBE_SECONDS: string;
		WEBHOOK_POST_BASE: string;
		DEMO_DATA: string;
		SIGNED_WEBHOOK_POST_BASE: string;
		DNS_OVER_HTTPS_URL: string;
		RATE_LIMITS: DurableObjectNamespace<import("./index").RateLimitObject>;
		TOKEN_GATES: DurableObjectNamespace<import("./index").TokenGateObject>;
		IDEMPOTENCY: DurableObjectNamespace<import("./index").IdempotencyObject>;
		EVENT_COORDINATOR: DurableObjectNamespace<import("./index").EventCoordinatorObject>;
		EVENT_SHARDS: DurableObjectNamespace<import("./index").EventShardObject>;
		BOARDS_INGEST: DurableObjectNamespace<import("./index").BoardsIngestObject>;
		MOD_DOWNLOADS: DurableObjectNamespace<import("./index").ModDownloadsObject>;
		MODS_MIRROR: DurableObjectNamespace<import("./index").ModsMirrorObject>;
		ARCHIVE_SYNC: DurableObjectNamespace<import("./index").ArchiveSyncObject>;
		CODEX_INDEX: DurableObjectNamespace<import("./index").CodexIndexObject>;
		WEBHOOK_SENDERS: DurableObjectNamespace<import("./index").WebhookSenderObject>;
		SERVICE_STATUS: DurableObjectNamespace<import("./index").ServiceStatusObject>;
	}
	interface ProductionEnv {
		CACHE: KVNamespace;
		OUTBOX: R2Bucket;
		BOARDS: R2Bucket;
		ARCHIVE: R2Bucket;
		DB: D1Database;
		ASSETS: Fetcher;
		ENVIRONMENT: string;
		TOKEN_PREFIX: string;
		BASE_URL: string;
		SECURITY_CONTACT: string;
		EVENTS_SHARDS: string;
		EVENTS_MAX_CONNECTIONS_PER_SHARD: string;
		EVENTS_REPLAY_DAYS: string;
		LOG_REQUESTS: string;
		RATE_LIMIT_MULTIPLIER: string;
		UPSTREAM_USER_AGENT: string;
		NEWS_FEED_URL: string;
		NEWS_REFRESH_SECONDS: string;
		COMMUNITY_EVENTS_URL: string;
		COMMUNITY_EVENTS_REFRESH_SECONDS: string;
		STREAMS_TOKEN_URL: string;
		STREAMS_API_URL: string;
		STREAMS_REFRESH_SECONDS: string;
		VIDEOS_A_API_BASE: string;
		VIDEOS_A_REFRESH_SECONDS: string;
		VIDEOS_A_DAILY_QUOTA: string;
		VIDEOS_B_SEARCH_URL: string;
		VIDEOS_B_REFRESH_SECONDS: string;
		COMPANION_PRODUCT: string;
		CLIENTAPP_REPO: string;
		CLIENTAPP_API_BASE: string;
		CLIENTAPP_REFRESH_SECONDS: string;
		CHAOS_RELAY_REFRESH_SECONDS: string;
		APP_NAME: string;
		CAPTCHA_URL: string;
		CAPTCHA_SITEKEY: string;
		SECRET_SCANNING_KEYS_URL: string;
		BREACHED_PASSWORDS_URL: string;
		MAIL_URL: string;
		MAIL_FROM: string;
		USAGE_DELAY_SECONDS: string;
		PORTAL_URL: string;
		MODS_MIRROR_URL: string;
		UPDATES_SOURCE_BASE: string;
		UPDATES_SOURCE_PREFIX: string;
		UPDATES_PROBE_SECONDS: string;
		WEBHOOK_POST_BASE: string;
		DEMO_DATA: string;
		SIGNED_WEBHOOK_POST_BASE: string;
		DNS_OVER_HTTPS_URL: string;
		RATE_LIMITS: DurableObjectNamespace<import("./index").RateLimitObject>;
		TOKEN_GATES: DurableObjectNamespace<import("./index").TokenGateObject>;
		IDEMPOTENCY: DurableObjectNamespace<import("./index").IdempotencyObject>;
		EVENT_COORDINATOR: DurableObjectNamespace<import("./index").EventCoordinatorObject>;
		EVENT_SHARDS: DurableObjectNamespace<import("./index").EventShardObject>;
		BOARDS_INGEST: DurableObjectNamespace<import("./index").BoardsIngestObject>;
		MOD_DOWNLOADS: DurableObjectNamespace<import("./index").ModDownloadsObject>;
		MODS_MIRROR: DurableObjectNamespace<import("./index").ModsMirrorObject>;
		ARCHIVE_SYNC: DurableObjectNamespace<import("./index").ArchiveSyncObject>;
		CODEX_INDEX: DurableObjectNamespace<import("./index").CodexIndexObject>;
		WEBHOOK_SENDERS: DurableObjectNamespace<import("./index").WebhookSenderObject>;
		SERVICE_STATUS: DurableObjectNamespace<import("./index").ServiceStatusObject>;
	}
	interface Env extends __BaseEnv_Env {}
}
interface Env extends __BaseEnv_Env {}
type StringifyValues<EnvType extends Record<string, unknown>> = {
	[Binding in keyof EnvType]: EnvType[Binding] extends string ? EnvType[Binding] : string;
};
declare namespace NodeJS {
	interface ProcessEnv extends StringifyValues<Pick<Cloudflare.Env, "ENVIRONMENT" | "TOKEN_PREFIX" | "BASE_URL" | "SECURITY_CONTACT" | "EVENTS_SHARDS" | "EVENTS_MAX_CONNECTIONS_PER_SHARD" | "EVENTS_REPLAY_DAYS" | "LOG_REQUESTS" | "RATE_LIMIT_MULTIPLIER" | "UPSTREAM_USER_AGENT" | "NEWS_FEED_URL" | "NEWS_REFRESH_SECONDS" | "COMMUNITY_EVENTS_URL" | "COMMUNITY_EVENTS_REFRESH_SECONDS" | "STREAMS_TOKEN_URL" | "STREAMS_API_URL" | "STREAMS_REFRESH_SECONDS" | "VIDEOS_A_API_BASE" | "VIDEOS_A_REFRESH_SECONDS" | "VIDEOS_A_DAILY_QUOTA" | "VIDEOS_B_SEARCH_URL" | "VIDEOS_B_REFRESH_SECONDS" | "COMPANION_PRODUCT" | "CLIENTAPP_REPO" | "CLIENTAPP_API_BASE" | "CLIENTAPP_REFRESH_SECONDS" | "CHAOS_RELAY_REFRESH_SECONDS" | "APP_NAME" | "CAPTCHA_URL" | "CAPTCHA_SITEKEY" | "SECRET_SCANNING_KEYS_URL" | "BREACHED_PASSWORDS_URL" | "MAIL_URL" | "MAIL_FROM" | "USAGE_DELAY_SECONDS" | "PORTAL_URL" | "MODS_MIRROR_URL" | "UPDATES_SOURCE_BASE" | "UPDATES_SOURCE_PREFIX" | "UPDATES_PROBE_SECONDS" | "WEBHOOK_POST_BASE" | "DEMO_DATA" | "SIGNED_WEBHOOK_POST_BASE" | "DNS_OVER_HTTPS_URL">> {}
}
declare module "*.txt" {
	const value: string;
	export default value;
}
declare module "*.html" {
	const value: string;
	export default value;
}
declare module "*.sql" {
	const value: string;
	export default value;
}
declare module "*.bin" {
	const value: ArrayBuffer;
	export default value;
}
declare module "*.wasm" {
	const value: WebAssembly.Module;
	export default value;
}
declare module "*.wasm?module" {
	const value: WebAssembly.Module;
	export default value;
}
