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
    description: 'URL that receives each event as a POST request.',
    placeholder: 'https://example.com/hooks/burgee',
    type: 'url',
    required: true,
    sensitive: true,
  },
  {
    name: 'contentType',
    displayName: 'Content type',
    description: `Content type of the body. Default: ${defaultContentType}.`,
    placeholder: defaultContentType,
    type: 'text',
    required: false,
    sensitive: false,
  },
  {
    name: 'authorization',
    displayName: 'Authorization',
    description: 'Value of the Authorization header, if your endpoint requires one.',
    placeholder: 'Bearer …',
    type: 'text',
    required: false,
    sensitive: true,
  },
  {
    name: 'bodyTemplate',
    displayName: 'Body template',
    description:
      'A Mustache template for the body. Default: the complete event as JSON. Available values are `event` with its fields, such as `{{event.type}}` or `{{event.data.name}}`, `eventJson`, `eventMarkdown` and `baseUrl`. In a JSON body, strings are escaped; three braces, `{{{…}}}`, insert a value unescaped.',
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
      '`event` (default): the body is the event, or the result of the template. `cloudevents`: the body is a CloudEvents 1.0 envelope around the event.',
    placeholder: 'event',
    type: 'text',
    required: false,
    sensitive: false,
  },
  {
    name: 'signingSecret',
    displayName: 'Signing secret',
    description:
      'The key that signs requests as defined by Standard Webhooks: `whsec_` and 24 to 64 bytes in base64. Your endpoint uses it to verify that requests come from Burgee.',
    placeholder: 'whsec_…',
    type: 'text',
    required: false,
    sensitive: true,
  },
  {
    name: 'previousSigningSecret',
    displayName: 'Previous signing secret',
    description:
      'The secret that your endpoints still use while you rotate it. Requests are signed with both secrets. Remove it when all endpoints use the new one.',
    placeholder: 'whsec_…',
    type: 'text',
    required: false,
    sensitive: true,
  },
];

const mediaType = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(\s*;[\x20-\x7e]*)?$/;

/** A fault that concerns two parameters is reported for the one that requires the other. */
export function webhookFaults(parameters: Parameters): Fault[] {
  const { contentType, authorization, bodyTemplate, customHeaders, format } = parameters;
  const faults: Fault[] = [];
  const addFault = (parameter: string, message: string) => faults.push({ parameter, message });

  if (contentType && !mediaType.test(contentType)) {
    addFault('contentType', 'The value must be a media type such as application/json.');
  }
  if (authorization && !isHeaderValue(authorization)) {
    addFault('authorization', 'The value must contain only printable ASCII characters.');
  }
  const templateFault = bodyTemplate ? findTemplateFault(bodyTemplate) : undefined;
  if (templateFault !== undefined) addFault('bodyTemplate', templateFault);
  faults.push(...customHeaderFaults(customHeaders));
  for (const name of ['signingSecret', 'previousSigningSecret']) {
    const fault = parameters[name] ? findSecretFault(parameters[name]) : undefined;
    if (fault !== undefined) addFault(name, fault);
  }
  if (format && format !== 'event' && format !== 'cloudevents') {
    addFault('format', 'The value must be event or cloudevents.');
  }
  if (format === 'cloudevents') {
    if (bodyTemplate?.trim()) {
      addFault('bodyTemplate', 'The format cloudevents does not support a template. Remove it.');
    }
    if (contentType && contentType !== defaultContentType && contentType !== cloudEventType) {
      addFault(
        'contentType',
        `The content type of the format cloudevents is always ${cloudEventType}.`,
      );
    }
  }
  return faults;
}
