import { eventLabels } from '../../../src/modules/events/event-types-schema.ts';
import { plainText, readSentence, type Span } from '../../../src/modules/events/sentence.ts';
import type { Response } from '../api.ts';

export type LogEvent = Response<'GET /api/admin/search/events'>['events'][number];

export type EventForSentence = Pick<LogEvent, 'createdBy' | 'label' | 'summary' | 'type'>;

/** What people call a type of event: "Feature created". */
export const labelOf = (type: string): string =>
  (eventLabels as Readonly<Record<string, string>>)[type] ?? type;

/** The path of a page here. A summary never links elsewhere. */
export const pagePath = ({ path }: Span): string | undefined =>
  path !== undefined && /^\/(?!\/)/.test(path) ? path : undefined;

/** The sentence that was recorded with the event. */
export const sentenceOf = ({ createdBy, label, summary, type }: EventForSentence): Span[] =>
  summary
    ? readSentence(summary)
    : [
        { text: createdBy, bold: true },
        { text: `: ${label ?? labelOf(type)}`, bold: false },
      ];

/** For names of controls and for titles. */
export const sentenceText = (event: EventForSentence): string => plainText(sentenceOf(event));

/** On, off, added, removed: a sign before the sentence, with its word for those who do not see it. */
export type Tone = 'on' | 'off' | 'added' | 'removed' | 'changed';

export function toneOf(type: string): Tone {
  if (/-enabled$|-revived$|-reactivated$/.test(type)) return 'on';
  if (/-disabled$|-archived$|-deprecated$/.test(type)) return 'off';
  if (/-(deleted|removed|remove|untagged|discarded|rejected)$|^drop-/.test(type)) return 'removed';
  if (/-(created|added|add|tagged|import|imported|applied|approved)$/.test(type)) return 'added';
  return 'changed';
}
