import type { Response } from '../api.ts';
import { type TypeWords, typeWords } from './type-words.ts';

export type LogEvent = Response<'GET /api/admin/search/events'>['events'][number];

/** What a sentence is made of. A page draws names in bold and links what has a page. */
export type SentencePiece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'name'; readonly text: string }
  | { readonly kind: 'link'; readonly text: string; readonly to: string };

export type EventForSentence = Pick<
  LogEvent,
  'type' | 'createdBy' | 'featureName' | 'project' | 'environment' | 'data' | 'preData' | 'summary'
>;

const plain = (text: string): SentencePiece => ({ kind: 'text', text });
const named = (text: string): SentencePiece => ({ kind: 'name', text });

const segment = encodeURIComponent;

/** A value of the data by its path, `clonedFrom.feature`. */
function valueAt(data: unknown, path: readonly string[]): string | undefined {
  const value = path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null
        ? (inner as Record<string, unknown>)[key]
        : undefined,
    data,
  );
  if (typeof value === 'string') return value === '' ? undefined : value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

function pieceFor(name: string, event: EventForSentence): SentencePiece | undefined {
  const { featureName, project, environment, createdBy, data, preData } = event;
  const [first = '', ...path] = name.split('.');
  switch (first) {
    case 'actor':
      return named(createdBy);
    case 'feature': {
      if (featureName === null) return undefined;
      if (project === null) return named(featureName);
      const to = `/projects/${segment(project)}/features/${segment(featureName)}`;
      return { kind: 'link', text: featureName, to };
    }
    case 'project':
      return project === null
        ? undefined
        : { kind: 'link', text: project, to: `/projects/${segment(project)}` };
    case 'environment':
      return environment === null ? undefined : named(environment);
    default: {
      const text = valueAt(first === 'data' ? data : preData, path);
      return text === undefined ? undefined : named(text);
    }
  }
}

/** The first of `{data.title|data.name}` that has a value. */
const firstPiece = (names: string, event: EventForSentence): SentencePiece | undefined =>
  names
    .split('|')
    .map((name) => pieceFor(name, event))
    .find((piece) => piece !== undefined);

/** Undefined where a value is missing. */
function filled(template: string, event: EventForSentence): SentencePiece[] | undefined {
  const pieces: SentencePiece[] = [];
  for (const part of template.split(/(\{[^}]+\})/)) {
    if (!part.startsWith('{')) {
      if (part !== '') pieces.push(plain(part));
      continue;
    }
    const piece = firstPiece(part.slice(1, -1), event);
    if (!piece) return undefined;
    pieces.push(piece);
  }
  return pieces;
}

const markdownToken = /\*\*((?:\\.|[^*\\])+)\*\*|\[((?:\\.|[^\]\\])+)\]\(([^)]+)\)/g;
const unescaped = (text: string): string => text.replace(/\\(.)/g, '$1');

/** The sentence that the log has stored: Markdown, with links to pages of this installation. */
function storedPieces(summary: string): SentencePiece[] {
  const pieces: SentencePiece[] = [];
  let last = 0;
  for (const found of summary.matchAll(markdownToken)) {
    const [whole, bold, label = '', address = ''] = found;
    if (found.index > last) pieces.push(plain(unescaped(summary.slice(last, found.index))));
    last = found.index + whole.length;
    const text = unescaped(bold ?? label.replace(/^\*\*|\*\*$/g, ''));
    const isOurs = bold === undefined && /^\/(?!\/)/.test(address);
    pieces.push(isOurs ? { kind: 'link', text, to: address } : named(text));
  }
  if (last < summary.length) pieces.push(plain(unescaped(summary.slice(last))));
  return pieces;
}

const wordsOf = (type: string): TypeWords | undefined =>
  (typeWords as Readonly<Record<string, TypeWords>>)[type];

/** What the type is called in lists: "switched on". */
export const labelOf = (type: string): string => wordsOf(type)?.label ?? type.replaceAll('-', ' ');

/** What happened, in one sentence. */
export function sentenceOf(event: EventForSentence): readonly SentencePiece[] {
  const words = wordsOf(event.type);
  if (words?.stored && event.summary) return storedPieces(event.summary);
  const template = words?.sentence ?? '';
  const parts = template.split(/(\[[^\]]+\])/).map((part) => {
    const isOptional = part.startsWith('[');
    const pieces = filled(isOptional ? part.slice(1, -1) : part, event);
    return pieces ?? (isOptional ? [] : undefined);
  });
  if (template !== '' && parts.every((part) => part !== undefined)) return parts.flat();
  if (event.summary) return storedPieces(event.summary);
  return [named(event.createdBy), plain(`: ${labelOf(event.type)}`)];
}

/** For names of controls and for titles. */
export const sentenceText = (event: EventForSentence): string =>
  sentenceOf(event)
    .map(({ text }) => text)
    .join('');

/** On, off, added, removed: a sign before the sentence, with its word for those who do not see it. */
export type Tone = 'on' | 'off' | 'added' | 'removed' | 'changed';

export function toneOf(type: string): Tone {
  if (/-enabled$|-revived$|-reactivated$/.test(type)) return 'on';
  if (/-disabled$|-archived$|-deprecated$/.test(type)) return 'off';
  if (/-(deleted|removed|remove|untagged|discarded|rejected)$|^drop-/.test(type)) return 'removed';
  if (/-(created|added|add|tagged|import|imported|applied|approved)$/.test(type)) return 'added';
  return 'changed';
}
