import type { Giveaway } from './giveaway.domain.ts';

/** What the winner is told. The code itself stays in the portal: mail passes through many hands. */
export function winnerMail({ title, prizeName }: Pick<Giveaway, 'title' | 'prizeName'>): { subject: string; text: string } {
  return {
    subject: `You won: ${prizeName}`,
    text: `Your entry in the giveaway "${title}" was drawn: you won ${prizeName}.\n\nSign in to the developer portal to see your code.\n`,
  };
}
