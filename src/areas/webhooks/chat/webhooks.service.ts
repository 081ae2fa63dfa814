import type { DrawingRateLimit } from '../../../platform/access/policy/drawing-rate-limit.ts';
import { badRequest, type FieldProblem, notFound, validationError } from '../../../platform/kit/errors/api-error.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { Settings } from '../../../platform/settings/settings.data.ts';
import type { Vault } from '../../../platform/storage/vault.ts';
import type { Condition } from '../conditions/conditions.domain.ts';
import { MAX_WEBHOOKS, SENDER_COUNT } from '../delivery/delivery.data.ts';
import type { TestResult } from '../delivery/delivery.domain.ts';
import type { DesignedImages } from '../designs/designs.service.ts';
import type { Templates } from '../events/template.domain.ts';
import type { WebhookEvent, WebhookEvents } from '../events/webhook-events.domain.ts';
import type { Webhook, WebhooksStore } from '../records/webhooks.store.ts';
import { addressText, type ChatAddress, maskedUrl } from './address.domain.ts';
import type { Composer } from './composer.service.ts';

interface WebhooksServiceDeps {
  webhooks: WebhooksStore;
  events: Pick<WebhookEvents, 'chat' | 'sortChat' | 'sampleVariables' | 'conditions'>;
  vault: Vault;
  images: Pick<DesignedImages, 'owns'>;
  senders: {
    /** Posts a sample event immediately. `mayDraw`: with an image, which the account has been charged for. */
    test(sender: number, webhookId: string, event: WebhookEvent | null, now: UnixSeconds, mayDraw: boolean): Promise<TestResult>;
  };
  composer: Pick<Composer, 'draws' | 'drawingCost'>;
  drawings: Pick<DrawingRateLimit, 'require'>;
  newId(): string;
}

/** Input of a chat webhook. */
export interface CreateWebhookInput {
  address: ChatAddress;
  events: WebhookEvent[];
  label: string;
  templates: Templates;
  conditions: Condition[];
}
/** Absent fields are kept. */
type WebhookEdit = { [Part in keyof CreateWebhookInput]?: CreateWebhookInput[Part] | undefined } & {
  isActive?: boolean | undefined;
};

export type WebhooksService = ReturnType<typeof createWebhooksService>;

/** The chat webhooks of an account. Webhooks of other accounts return 404. */
export function createWebhooksService(deps: WebhooksServiceDeps) {
  const { webhooks, events: known, vault, images, senders, composer, drawings, newId } = deps;

  async function findOwn(userId: string, id: string): Promise<Webhook> {
    const webhook = await webhooks.find(userId, 'chat', id);
    if (!webhook) throw notFound('webhook not found');
    return webhook;
  }

  async function requireOwnDesigns(userId: string, templates: Templates): Promise<void> {
    const problems: FieldProblem[] = [];
    for (const event of known.chat) {
      const id = templates[event]?.image_design_id ?? null;
      if (id === null || (await images.owns(userId, id, event))) continue;
      problems.push({
        loc: ['body', 'templates', event, 'image_design_id'],
        msg: 'design not found for this event',
        type: 'invalid_value',
      });
    }
    if (problems.length > 0) throw validationError(problems);
  }

  /** Columns of a webhook URL. */
  async function addressColumns(address: ChatAddress, id: string) {
    const addressKey = await vault.digest(address.identity);
    return {
      sealedAddress: await vault.seal(addressText(address), id),
      maskedUrl: maskedUrl(address),
      addressKey,
      sender: Number.parseInt(addressKey.slice(0, 8), 16) % SENDER_COUNT,
    };
  }

  return {
    list: (userId: string) => webhooks.byAccount(userId, 'chat'),

    /** Throws 400 at the limit of the account, 422 for a design of another account or a condition of another event. */
    async register(userId: string, input: CreateWebhookInput, now: UnixSeconds): Promise<Webhook> {
      const { address, events, label } = input;
      const conditions = known.conditions.validated(events, input.conditions);
      const templates = templatesOf(input.templates, events);
      await requireOwnDesigns(userId, templates);
      const id = newId();
      const columns = { id, userId, label, events: known.sortChat(events), templates, conditions, createdAt: now };
      const row = { ...columns, format: 'chat' as const, sealedSecret: null, ...(await addressColumns(address, id)) };
      if (!(await webhooks.add(row, MAX_WEBHOOKS))) throw badRequest(`an account may have ${MAX_WEBHOOKS} webhooks`);
      return findOwn(userId, id);
    },

    /** Deletes templates and conditions of removed events. Throws 404 and 422. */
    async edit(userId: string, id: string, edit: WebhookEdit): Promise<Webhook> {
      const { address, events, label, templates, isActive } = edit;
      const webhook = await findOwn(userId, id);
      const newConditions = known.conditions.edited(webhook, edit);
      const newTemplates = templates && templatesOf(templates, events ?? (webhook.events as WebhookEvent[]));
      if (newTemplates) await requireOwnDesigns(userId, newTemplates);
      const change = {
        ...(address ? await addressColumns(address, id) : {}),
        ...(label === undefined ? {} : { label }),
        ...(events ? { events: known.sortChat(events) } : {}),
        ...(newTemplates ? { templates: newTemplates } : {}),
        ...(newConditions ? { conditions: newConditions } : {}),
        ...(isActive === undefined ? {} : { isActive }),
        ...(isActive ? { failures: 0, disabledReason: null } : {}),
      };
      if (Object.keys(change).length > 0) await webhooks.change(webhook, change);
      return findOwn(userId, id);
    },

    /** Throws 404. */
    async remove(userId: string, id: string): Promise<void> {
      if (!(await webhooks.remove(userId, 'chat', id))) throw notFound('webhook not found');
    },

    /** Charges the account for the cost of a drawn image. Throws 404, and 429 when its limit does not allow it. */
    async test(userId: string, id: string, event: WebhookEvent | null, settings: Settings, now: UnixSeconds): Promise<TestResult> {
      const webhook = await findOwn(userId, id);
      const template = (event && webhook.templates[event]) ?? null;
      const mayDraw = settings.featureImageStudioEnabled && event !== null && composer.draws(event, template);
      if (mayDraw) {
        const costMs = await composer.drawingCost(event, template, known.sampleVariables(event, now));
        await drawings.require(userId, costMs, settings, now);
      }
      return senders.test(webhook.sender, id, event, now, mayDraw);
    },
  };
}

function templatesOf(templates: Templates, events: readonly WebhookEvent[]): Templates {
  return Object.fromEntries(Object.entries(templates).filter(([event]) => events.includes(event as WebhookEvent)));
}
