import { readableTime } from '../../kit/time/readable.ts';
import type { HeldNotice } from './mail.repository.ts';

/** Merges notices into one mail, oldest first. A paragraph that several notices share appears once. */
export function mergedMail(appName: string, notices: readonly HeldNotice[]): { subject: string; text: string } {
  const [first] = notices;
  if (notices.length === 1 && first?.repeats === 0) return { subject: first.subject, text: first.text ?? '' };
  const includedParagraphs = new Set<string>();
  const sections = notices.map(({ subject, text, createdAt, repeats }) => {
    const paragraphs = (text ?? '').trim().split('\n\n');
    const newParagraphs = paragraphs.filter((paragraph) => !includedParagraphs.has(paragraph));
    for (const paragraph of newParagraphs) includedParagraphs.add(paragraph);
    const more = repeats === 0 ? [] : [`${repeats} more ${repeats === 1 ? 'notice' : 'notices'} with this subject followed.`];
    return [`${readableTime(createdAt)} - ${subject.replace(`${appName}: `, '')}`, ...newParagraphs, ...more].join('\n\n');
  });
  const total = notices.reduce((sum, { repeats }) => sum + 1 + repeats, 0);
  return {
    subject: `${appName}: ${total} notices about your account`,
    text: `${['This mail combines several notices sent within a short time.', ...sections].join('\n\n')}\n`,
  };
}
