import type { JsonObject } from '../../../events/index.ts';
import type { IntegrationEvent } from '../provider.ts';
import {
  beginsWith,
  escapeMarkdown,
  leadsTo,
  markdown,
  plainText,
  readSentence,
  type Span,
  shorten,
} from '../sentence.ts';
import { type ColourMeaning, findColourMeaning } from '../wording.ts';

/** Discord's limits. All texts of an embed together may have 6000 characters. */
const most = { title: 256, description: 4096, field: 120 };

const colours: Readonly<Record<ColourMeaning, number>> = {
  live: 0xd9480f,
  new: 0x2b8a3e,
  gone: 0x868e96,
  plain: 0x1c7ed6,
};

export function embedOf(event: IntegrationEvent, baseUrl: string): JsonObject {
  const spans = readSentence(event.summary);
  const url = leadsTo(spans, baseUrl);
  return {
    title: event.label.slice(0, most.title),
    ...(url !== undefined && hasDomain(url) ? { url } : {}),
    description: fitted(spans, baseUrl),
    color: colours[findColourMeaning(event)],
    fields: [
      ...field('Project', event.project),
      ...field('Environment', event.environment),
      ...field('Feature', event.featureName),
      ...(beginsWith(spans, event.createdBy) ? [] : field('By', event.createdBy)),
    ],
    timestamp: event.createdAt,
  };
}

/** Discord refuses the whole message for a URL such as `http://burgee:4242`, whose host has no dot. */
const hasDomain = (url: string) => /\.[^.]/.test(new URL(url).hostname);

/** Escapes and URLs count too, so the sentence is shortened until everything fits. */
const fitted = (spans: readonly Span[], baseUrl: string): string => {
  let remaining = most.description;
  while (remaining > 0) {
    const text = markdown(shorten(spans, remaining), baseUrl);
    if (text.length <= most.description) return text;
    remaining -= text.length - most.description;
  }
  return escapeMarkdown(plainText(shorten(spans, most.description / 2)));
};

const field = (name: string, value: string | null): JsonObject[] => {
  if (!value) return [];
  const text = plainText(shorten([{ text: value, bold: false }], most.field));
  return [{ name, value: escapeMarkdown(text), inline: true }];
};
