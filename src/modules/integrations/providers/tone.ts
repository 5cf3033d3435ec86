import type { IntegrationEvent } from './provider.ts';

/** What a colour can tell at a glance: it is live, new, gone, or none of these. */
export type Tone = 'live' | 'new' | 'gone' | 'plain';

/** Events do not say of which kind an environment is; by far most are named after it. */
const live = /^prod/i;

export const toneOf = ({ type, environment }: IntegrationEvent): Tone => {
  if (environment !== null && live.test(environment)) return 'live';
  if (/-(created|added|add|revived)$/.test(type)) return 'new';
  if (/-(deleted|removed|remove|archived)$/.test(type)) return 'gone';
  return 'plain';
};
