import type { Giveaway } from './giveaway.domain.ts';

/** Mail to the winner. The code is shown only in the portal, because mail is not confidential. */
export function winnerMail({ title, prizeName }: Pick<Giveaway, 'title' | 'prizeName'>): { subject: string; text: string } {
  return {
    subject: `You won: ${prizeName}`,
    text: `Your entry in the giveaway "${title}" was drawn: you won ${prizeName}.\n\nSign in to the developer portal to see your prize code.\n`,
  };
}
