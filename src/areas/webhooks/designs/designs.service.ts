import type { DrawingRateLimit } from '../../../platform/access/policy/drawing-rate-limit.ts';
import { ApiError, badRequest, notFound } from '../../../platform/kit/errors/api-error.ts';
import { InputError } from '../../../platform/kit/errors/input-error.ts';
import { applyRule } from '../../../platform/kit/errors/input-fault.ts';
import { logError } from '../../../platform/kit/logging.ts';
import { hashText } from '../../../platform/kit/random.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { Settings } from '../../../platform/settings/settings.data.ts';
import { BoundedMap } from '../../../platform/storage/memory-caches.ts';
import type { TemplateVariables } from '../events/template.domain.ts';
import type { WebhookEvent, WebhookEvents } from '../events/webhook-events.domain.ts';
import { CHECK_COST_MS, MAX_DESIGNS, MAX_SVG_BYTES } from './design.data.ts';
import { createDrawing, type Drawing } from './design.domain.ts';
import { BANNERS } from './design-starters.data.ts';
import type { Design, DesignsStore } from './designs.store.ts';

/** A design with the result of its check. */
export interface CheckedDesign extends Design {
  /** Why the design cannot be drawn; null: it can. The rules may have become stricter since the design was stored. */
  problem: string | null;
}

type CreateDesignInput = Pick<Design, 'name' | 'event' | 'svg'>;
type DesignEdit = { [Key in keyof CreateDesignInput]?: CreateDesignInput[Key] | undefined };

/** Draws a checked design as PNG; null when the renderer fails. Throws when fonts are unavailable, and 503 when the queue is full. */
export type RenderImage = (drawing: Drawing) => Promise<Uint8Array<ArrayBuffer> | null>;

interface DesignsServiceDeps {
  designs: DesignsStore;
  events: Pick<WebhookEvents, 'sampleVariables'>;
  draw: RenderImage;
  drawings: Pick<DrawingRateLimit, 'require'>;
  newId(): string;
}

export type DesignsService = ReturnType<typeof createDesignsService>;
/** Images drawn for each post. */
export type DesignedImages = Pick<DesignsService, 'render' | 'costOf' | 'owns'>;

/** Check results cached per isolate. A check may take 50 ms of CPU time, and listing designs has no rate limit. */
const MAX_CACHED_CHECKS = 500;

const designNotFound = () => notFound('design not found');

