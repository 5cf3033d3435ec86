import { customHeaderFaults, customHeadersParameter, isHeaderValue } from '../custom-headers.ts';
import type { Fault, ParameterDefinition, Parameters } from '../provider.ts';
import { findTemplateFault } from '../template/parse.ts';
import { cloudEventType } from './cloud-event.ts';
import { findSecretFault } from './signature.ts';

export const defaultContentType = 'application/json';

export const webhookParameters: readonly ParameterDefinition[] = [
  {
    name: 'url',
    displayName: 'URL',
    description: 'Where each event is sent to, with a POST request.',
    placeholder: 'https://example.com/hooks/burgee',
    type: 'url',
    required: true,
    sensitive: true,
  },
  {
    name: 'contentType',
    displayName: 'Content type',
    description: `What the body is said to be. ${defaultContentType} unless you say otherwise.`,
    placeholder: defaultContentType,
    type: 'text',
    required: false,
    sensitive: false,
  },
  {
    name: 'authorization',
    displayName: 'Authorization',
    description: 'The whole value of the Authorization header, if the receiver wants one.',
    placeholder: 'Bearer …',
    type: 'text',
    required: false,
    sensitive: true,
  },
  {
    name: 'bodyTemplate',
    displayName: 'Body template',
    description:
      'A Mustache template of the body; without one the body is the whole event as JSON. It may name `event` with its fields, such as `{{event.type}}` or `{{event.data.name}}`, `eventJson`, `eventMarkdown` and `baseUrl`. In a JSON body, texts are escaped so that no name can break it; three braces, `{{{…}}}`, insert a value as it is.',
    placeholder: '{"type": "{{event.type}}", "feature": "{{event.featureName}}"}',
    type: 'textfield',
    required: false,
    sensitive: false,
  },
  customHeadersParameter,
  {
    name: 'format',
    displayName: 'Format',
    description:
      '`event` (unless you say otherwise): the body is the event, or what the template makes of it. `cloudevents`: the body is a CloudEvents 1.0 envelope around the event.',
    placeholder: 'event',
    type: 'text',
    required: false,
    sensitive: false,
  },
  {
    name: 'signingSecret',
    displayName: 'Signing secret',
    description:
      'The key with which requests are signed after Standard Webhooks: `whsec_` and 24 to 64 bytes in base64. The receiver needs it to tell our requests from those of others.',
    placeholder: 'whsec_…',
    type: 'text',
    required: false,
    sensitive: true,
  },
  {
    name: 'previousSigningSecret',
    displayName: 'Previous signing secret',
    description:
      'While you replace the signing secret: the one that receivers still know. Requests are signed with both. Empty it when every receiver knows the new one.',
    placeholder: 'whsec_…',
    type: 'text',
    required: false,
    sensitive: true,
  },
];

const mediaType = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(\s*;[\x20-\x7e]*)?$/;

/** What fits no single parameter is said of the one that asks for more. */
export function webhookFaults(parameters: Parameters): Fault[] {
  const { contentType, authorization, bodyTemplate, customHeaders, format } = parameters;
  const faults: Fault[] = [];
  const say = (parameter: string, message: string) => faults.push({ parameter, message });

  if (contentType && !mediaType.test(contentType)) {
    say('contentType', 'It has to be a media type such as application/json.');
  }
  if (authorization && !isHeaderValue(authorization)) {
    say('authorization', 'It may only have printable ASCII characters.');
  }
  const templateFault = bodyTemplate ? findTemplateFault(bodyTemplate) : undefined;
  if (templateFault !== undefined) say('bodyTemplate', templateFault);
  faults.push(...customHeaderFaults(customHeaders));
  for (const name of ['signingSecret', 'previousSigningSecret']) {
    const fault = parameters[name] ? findSecretFault(parameters[name]) : undefined;
    if (fault !== undefined) say(name, fault);
  }
  if (format && format !== 'event' && format !== 'cloudevents') {
    say('format', 'It has to be event or cloudevents.');
  }
  if (format === 'cloudevents') {
    if (bodyTemplate?.trim()) {
      say('bodyTemplate', 'There is no template where the format is cloudevents: leave one out.');
    }
    if (contentType && contentType !== defaultContentType && contentType !== cloudEventType) {
      say('contentType', `The format cloudevents is always sent as ${cloudEventType}.`);
    }
  }
  return faults;
}
