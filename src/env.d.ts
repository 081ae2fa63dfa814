/* eslint-disable */
// Generated from wrangler.toml by `npm run types`.
interface __BaseEnv_Env {
	CACHE: KVNamespace;
	DB: D1Database;
	ASSETS: Fetcher;
	ENVIRONMENT: string;
	TOKEN_PREFIX: string;
	BASE_URL: string;
	SECURITY_CONTACT: string;
	EVENTS_SHARDS: string;
	LOG_REQUESTS: string;
	RATE_LIMIT_MULTIPLIER: string;
	RATE_LIMITS: DurableObjectNamespace<import("./index").RateLimitObject>;
	TOKEN_GATES: DurableObjectNamespace<import("./index").TokenGateObject>;
	IDEMPOTENCY: DurableObjectNamespace<import("./index").IdempotencyObject>;
	EVENT_COORDINATOR: DurableObjectNamespace<import("./index").EventCoordinatorObject>;
	EVENT_SHARDS: DurableObjectNamespace<import("./index").EventShardObject>;
}
declare namespace Cloudflare {
	interface GlobalProps {
		mainModule: typeof import("./index");
		durableNamespaces: "RateLimitObject" | "TokenGateObject" | "IdempotencyObject" | "EventCoordinatorObject" | "EventShardObject";
	}
	interface Env extends __BaseEnv_Env {}
}
interface Env extends __BaseEnv_Env {}
type StringifyValues<EnvType extends Record<string, unknown>> = {
	[Binding in keyof EnvType]: EnvType[Binding] extends string ? EnvType[Binding] : string;
};
declare namespace NodeJS {
	interface ProcessEnv extends StringifyValues<Pick<Cloudflare.Env, "ENVIRONMENT" | "TOKEN_PREFIX" | "BASE_URL" | "SECURITY_CONTACT" | "EVENTS_SHARDS" | "LOG_REQUESTS" | "RATE_LIMIT_MULTIPLIER">> {}
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
