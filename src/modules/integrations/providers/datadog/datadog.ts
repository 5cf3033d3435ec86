import { eventTypes, type JsonObject } from '../../../events/index.ts';
import { customHeaderFaults, readCustomHeaders } from '../custom-headers.ts';
import { sendAndJudge, withFlaws } from '../judge.ts';
import { maskedUrl } from '../masked-url.ts';
import type { IntegrationEvent, Parameters, Provider } from '../provider.ts';
import { keyFaults } from '../provider.ts';
import { readErrorMessage } from '../response.ts';
import { markdown, readSentence, shorten } from '../sentence.ts';
import { findTemplateFault } from '../template/parse.ts';
import { renderTemplate } from '../template/render.ts';
import { absoluteSummary } from '../wording.ts';
import { datadogParameters, defaultUrl } from './parameters.ts';

const maxTitle = 100;
/** The longest text that Datadog shows. */
const maxText = 4000;
/** The length of a shortened sentence: twice that, when escaped, and two links still fit. */
const maxSentence = 1000;
/** Datadog refuses events older than 18 hours. A late event gets the time of its arrival. */
const oldestSeconds = 17 * 3600;

const cut = (text: string, most: number) =>
  text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`;

const titleOf = ({ label, featureName, project, environment }: IntegrationEvent) => {
  const subject = featureName ?? project;
  const where = environment === null ? '' : ` (${environment})`;
  return cut(subject === null ? label : `${label}: ${subject}${where}`, maxTitle);
};

/** Datadog reads Markdown between these marks. An @ before a name would notify someone. */
const asMarkdown = (text: string) => {
  const harmless = text.replaceAll('%%%', '%%\\%').replace(/(?<![A-Za-z0-9])@(?=\S)/g, '@\u2060');
  return `%%% \n${harmless}\n %%%`;
};

const sentenceOf = (event: IntegrationEvent, baseUrl: string) => {
  const text = asMarkdown(absoluteSummary(event, baseUrl));
  if (text.length <= maxText) return text;
  return asMarkdown(markdown(shorten(readSentence(event.summary), maxSentence), baseUrl));
};

const tagsOf = ({ type, project, environment, featureName, tags }: IntegrationEvent): string[] => [
  `type:${type}`,
  ...(project === null ? [] : [`project:${project}`]),
  ...(environment === null ? [] : [`environment:${environment}`]),
  ...(featureName === null ? [] : [`feature:${featureName}`]),
  ...tags.map((tag) => `${tag.type}:${tag.value}`),
];

const textOf = (event: IntegrationEvent, { bodyTemplate }: Parameters, baseUrl: string) => {
  if (!bodyTemplate?.trim()) return { text: sentenceOf(event, baseUrl) };
  const rendered = renderTemplate(bodyTemplate, event, baseUrl, 'none');
  if ('text' in rendered) return { text: cut(rendered.text, maxText) };
  return { text: sentenceOf(event, baseUrl), problem: rendered.problem };
};

const isTooOld = (seconds: unknown, now: Date) =>
  typeof seconds === 'number' && now.getTime() / 1000 - seconds > oldestSeconds;

export const datadog: Provider = {
  name: 'datadog',
  displayName: 'Datadog',
  description: 'Send events to Datadog and see them next to your metrics.',
  documentationUrl: 'https://docs.datadoghq.com/api/latest/events/',
  howTo:
    "Create an API key in Datadog under **Organization Settings → API Keys** and enter it here. If your organization isn't on the US1 site, also enter the URL of the events API of your site.",
  parameters: datadogParameters,
  events: eventTypes,
  check: ({ apiKey, bodyTemplate, customHeaders }) => {
    const fault = bodyTemplate ? findTemplateFault(bodyTemplate) : undefined;
    return [
      ...keyFaults('apiKey', apiKey),
      ...(fault === undefined ? [] : [{ parameter: 'bodyTemplate', message: fault }]),
      ...customHeaderFaults(customHeaders),
    ];
  },
  compose: (event, parameters, { baseUrl }) => {
    const { text, problem } = textOf(event, parameters, baseUrl);
    const { sourceTypeName } = parameters;
    return {
      body: {
        title: titleOf(event),
        text,
        tags: tagsOf(event),
        date_happened: Math.floor(Date.parse(event.createdAt) / 1000),
        ...(sourceTypeName ? { source_type_name: sourceTypeName } : {}),
      },
      ...(problem === undefined ? {} : { problem }),
    };
  },
  target: ({ url }) => maskedUrl(url || defaultUrl),
  deliver: async ({ body, problem }, { url, apiKey = '', customHeaders }, sending) => {
    const { date_happened, ...rest } = body as JsonObject;
    const custom = readCustomHeaders(customHeaders);
    const verdict = await sendAndJudge(
      'Datadog',
      {
        method: 'POST',
        url: url || defaultUrl,
        headers: {
          'content-type': 'application/json',
          'dd-api-key': apiKey,
          ...custom.headers,
        },
        body: JSON.stringify(isTooOld(date_happened, sending.now) ? rest : body),
      },
      sending,
      { readMessage: readErrorMessage, objection, secrets: [apiKey] },
    );
    return withFlaws(verdict, [custom.problem, problem as string | undefined]);
  },
};

const objection = (answer: unknown): string | undefined => {
  if (typeof answer !== 'object' || answer === null || !('status' in answer)) return undefined;
  const { status } = answer;
  if (typeof status !== 'string' || status === 'ok') return undefined;
  return readErrorMessage(answer) ?? `status "${status}".`;
};
