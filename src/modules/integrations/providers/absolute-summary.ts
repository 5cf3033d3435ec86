import type { IntegrationEvent } from './provider.ts';
import { absoluteUrl } from './sentence.ts';

/** The sentence of an event as it was stored, in Markdown, with links that work from anywhere. */
export const absoluteSummary = ({ summary }: IntegrationEvent, baseUrl: string): string =>
  summary.replace(/\\.|\]\(\//gsu, (piece) =>
    piece === '](/' ? `](${absoluteUrl(baseUrl, '/')}` : piece,
  );
