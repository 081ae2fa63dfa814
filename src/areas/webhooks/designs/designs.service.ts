import type { DrawingBudget } from '../../../platform/access/policy/drawing-budget.ts';
import { ApiError, badRequest, notFound } from '../../../platform/kit/errors/api-error.ts';
import { InputError } from '../../../platform/kit/errors/input-error.ts';
import { applyRule } from '../../../platform/kit/errors/input-fault.ts';
import { logError } from '../../../platform/kit/logging.ts';
import { hashText } from '../../../platform/kit/random.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { Settings } from '../../../platform/settings/settings.data.ts';
import { BoundedMap } from '../../../platform/storage/memory-caches.ts';
import type { DesignedImages } from '../designed-images.service.ts';
import type { TemplateVariables } from '../templates/template.domain.ts';
import type { WebhookEvent, WebhookEvents } from '../webhook-events.domain.ts';
import { createDrawing } from './design.domain.ts';
import type { RenderImage } from './design-drawer.service.ts';
import { CHECK_COST_MS, MAX_DESIGNS, MAX_SVG_BYTES } from './design-limits.data.ts';
import { BANNERS } from './design-starters.data.ts';

/** An image that an account designed for the messages of an event. */
export interface Design {
  id: string;
  userId: string;
  name: string;
  event: WebhookEvent;
  /** Source SVG with placeholders. */
  svg: string;
  /** In pixels. */
  width: number;
  height: number;
  createdAt: UnixSeconds;
  updatedAt: UnixSeconds;
}

/** A design with the result of its check. */
export interface CheckedDesign extends Design {
  /** Why the design cannot be drawn; null: it can. The rules may have become stricter since the design was stored. */
  problem: string | null;
}

export interface DesignsRepository {
  /** Designs of an account, newest first. */
  list(userId: string, limit: number): Promise<Design[]>;
  byId(id: string): Promise<Design | null>;
  /** False when the account already has `max` designs. */
  add(design: Design, max: number): Promise<boolean>;
  /** Changes the given fields while the design has the fields of `read`. Returns the changed design; null when it was not changed. */
  change(
    read: Pick<Design, 'id' | 'userId'> & Partial<Pick<Design, 'svg' | 'event'>>,
    changes: Partial<Omit<Design, 'id' | 'userId' | 'createdAt'>>,
  ): Promise<Design | null>;
  remove(userId: string, id: string): Promise<boolean>;
  deleteAccountData(userId: string): Promise<void>;
}

export interface CreateDesignInput {
  name: string;
  event: WebhookEvent;
  svg: string;
}

export interface DesignsService extends DesignedImages {
  list(userId: string): Promise<CheckedDesign[]>;
  /** Throws 422 for a drawing that is not allowed, 400 when the account has reached its limit. */
  create(userId: string, input: CreateDesignInput, settings: Settings, now: UnixSeconds): Promise<CheckedDesign>;
  /** Changes the given fields. Throws 404, 422 as `create` does, and 409 when drawing and event were changed concurrently. */
  edit(
    userId: string,
    id: string,
    input: { [Key in keyof CreateDesignInput]?: CreateDesignInput[Key] | undefined },
    settings: Settings,
    now: UnixSeconds,
  ): Promise<CheckedDesign>;
  remove(userId: string, id: string): Promise<void>;
  /** PNG of a drawing with sample variables. */
  preview(userId: string, svg: string, event: WebhookEvent, settings: Settings, now: UnixSeconds): Promise<Uint8Array<ArrayBuffer>>;
  deleteAccountData(userId: string): Promise<void>;
}

export interface DesignsServiceDeps {
  repository: DesignsRepository;
  events: Pick<WebhookEvents, 'sampleVariables'>;
  draw: RenderImage;
  drawings: Pick<DrawingBudget, 'require'>;
  newId(): string;
}

/** Check results cached per isolate. A check may take 50 ms of CPU time, and listing designs has no rate limit. */
const MAX_CACHED_CHECKS = 500;

const designNotFound = () => notFound('design not found');

export function createDesignsService({ repository, events, draw, drawings, newId }: DesignsServiceDeps): DesignsService {
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
    if (png === null) applyRule('body', { svg }, rejectDrawing);
    return { png: png ?? new Uint8Array(), width: drawing.width, height: drawing.height };
  }

  async function findOwn(userId: string, id: string): Promise<Design> {
    const design = await repository.byId(id);
    if (design?.userId !== userId) throw designNotFound();
    return design;
  }

  /** Source of the design of an event, or of the default banner; undefined: does not exist. */
  async function sourceOf(designId: string | null, event: WebhookEvent): Promise<string | undefined> {
    const design = designId === null ? null : await repository.byId(designId);
    return designId === null ? BANNERS[event] : design?.event === event ? design.svg : undefined;
  }

  /** Throws 404, and 409 when the design no longer has the fields of `read`. */
  async function change(...[read, changes]: Parameters<DesignsRepository['change']>): Promise<CheckedDesign> {
    const changed = await repository.change(read, changes);
    if (changed) return withProblem(changed);
    await findOwn(read.userId, read.id);
    throw new ApiError('conflict', 'the design was changed concurrently', { hint: 'read the design and edit it again' });
  }

  return {
    list: async (userId) => (await repository.list(userId, MAX_DESIGNS)).map(withProblem),

    async create(userId, { name, event, svg }, settings, now) {
      const { width, height } = await testDraw(userId, svg, event, settings, now);
      const design = { id: newId(), userId, name, event, svg, width, height, createdAt: now, updatedAt: now };
      if (!(await repository.add(design, MAX_DESIGNS))) throw badRequest(`an account may have ${MAX_DESIGNS} designs`);
      return withProblem(design);
    },

    async edit(userId, id, input, settings, now) {
      const current = await findOwn(userId, id);
      const { svg = current.svg, event = current.event } = input;
      const changes = { ...withoutUndefined(input), updatedAt: now };
      if (svg === current.svg && event === current.event) return change({ id, userId }, changes);
      const { width, height } = await testDraw(userId, svg, event, settings, now);
      // The drawing was checked for this event, so the one of the two that is not given must not have changed.
      const read = { ...(input.svg === undefined ? { svg } : {}), ...(input.event === undefined ? { event } : {}) };
      return change({ id, userId, ...read }, { ...changes, width, height });
    },

    async remove(userId, id) {
      if (!(await repository.remove(userId, id))) throw designNotFound();
    },

    preview: async (...given) => (await testDraw(...given)).png,

    async render(designId, event, variables) {
      const svg = await sourceOf(designId, event);
      return svg === undefined ? null : drawIfPossible(svg, variables, draw);
    },

    async costOf(designId, event, variables) {
      const svg = await sourceOf(designId, event);
      return svg === undefined ? 0 : costOf(svg, variables);
    },

    async owns(userId, designId, event) {
      const design = await repository.byId(designId);
      return design?.userId === userId && design.event === event;
    },

    deleteAccountData: (userId) => repository.deleteAccountData(userId),
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

function withoutUndefined({ name, event, svg }: { [Key in keyof CreateDesignInput]?: CreateDesignInput[Key] | undefined }) {
  return { ...(name === undefined ? {} : { name }), ...(event === undefined ? {} : { event }), ...(svg === undefined ? {} : { svg }) };
}

function requireMaxSize(svg: string): string {
  if (new TextEncoder().encode(svg).length > MAX_SVG_BYTES)
    throw new InputError('invalid', ['svg'], `must be at most ${MAX_SVG_BYTES} bytes`);
  return svg;
}

function rejectDrawing(): never {
  throw new InputError('invalid', ['svg'], 'drawing failed');
}
