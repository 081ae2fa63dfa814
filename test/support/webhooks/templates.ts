/** The stored template of an event with the default of every field. */
export const DEFAULT_TEMPLATE = {
  enabled: true,
  content: '',
  title: '',
  url: '',
  description: '',
  color: '',
  fields: [] as { name: string; value: string; inline: boolean }[],
  footer: '',
  show_image: true,
  image_design_id: null,
  image_url: '',
};
