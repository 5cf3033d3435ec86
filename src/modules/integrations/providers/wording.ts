import type { IntegrationEvent } from './provider.ts';
import { absoluteUrl } from './sentence.ts';

/** The stored summary in Markdown, with absolute links. */
export const absoluteSummary = ({ summary }: IntegrationEvent, baseUrl: string): string =>
  summary.replace(/\\.|\]\(\//gsu, (piece) =>
    piece === '](/' ? `](${absoluteUrl(baseUrl, '/')}` : piece,
  );

/** The meaning of a colour. */
export type ColourMeaning = 'live' | 'new' | 'gone' | 'plain';

/** Events do not have the type of their environment, but most names show it. */
const live = /^prod/i;

export const findColourMeaning = ({ type, environment }: IntegrationEvent): ColourMeaning => {
  if (environment !== null && live.test(environment)) return 'live';
  if (/-(created|added|add|revived)$/.test(type)) return 'new';
  if (/-(deleted|removed|remove|archived)$/.test(type)) return 'gone';
  return 'plain';
};
