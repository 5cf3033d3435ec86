import type { JsonObject } from '../../../events/index.ts';
import type { IntegrationEvent } from '../provider.ts';
import {
  absoluteUrl,
  beginsWith,
  leadsTo,
  plainText,
  readSentence,
  type Span,
  shorten,
} from '../sentence.ts';
import { type ColourMeaning, findColourMeaning } from '../wording.ts';

/** A whole message may have 28 kB. */
const maxCharacters = 3000;

const colours: Readonly<Record<ColourMeaning, string>> = {
  live: 'Warning',
  new: 'Good',
  gone: 'Default',
  plain: 'Accent',
};

/** The message that a Teams workflow posts. */
export function cardMessage(event: IntegrationEvent, baseUrl: string): JsonObject {
  const spans = shorten(readSentence(event.summary), maxCharacters);
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.5',
          fallbackText: plainText(spans),
          msteams: { width: 'Full' },
          body: bodyOf(event, spans, baseUrl),
          actions: [
            {
              type: 'Action.OpenUrl',
              title: 'Open in Burgee',
              url: leadsTo(spans, baseUrl) ?? absoluteUrl(baseUrl, '/'),
            },
          ],
        },
      },
    ],
  };
}

const bodyOf = (event: IntegrationEvent, spans: readonly Span[], baseUrl: string): JsonObject[] => [
  {
    type: 'TextBlock',
    text: event.label,
    weight: 'Bolder',
    size: 'Medium',
    color: colours[findColourMeaning(event)],
    wrap: true,
  },
  { type: 'RichTextBlock', spacing: 'Small', inlines: spans.map((span) => run(span, baseUrl)) },
  ...fact('Project', event.project, 'Medium'),
  ...fact('Environment', event.environment),
  ...fact('Feature', event.featureName),
  ...(beginsWith(spans, event.createdBy)
    ? []
    : fact('By', event.createdBy, event.project ? 'None' : 'Medium')),
  {
    type: 'TextBlock',
    text: `{{DATE(${instantOf(event)}, SHORT)}}, {{TIME(${instantOf(event)})}}`,
    isSubtle: true,
    spacing: 'None',
    wrap: true,
  },
];

/** Text runs instead of Markdown: the Teams apps treat a backslash before a mark differently. */
const run = ({ text, bold, path }: Span, baseUrl: string): JsonObject => ({
  type: 'TextRun',
  text,
  ...(bold ? { weight: 'Bolder' } : {}),
  ...(path === undefined
    ? {}
    : { selectAction: { type: 'Action.OpenUrl', url: absoluteUrl(baseUrl, path) } }),
});

/** One line. A FactSet would be read as Markdown. */
const fact = (name: string, value: string | null, spacing = 'None'): JsonObject[] =>
  value
    ? [
        {
          type: 'RichTextBlock',
          spacing,
          inlines: [
            { type: 'TextRun', text: `${name}: `, isSubtle: true },
            { type: 'TextRun', text: value },
          ],
        },
      ]
    : [];

/** Cards show the time in the reader's time zone, but only without milliseconds. */
const instantOf = ({ createdAt }: IntegrationEvent) => createdAt.replace(/\.\d+/, '');
