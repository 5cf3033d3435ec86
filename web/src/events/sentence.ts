import { eventLabels } from '../../../src/modules/events/event-types-schema.ts';
import { plainText, readSentence, type Span } from '../../../src/modules/events/sentence.ts';
import type { Response } from '../api.ts';
import { actorName, type Directory } from '../directory.ts';
import { capitalized } from '../ui/format.ts';

export type LogEvent = Response<'GET /api/admin/search/events'>['events'][number];

export type EventForSentence = Pick<LogEvent, 'createdBy' | 'label' | 'summary' | 'type'> &
  Partial<Pick<LogEvent, 'createdByUserId'>>;

/** The name of an event type: "Feature created". */
export const labelOf = (type: string): string =>
  (eventLabels as Readonly<Record<string, string>>)[type] ?? capitalized(type.replaceAll('-', ' '));

/** The path of a page here. A summary never links elsewhere. */
export const pagePath = ({ path }: Span): string | undefined =>
  path !== undefined && /^\/(?!\/)/.test(path) ? path : undefined;

export interface SentenceSpan extends Span {
  /** The email address or the id behind a name. */
  readonly note?: string;
}

/** Links to a project and texts after "project" are ids of projects, as is where a feature was moved from. */
const isProject = ({ path }: Span, before: string, type: string): boolean =>
  path === undefined
    ? /\bproject $/.test(before) || (type === 'feature-project-change' && /\bfrom $/.test(before))
    : /^\/projects\/[^/?#]+$/.test(path);

/** Names instead of the addresses and ids that were recorded. The actor is the first name. */
function withNames(
  span: Span,
  index: number,
  spans: readonly Span[],
  event: EventForSentence,
  directory: Directory,
): SentenceSpan {
  if (!span.bold) return span;
  const before = spans[index - 1]?.text ?? '';
  if (isProject(span, before, event.type)) {
    const name = directory.project(span.text) ?? span.text;
    return name === span.text ? span : { ...span, text: name, note: span.text };
  }
  if (span.path !== undefined) return span;
  const isUser = /\busers? $/.test(before);
  const isId = /^\d+$/.test(span.text);
  if (isId && /\bgroup $/.test(before)) {
    const name = directory.group(Number(span.text));
    return name === undefined ? span : { ...span, text: name, note: `Group ${span.text}` };
  }
  const user =
    index === 0 && span.text === event.createdBy
      ? directory.user(event.createdByUserId)
      : isUser && isId
        ? directory.user(Number(span.text))
        : isUser || span.text.includes('@')
          ? directory.userBySignIn(span.text)
          : undefined;
  if (!user) return span;
  return { ...span, text: user.name, note: user.note || (isId ? `User ${span.text}` : '') };
}

/** The sentence that was recorded with the event, with the names that users, groups and projects have now. */
export function sentenceOf(event: EventForSentence, directory: Directory): SentenceSpan[] {
  const { label, summary, type } = event;
  if (summary) {
    return readSentence(summary).map((span, index, spans) =>
      withNames(span, index, spans, event, directory),
    );
  }
  const { name, note } = actorName(event, directory);
  return [
    { text: name, bold: true, note },
    { text: ` · ${label ?? labelOf(type)}`, bold: false },
  ];
}

/** For names of controls and for titles. */
export const sentenceText = (event: EventForSentence, directory: Directory): string =>
  plainText(sentenceOf(event, directory));

/** Selects the icon before the sentence. */
export type Tone = 'on' | 'off' | 'added' | 'removed' | 'changed';

export function toneOf(type: string): Tone {
  if (/-enabled$|-revived$|-reactivated$/.test(type)) return 'on';
  if (/-disabled$|-archived$|-deprecated$/.test(type)) return 'off';
  if (/-(deleted|removed|remove|untagged|discarded|rejected)$|^drop-/.test(type)) return 'removed';
  if (/-(created|added|add|tagged|import|imported|applied|approved)$/.test(type)) return 'added';
  return 'changed';
}
