/** Limits of messages of the chat service. */
const LIMITS = { content: 2000, title: 256, description: 4096, name: 256, value: 1024, footer: 2048, fields: 25, embeds: 10, embed: 6000 };

type Part = Readonly<Record<string, unknown>>;

/** Reasons why the chat service would refuse a message with these attachments; empty if it would accept it. */
export function messageFaults(message: unknown, filenames: readonly string[] = []): string[] {
  if (!isPart(message)) return ['not an object'];
  const embeds = Array.isArray(message.embeds) ? message.embeds.filter(isPart) : [];
  const isEmpty = isBlank(message.content) && embeds.length === 0 && filenames.length === 0;
  const total = embeds.reduce((sum, embed) => sum + lengthOfEmbed(embed), 0);
  return [
    ...(isEmpty ? ['empty message'] : []),
    ...(embeds.length > LIMITS.embeds ? ['too many embeds'] : []),
    ...textFaults('content', message.content, LIMITS.content),
    ...(total > LIMITS.embed ? [`embeds: ${total} characters`] : []),
    ...embeds.flatMap((embed) => embedFaults(embed, filenames)),
  ];
}

function embedFaults(embed: Part, filenames: readonly string[]): string[] {
  const fields = fieldsOf(embed);
  const visibleParts = ['title', 'description', 'fields', 'footer', 'image'].filter((part) => embed[part] !== undefined);
  return [
    ...(visibleParts.length === 0 ? ['empty embed'] : []),
    ...textFaults('title', embed.title, LIMITS.title),
    ...textFaults('description', embed.description, LIMITS.description),
    ...(fields.length > LIMITS.fields ? ['too many fields'] : []),
    ...fields.flatMap(({ name, value }) => [
      ...textFaults('field name', name ?? '', LIMITS.name),
      ...textFaults('field value', value ?? '', LIMITS.value),
    ]),
    ...textFaults('footer', isPart(embed.footer) ? embed.footer.text : undefined, LIMITS.footer),
    ...addressFaults('url', embed.url, []),
    ...addressFaults('image', isPart(embed.image) ? embed.image.url : undefined, filenames),
    ...(isColor(embed.color) ? [] : ['color']),
  ];
}

/** A text must not be blank or too long. */
function textFaults(name: string, text: unknown, max: number): string[] {
  if (text === undefined || text === null) return [];
  if (typeof text !== 'string' || text.trim() === '') return [`${name} is blank`];
  return text.length > max ? [`${name} has ${text.length} characters`] : [];
}

function addressFaults(name: string, address: unknown, filenames: readonly string[]): string[] {
  if (address === undefined) return [];
  const text = String(address);
  if (text.startsWith('attachment://')) return filenames.includes(text.slice('attachment://'.length)) ? [] : [`${name} is not attached`];
  return /^https?:\/\/[^\s/]/.test(text) && URL.canParse(text) && text.length <= 2048 ? [] : [`${name} must be a URL`];
}

function isColor(color: unknown): boolean {
  return color === undefined || (Number.isInteger(color) && Number(color) >= 0 && Number(color) <= 0xffffff);
}

function lengthOfEmbed(embed: Part): number {
  const texts = [embed.title, embed.description, isPart(embed.footer) ? embed.footer.text : undefined];
  return [...texts, ...fieldsOf(embed).flatMap(({ name, value }) => [name, value])].reduce<number>(
    (sum, text) => sum + (typeof text === 'string' ? text.length : 0),
    0,
  );
}

const fieldsOf = (embed: Part) => (Array.isArray(embed.fields) ? embed.fields.filter(isPart) : []);
const isPart = (value: unknown): value is Part => typeof value === 'object' && value !== null && !Array.isArray(value);
const isBlank = (value: unknown) => typeof value !== 'string' || value.trim() === '';
