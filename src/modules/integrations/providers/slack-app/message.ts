import type { JsonObject } from '../../../events/index.ts';
import type { IntegrationEvent, Message } from '../provider.ts';
import {
  absoluteUrl,
  escapeMrkdwn,
  leadsTo,
  mrkdwn,
  plainText,
  readSentence,
  type Span,
  shorten,
} from '../sentence.ts';

/** The longest text that Slack shows. */
const maxCharacters = 3000;

/** The message for Slack. */
export type SlackText = {
  /** For notifications, screen readers, and compatible servers without blocks. */
  readonly message: string;
  /** For Slack. */
  readonly blocks: readonly JsonObject[];
  /** The original length, if the text was too long for Slack. */
  readonly trimmedFrom?: number;
};

export function slackText(event: IntegrationEvent, baseUrl: string): SlackText {
  const sentence = readSentence(event.summary);
  const { length } = plainText(sentence);
  const spans = shorten(sentence, maxCharacters);
  return {
    message: mrkdwn(spans, baseUrl),
    blocks: [richText(spans, baseUrl), context(event, spans, baseUrl)],
    ...(length > maxCharacters ? { trimmedFrom: length } : {}),
  };
}

/** Blocks repeat the text at five times the length. */
export const withoutBlocks = ({ blocks, ...rest }: Message): JsonObject => rest;

export const trimmingNote = ({ trimmedFrom }: SlackText): string | undefined =>
  trimmedFrom === undefined
    ? undefined
    : `The message has ${trimmedFrom} characters (trimmed to ${maxCharacters} characters).`;

/** Formatting is separate from the text, so no name can be read as a link, a mention or an emoji. */
const richText = (spans: readonly Span[], baseUrl: string): JsonObject => ({
  type: 'rich_text',
  elements: [
    {
      type: 'rich_text_section',
      elements: spans.map(({ text, bold, path }) => ({
        ...(path === undefined
          ? { type: 'text', text }
          : { type: 'link', url: absoluteUrl(baseUrl, path), text }),
        ...(bold ? { style: { bold } } : {}),
      })),
    },
  ],
});

/**
 * The label, the time in the reader's time zone, and a link. No button: Slack shows a warning beside a button whose
 * app does not answer clicks.
 */
const context = (event: IntegrationEvent, spans: readonly Span[], baseUrl: string): JsonObject => {
  const seconds = Math.floor(Date.parse(event.createdAt) / 1000);
  const fallback = `${event.createdAt.slice(0, 16).replace('T', ' ')} UTC`;
  const parts = [
    escapeMrkdwn(event.label),
    `<!date^${seconds}^{date_short_pretty}, {time}|${fallback}>`,
    `<${escapeMrkdwn(leadsTo(spans, baseUrl) ?? absoluteUrl(baseUrl, '/'))}|Open in Burgee>`,
  ];
  return {
    type: 'context',
    elements: [{ type: 'mrkdwn', text: parts.join('  ·  '), verbatim: true }],
  };
};
