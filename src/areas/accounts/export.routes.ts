import { sessionAccess } from '../../platform/access/policy/policy.ts';
import type { ScopeRegistry } from '../../platform/access/policy/scopes.ts';
import { sessionOf } from '../../platform/access/sessions/session-admission.ts';
import type { TokenRegistry } from '../../platform/access/tokens/token-registry.ts';
import { toTokenView } from '../../platform/access/tokens/token-view.schemas.ts';
import type { AccountData } from '../../platform/area/area.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { json } from '../../platform/http/replies/reply.ts';
import { toIso } from '../../platform/kit/time/clock.ts';
import type { AccountChanges } from './account-changes.service.ts';
import { exportRateLimit } from './account-rate-limits.data.ts';
import { ExportBody, toAccountBody, toSecondFactorBody, toSessionsBody } from './accounts.schemas.ts';
import type { RefreshStore } from './refresh.store.ts';
import type { SecondFactor } from './second-factor.service.ts';

interface ExportDeps {
  changes: Pick<AccountChanges, 'accountOf'>;
  sessions: RefreshStore;
  secondFactor: Pick<SecondFactor, 'stateOf'>;
  tokens: TokenRegistry;
  scopes: ScopeRegistry;
  /** Account data of other areas. */
  data(): readonly AccountData[];
}

/** `/auth/me/export`: all data of an account, without secrets. */
export function createExportEndpoint({ changes, sessions, secondFactor, tokens, scopes, data }: ExportDeps): Endpoint {
  return defineRoute({
    tag: 'Accounts',
    surface: 'portal',
    hidden: true,
    access: sessionAccess('ordinary', exportRateLimit),
    method: 'get',
    path: '/auth/me/export',
    operationId: 'exportAccount',
    summary: 'Export the account',
    description: 'Downloads everything stored about the account: profile, tokens, sessions, webhooks and latest requests.',
    ok: { description: 'The file.', schema: ExportBody },
  }).handle(async ({ caller, now }) => {
    const session = sessionOf(caller);
    const { userId } = session;
    const body = {
      exported_at: toIso(now),
      user: toAccountBody(await changes.accountOf(session)),
      api_tokens: (await tokens.byAccount(userId)).map((token) => toTokenView(token, scopes)),
      sessions: toSessionsBody(await sessions.list(userId, now), session.sessionId),
      second_factor: toSecondFactorBody(await secondFactor.stateOf(userId)),
      ...Object.assign({}, ...(await Promise.all(data().map((area) => area.export?.(userId))))),
    };
    return json(body, { headers: { 'Content-Disposition': 'attachment; filename="account.json"' } });
  });
}
