import { badRequest, notFound } from '../../../platform/errors/api-error.ts';
import { InputError } from '../../../platform/errors/input-error.ts';
import { applyRule } from '../../../platform/errors/input-fault.ts';
import { logError } from '../../../platform/logging.ts';
import { BoundedMap } from '../../../platform/storage/bounded-map.ts';
import type { UnixSeconds } from '../../../platform/time/clock.ts';
import { hashText } from '../../../platform/values/random-source.ts';
import type { DesignedImages } from '../designed-images.ts';
import { sampleVariables } from '../templates/samples.domain.ts';
import type { TemplateVariables } from '../templates/template.domain.ts';
import type { WebhookEvent } from '../webhook-events.data.ts';
import { createDrawing } from './design.domain.ts';
import type { RenderImage } from './design-drawer.ts';
import { MAX_DESIGNS, MAX_SVG_BYTES } from './design-limits.data.ts';
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
  /** Returns the changed design; null when the account does not have this design. */
  change(userId: string, id: string, changes: Partial<Omit<Design, 'id' | 'userId' | 'createdAt'>>): Promise<Design | null>;
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
  create(userId: string, input: CreateDesignInput, now: UnixSeconds): Promise<CheckedDesign>;
  edit(
    userId: string,
    id: string,
    input: { [Key in keyof CreateDesignInput]?: CreateDesignInput[Key] | undefined },
    now: UnixSeconds,
  ): Promise<CheckedDesign>;
  remove(userId: string, id: string): Promise<void>;
  /** PNG of a drawing with sample variables. */
  preview(svg: string, event: WebhookEvent, now: UnixSeconds): Promise<Uint8Array<ArrayBuffer>>;
  deleteAccountData(userId: string): Promise<void>;
}

export interface DesignsServiceDeps {
  repository: DesignsRepository;
  draw: RenderImage;
  newId(): string;
}

/** Check results cached per isolate. A check may take 50 ms of CPU time, and listing designs has no rate limit. */
const MAX_CACHED_CHECKS = 500;

const designNotFound = () => notFound('design not found');

export function createDesignsService({ repository, draw, newId }: DesignsServiceDeps): DesignsService {
  const checks = new BoundedMap<string, string | null>(MAX_CACHED_CHECKS);

  function withProblem(design: Design): CheckedDesign {
    const key = `${design.id} ${hashText(`${design.event} ${design.svg}`)}`;
    const cached = checks.get(key);
    const problem = cached === undefined ? problemOf(design) : cached;
    if (cached === undefined) checks.set(key, problem);
    return { ...design, problem };
  }

  /** Draws a design with sample variables. Throws 422 when it cannot be drawn. */
  async function testDraw(svg: string, event: WebhookEvent, now: UnixSeconds) {
    const drawing = applyRule('body', { svg }, () => createDrawing(requireMaxSize(svg), sampleVariables(event, now)));
    const png = await draw(drawing);
    if (png === null) applyRule('body', { svg }, rejectDrawing);
    return { png: png ?? new Uint8Array(), width: drawing.width, height: drawing.height };
  }

  async function findOwn(userId: string, id: string): Promise<Design> {
    const design = await repository.byId(id);
    if (design?.userId !== userId) throw designNotFound();
    return design;
  }

  return {
    list: async (userId) => (await repository.list(userId, MAX_DESIGNS)).map(withProblem),

    async create(userId, { name, event, svg }, now) {
      const { width, height } = await testDraw(svg, event, now);
      const design = { id: newId(), userId, name, event, svg, width, height, createdAt: now, updatedAt: now };
      if (!(await repository.add(design, MAX_DESIGNS))) throw badRequest(`an account may have ${MAX_DESIGNS} designs`);
      return withProblem(design);
    },

    async edit(userId, id, input, now) {
      const current = await findOwn(userId, id);
      const { name, event, svg } = { name: input.name ?? current.name, event: input.event ?? current.event, svg: input.svg ?? current.svg };
      const isSame = event === current.event && svg === current.svg;
      const { width, height } = isSame ? current : await testDraw(svg, event, now);
      const changed = await repository.change(userId, id, { name, event, svg, width, height, updatedAt: now });
      if (!changed) throw designNotFound();
      return withProblem(changed);
    },

    async remove(userId, id) {
      if (!(await repository.remove(userId, id))) throw designNotFound();
    },

    preview: async (svg, event, now) => (await testDraw(svg, event, now)).png,

    async render(designId, event, variables) {
      const design = designId === null ? null : await repository.byId(designId);
      const svg = designId === null ? BANNERS[event] : design?.event === event ? design.svg : undefined;
      return svg === undefined ? null : drawIfPossible(svg, variables, draw);
    },

    async owns(userId, designId, event) {
      const design = await repository.byId(designId);
      return design?.userId === userId && design.event === event;
    },

    deleteAccountData: (userId) => repository.deleteAccountData(userId),
  };
}

/** Why a design cannot be drawn with the sample variables of its event; null: it can. */
function problemOf({ svg, event, updatedAt }: Design): string | null {
  try {
    createDrawing(svg, sampleVariables(event, updatedAt));
    return null;
  } catch (error) {
    if (error instanceof InputError) return error.message;
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

function requireMaxSize(svg: string): string {
  if (new TextEncoder().encode(svg).length > MAX_SVG_BYTES)
    throw new InputError('invalid', ['svg'], `must be at most ${MAX_SVG_BYTES} bytes`);
  return svg;
}

function rejectDrawing(): never {
  throw new InputError('invalid', ['svg'], 'drawing failed');
}
