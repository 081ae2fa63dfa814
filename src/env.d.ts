/* eslint-disable */
// Generated from wrangler.toml by `npm run types`.
interface __BaseEnv_Env {
	CACHE: KVNamespace;
	OUTBOX: R2Bucket;
	BOARDS: R2Bucket;
	ARCHIVE: R2Bucket;
	BACKUPS: R2Bucket;
	DB: D1Database;
	VERSION?: WorkerVersionMetadata;
	ASSETS: Fetcher;
	BASE_URL?: string;
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
	BACKUP: DurableObjectNamespace<import("./index").BackupObject>;
}
declare namespace Cloudflare {
	interface GlobalProps {
		mainModule: typeof import("./index");
		durableNamespaces: "RateLimitObject" | "TokenGateObject" | "IdempotencyObject" | "EventCoordinatorObject" | "EventShardObject" | "BoardsIngestObject" | "ModDownloadsObject" | "ModsMirrorObject" | "ArchiveSyncObject" | "CodexIndexObject" | "WebhookSenderObject" | "ServiceStatusObject" | "BackupObject";
	}
	interface StagingEnv {
		CACHE: KVNamespace;
		OUTBOX: R2Bucket;
		BOARDS: R2Bucket;
		ARCHIVE: R2Bucket;
		BACKUPS: R2Bucket;
		DB: D1Database;
		VERSION: WorkerVersionMetadata;
		ASSETS: Fetcher;
		BASE_URL: string;
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
		BACKUP: DurableObjectNamespace<import("./index").BackupObject>;
	}
	interface ProductionEnv {
		CACHE: KVNamespace;
		OUTBOX: R2Bucket;
		BOARDS: R2Bucket;
		ARCHIVE: R2Bucket;
		BACKUPS: R2Bucket;
		DB: D1Database;
		VERSION: WorkerVersionMetadata;
		ASSETS: Fetcher;
		BASE_URL: string;
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
		BACKUP: DurableObjectNamespace<import("./index").BackupObject>;
	}
	interface Env extends __BaseEnv_Env {}
}
interface Env extends __BaseEnv_Env {}
type StringifyValues<EnvType extends Record<string, unknown>> = {
	[Binding in keyof EnvType]: EnvType[Binding] extends string ? EnvType[Binding] : string;
};
declare namespace NodeJS {
	interface ProcessEnv extends StringifyValues<Pick<Cloudflare.Env, "BASE_URL">> {}
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
