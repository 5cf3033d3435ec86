import type { Json, JsonObject } from '../../../events/index.ts';
import type { IntegrationEvent } from '../provider.ts';
import { leadsTo, plainText, readSentence } from '../sentence.ts';

const eventTable = 'BurgeeEvent';

/** New Relic's limits. */
const maxAttributes = 250;
const maxName = 255;
const maxValue = 4096;

const cut = (text: string) =>
  text.length <= maxValue ? text : `${text.slice(0, maxValue - 1).toWellFormed()}…`;

/** New Relic takes texts and numbers. */
const attributeOf = (value: Json): string | number => {
  if (typeof value === 'number') return value;
  return cut(typeof value === 'string' ? value : JSON.stringify(value));
};

/** The first level of an object. Deeper levels become JSON. */
const flat = (prefix: string, value: JsonObject | null): [string, string | number][] =>
  Object.entries(value ?? {})
    .filter(([, content]) => content !== null)
    .map(([key, content]) => [
      `${prefix}.${key.replace(/[^\w.:]/g, '_')}`.slice(0, maxName),
      attributeOf(content),
    ]);

/** An event as one row of the table `BurgeeEvent`. `text` may come from a template. */
export const attributesOf = (
  event: IntegrationEvent,
  baseUrl: string,
  text?: string,
): JsonObject => {
  const spans = readSentence(event.summary);
  const own: readonly [string, string | number | null | undefined][] = [
    ['eventType', eventTable],
    ['timestamp', Date.parse(event.createdAt)],
    ['eventId', event.id],
    ['type', event.type],
    ['label', event.label],
    ['summary', cut(text ?? plainText(spans))],
    ['createdBy', event.createdBy],
    ['createdByUserId', event.createdByUserId],
    ['project', event.project],
    ['environment', event.environment],
    ['featureName', event.featureName],
    ['tags', event.tags.map((tag) => `${tag.type}:${tag.value}`).join(', ') || null],
    ['url', leadsTo(spans, baseUrl)],
  ];
  const present = own.filter(
    (entry): entry is [string, string | number] => entry[1] !== null && entry[1] !== undefined,
  );
  const rest = [...flat('data', event.data), ...flat('preData', event.preData)];
  return Object.fromEntries([...present, ...rest].slice(0, maxAttributes));
};
