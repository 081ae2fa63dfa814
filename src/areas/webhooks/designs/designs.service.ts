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
import { drawingOf } from './design.domain.ts';
import type { RenderImage } from './design-drawer.ts';
import { MAX_DESIGNS, MAX_SVG_BYTES } from './design-limits.data.ts';
import { BANNERS } from './design-starters.data.ts';

/** A picture that an account has designed for the messages of an event. */
export interface Design {
  id: string;
  userId: string;
  name: string;
  event: WebhookEvent;
  /** The drawing as it was written, with its placeholders. */
  svg: string;
  /** In pixels. */
  width: number;
  height: number;
  createdAt: UnixSeconds;
  updatedAt: UnixSeconds;
}

/** A design as its owner sees it. */
export interface CheckedDesign extends Design {
  /** Why it is not drawn; null when it is. The rules may have become stricter since it was stored. */
  problem: string | null;
}

export interface DesignsRepository {
  /** Designs of an account, newest first. */
  list(userId: string, limit: number): Promise<Design[]>;
  byId(id: string): Promise<Design | null>;
  /** Adds a design unless its account has so many; tells whether it did. */
  add(design: Design, max: number): Promise<boolean>;
  /** Changes a design of the account and gives it as it is then; null when there is none. */
  change(userId: string, id: string, changes: Partial<Omit<Design, 'id' | 'userId' | 'createdAt'>>): Promise<Design | null>;
  remove(userId: string, id: string): Promise<boolean>;
  /** Removes what an account has. */
  deleteAccountData(userId: string): Promise<void>;
}

export interface CreateDesignInput {
  name: string;
  event: WebhookEvent;
  svg: string;
}

export interface DesignsService extends DesignedImages {
  list(userId: string): Promise<CheckedDesign[]>;
  /** Throws 422 for a drawing that is not allowed, 400 when the account has its number. */
  create(userId: string, input: CreateDesignInput, now: UnixSeconds): Promise<CheckedDesign>;
  edit(
    userId: string,
    id: string,
    input: { [Key in keyof CreateDesignInput]?: CreateDesignInput[Key] | undefined },
    now: UnixSeconds,
  ): Promise<CheckedDesign>;
  remove(userId: string, id: string): Promise<void>;
  /** PNG of a drawing with made-up variables. */
  preview(svg: string, event: WebhookEvent, now: UnixSeconds): Promise<Uint8Array<ArrayBuffer>>;
  deleteAccountData(userId: string): Promise<void>;
}

export interface DesignsServiceDeps {
  repository: DesignsRepository;
  draw: RenderImage;
  newId(): string;
}

/** Designs whose check an isolate remembers: one may take some 50 ms of processor time, and lists are not counted. */
const REMEMBERED_CHECKS = 500;

const noSuchDesign = () => notFound('design not found');

export function createDesignsService({ repository, draw, newId }: DesignsServiceDeps): DesignsService {
  const checks = new BoundedMap<string, string | null>(REMEMBERED_CHECKS);

  function checked(design: Design): CheckedDesign {
    const key = `${design.id} ${hashText(`${design.event} ${design.svg}`)}`;
    const known = checks.get(key);
    const problem = known === undefined ? problemOf(design) : known;
    if (known === undefined) checks.set(key, problem);
    return { ...design, problem };
  }

  /** Draws a design once, with made-up variables: what is kept can be drawn. */
  async function tried(svg: string, event: WebhookEvent, now: UnixSeconds) {
    const drawing = applyRule('body', { svg }, () => drawingOf(withinBounds(svg), sampleVariables(event, now)));
    const png = await draw(drawing);
    if (png === null) applyRule('body', { svg }, refuseToDraw);
    return { png: png ?? new Uint8Array(), width: drawing.width, height: drawing.height };
  }

  async function own(userId: string, id: string): Promise<Design> {
    const design = await repository.byId(id);
    if (design?.userId !== userId) throw noSuchDesign();
    return design;
  }

  return {
    list: async (userId) => (await repository.list(userId, MAX_DESIGNS)).map(checked),

    async create(userId, { name, event, svg }, now) {
      const { width, height } = await tried(svg, event, now);
      const design = { id: newId(), userId, name, event, svg, width, height, createdAt: now, updatedAt: now };
      if (!(await repository.add(design, MAX_DESIGNS))) throw badRequest(`an account may have ${MAX_DESIGNS} designs`);
      return checked(design);
    },

    async edit(userId, id, input, now) {
      const before = await own(userId, id);
      const { name, event, svg } = { name: input.name ?? before.name, event: input.event ?? before.event, svg: input.svg ?? before.svg };
      const isSame = event === before.event && svg === before.svg;
      const { width, height } = isSame ? before : await tried(svg, event, now);
      const changed = await repository.change(userId, id, { name, event, svg, width, height, updatedAt: now });
      if (!changed) throw noSuchDesign();
      return checked(changed);
    },

    async remove(userId, id) {
      if (!(await repository.remove(userId, id))) throw noSuchDesign();
    },

    preview: async (svg, event, now) => (await tried(svg, event, now)).png,

    async render(designId, event, variables) {
      const design = designId === null ? null : await repository.byId(designId);
      const svg = designId === null ? BANNERS[event] : design?.event === event ? design.svg : undefined;
      return svg === undefined ? null : drawOrNothing(svg, variables, draw);
    },

    async owns(userId, designId, event) {
      const design = await repository.byId(designId);
      return design?.userId === userId && design.event === event;
    },

    deleteAccountData: (userId) => repository.deleteAccountData(userId),
  };
}

/** Why a design cannot be drawn with the made-up values of its event. */
function problemOf({ svg, event, updatedAt }: Design): string | null {
  try {
    drawingOf(svg, sampleVariables(event, updatedAt));
    return null;
  } catch (error) {
    if (error instanceof InputError) return error.message;
    throw error;
  }
}

/** The picture of a message; none for variables that a design cannot take: the message is worth posting without it. */
async function drawOrNothing(svg: string, variables: TemplateVariables, draw: RenderImage): Promise<Uint8Array<ArrayBuffer> | null> {
  try {
    return await draw(drawingOf(svg, variables));
  } catch (error) {
    if (!(error instanceof InputError)) logError('design could not be drawn', error, {});
    return null;
  }
}

function withinBounds(svg: string): string {
  if (new TextEncoder().encode(svg).length > MAX_SVG_BYTES)
    throw new InputError('invalid', ['svg'], `must be at most ${MAX_SVG_BYTES} bytes`);
  return svg;
}

function refuseToDraw(): never {
  throw new InputError('invalid', ['svg'], 'drawing failed');
}
