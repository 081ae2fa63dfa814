import { createApp } from './app.ts';
import { composeApp } from './composition.ts';

export { TokenGateObject } from './platform/access/token-gate.object.ts';
export { IdempotencyObject } from './platform/idempotency/idempotency.object.ts';
export { RateLimitObject } from './platform/rate-limits/rate-limit.object.ts';

let app: ReturnType<typeof createApp> | undefined;

/** Entry of the Worker. The application is built on the first request and lives as long as the isolate. */
export default {
  fetch(request, env, ctx) {
    app ??= createApp(composeApp(env));
    return app.fetch(request, env, ctx);
  },
} satisfies ExportedHandler<Env>;
