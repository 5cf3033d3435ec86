import type { ToldEvent } from './provider.ts';
import { absoluteUrl } from './sentence.ts';

/** The sentence of an event as it was stored, in Markdown, with links that work from anywhere. */
export const absoluteSummary = ({ summary }: ToldEvent, baseUrl: string): string =>
  summary.replace(/\\.|\]\(\//gsu, (piece) =>
    piece === '](/' ? `](${absoluteUrl(baseUrl, '/')}` : piece,
  );
