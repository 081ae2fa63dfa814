import type { WebhookEvent } from '../webhook-events.data.ts';

/** What an event says, by placeholder. Null: not known, and empty in texts. */
export type TemplateVariables = Readonly<Record<string, string | number | boolean | null>>;

/** A line of an embed: a name above a value. */
export interface TemplateField {
  name: string;
  value: string;
  /** Beside others rather than below them. */
  inline: boolean;
}

/** How an owner wants an event told. Texts hold placeholders; empty means left out. */
export interface Template {
  /** False: the event's default embed is posted instead. */
  enabled: boolean;
  /** Text above the embed. */
  content: string;
  title: string;
  /** Where the title links to. */
  url: string;
  description: string;
  /** `#RRGGBB`, `RRGGBB` or a decimal number; anything else is no colour. */
  color: string;
  fields: TemplateField[];
  footer: string;
  show_image: boolean;
  /** Design of the owner's that is drawn for each post. */
  image_design_id: string | null;
  /** Address of a picture, where there is no design. */
  image_url: string;
}

/** Templates by event, for those that have one. */
export type Templates = Partial<Record<WebhookEvent, Template>>;