export function createDesignsService({ designs, events, draw, drawings, newId }: DesignsServiceDeps) {
  const checks = new BoundedMap<string, string | null>(MAX_CACHED_CHECKS);

  function withProblem(design: Design): CheckedDesign {
    const key = `${design.id} ${hashText(`${design.event} ${design.svg}`)}`;
    const cached = checks.get(key);
    const problem = cached === undefined ? problemOf(design, events) : cached;
    if (cached === undefined) checks.set(key, problem);
    return { ...design, problem };
  }

  /** Draws a design with sample variables. Throws 422 when it cannot be drawn, 429 when the account may not draw it now. */
  async function testDraw(userId: string, svg: string, event: WebhookEvent, settings: Settings, now: UnixSeconds) {
    await drawings.require(userId, CHECK_COST_MS, settings, now);
    const drawing = applyRule('body', { svg }, () => createDrawing(requireMaxSize(svg), events.sampleVariables(event, now)));
    await drawings.require(userId, drawing.costMs - CHECK_COST_MS, settings, now);
    const png = await draw(drawing);
    return applyRule('body', { svg }, () => {
      if (png === null) throw new InputError('invalid', ['svg'], 'drawing failed');
      return { png, width: drawing.width, height: drawing.height };
    });
  }

  async function findOwn(userId: string, id: string): Promise<Design> {
    const design = await designs.byId(id);
    if (design?.userId !== userId) throw designNotFound();
    return design;
  }

  /** Source of the design of an event, or of the default banner; undefined: does not exist. */
  async function sourceOf(designId: string | null, event: WebhookEvent): Promise<string | undefined> {
    const design = designId === null ? null : await designs.byId(designId);
    return designId === null ? BANNERS[event] : design?.event === event ? design.svg : undefined;
  }

  /** Throws 404, and 409 when the design no longer has the fields of `read`. */
  async function change(...[read, changes]: Parameters<DesignsStore['change']>): Promise<CheckedDesign> {
    const changed = await designs.change(read, changes);
    if (changed) return withProblem(changed);
    await findOwn(read.userId, read.id);
    throw new ApiError('conflict', 'the design was changed concurrently', { hint: 'read the design and edit it again' });
  }

  return {
    list: async (userId: string) => (await designs.list(userId, MAX_DESIGNS)).map(withProblem),

    /** Throws 422 for a drawing that is not allowed, 400 when the account has reached its limit. */
    async create(userId: string, { name, event, svg }: CreateDesignInput, settings: Settings, now: UnixSeconds) {
      const { width, height } = await testDraw(userId, svg, event, settings, now);
      const design = { id: newId(), userId, name, event, svg, width, height, createdAt: now, updatedAt: now };
      if (!(await designs.add(design, MAX_DESIGNS))) throw badRequest(`an account may have ${MAX_DESIGNS} designs`);
      return withProblem(design);
    },

    /** Changes the given fields. Throws 404, 422 as `create` does, and 409 when drawing and event were changed concurrently. */
    async edit(userId: string, id: string, input: DesignEdit, settings: Settings, now: UnixSeconds) {
      const current = await findOwn(userId, id);
      const { svg = current.svg, event = current.event } = input;
      const changes = { ...withoutUndefined(input), updatedAt: now };
      if (svg === current.svg && event === current.event) return change({ id, userId }, changes);
      const { width, height } = await testDraw(userId, svg, event, settings, now);
      // The drawing was checked for this event, so the one of the two that is not given must not have changed.
      const read = { ...(input.svg === undefined ? { svg } : {}), ...(input.event === undefined ? { event } : {}) };
      return change({ id, userId, ...read }, { ...changes, width, height });
    },

    async remove(userId: string, id: string): Promise<void> {
      if (!(await designs.remove(userId, id))) throw designNotFound();
    },

    /** PNG of a drawing with sample variables. */
    preview: async (...given: Parameters<typeof testDraw>) => (await testDraw(...given)).png,

    /**
     * Image of an event as PNG. A null id selects the default banner of the event. Null: the design or banner does not exist, or cannot be
     * drawn. When this throws, the message is sent without an image.
     */
    async render(designId: string | null, event: WebhookEvent, variables: TemplateVariables): Promise<Uint8Array<ArrayBuffer> | null> {
      const svg = await sourceOf(designId, event);
      return svg === undefined ? null : drawIfPossible(svg, variables, draw);
    },

    /** Processor time that `render` takes at most, in milliseconds. */
    async costOf(designId: string | null, event: WebhookEvent, variables: TemplateVariables): Promise<number> {
      const svg = await sourceOf(designId, event);
      return svg === undefined ? 0 : costOf(svg, variables);
    },

    /** Whether the design belongs to the account and the event. Templates accept no other designs. */
    async owns(userId: string, designId: string, event: WebhookEvent): Promise<boolean> {
      const design = await designs.byId(designId);
      return design?.userId === userId && design.event === event;
    },

    deleteByAccount: (userId: string) => designs.deleteByAccount(userId),
  };
}

/** Why a design cannot be drawn with the sample variables of its event; null: it can. */
function problemOf({ svg, event, updatedAt }: Design, events: DesignsServiceDeps['events']): string | null {
  try {
    createDrawing(svg, events.sampleVariables(event, updatedAt));
    return null;
  } catch (error) {
    if (error instanceof InputError) return error.message;
    throw error;
  }
}

/** Processor time in milliseconds; that of the checks for a design that cannot be drawn with these variables. */
function costOf(svg: string, variables: TemplateVariables): number {
  try {
    return createDrawing(svg, variables).costMs;
  } catch (error) {
    if (error instanceof InputError) return CHECK_COST_MS;
    throw error;
  }
}

/** Image of a message. Null when the design cannot be drawn with these variables; the message is then posted without an image. */
async function drawIfPossible(svg: string, variables: TemplateVariables, draw: RenderImage): Promise<Uint8Array<ArrayBuffer> | null> {
  try {
    return await draw(createDrawing(svg, variables));
  } catch (error) {
    if (!(error instanceof InputError)) logError('design could not be drawn', error, {});
    return null;
  }
}

function withoutUndefined({ name, event, svg }: DesignEdit) {
  return { ...(name === undefined ? {} : { name }), ...(event === undefined ? {} : { event }), ...(svg === undefined ? {} : { svg }) };
}

function requireMaxSize(svg: string): string {
  if (new TextEncoder().encode(svg).length > MAX_SVG_BYTES)
    throw new InputError('invalid', ['svg'], `must be at most ${MAX_SVG_BYTES} bytes`);
  return svg;
}
