import type { WebhookEvent } from '../webhook-events.domain.ts';

/** Values of an event by placeholder. Null: unknown, shown as empty. */
export type TemplateVariables = Readonly<Record<string, string | number | boolean | null>>;

/** A line of an embed: a name above a value. */
export interface TemplateField {
  name: string;
  value: string;
  /** Whether the field is shown beside others. */
  inline: boolean;
}

/** Message template of an event. Texts contain placeholders; empty texts are omitted. */
export interface Template {
  /** False: the event's default embed is posted instead. */
  enabled: boolean;
  /** Text above the embed. */
  content: string;
  title: string;
  /** Link of the title. */
  url: string;
  description: string;
  /** `#RRGGBB`, `RRGGBB` or a decimal number; other values are ignored. */
  color: string;
  fields: TemplateField[];
  footer: string;
  show_image: boolean;
  /** Design of the account, drawn for each post. */
  image_design_id: string | null;
  /** URL of an image; used without a design. */
  image_url: string;
}

/** Templates by event. */
export type Templates = Partial<Record<WebhookEvent, Template>>;
