import { customHeadersParameter } from '../custom-headers.ts';
import type { ParameterDefinition } from '../provider.ts';

export const defaultUrl = 'https://api.datadoghq.com/api/v1/events';

export const datadogParameters: readonly ParameterDefinition[] = [
  {
    name: 'url',
    displayName: 'Events API',
    description: `URL of the events API of your Datadog site. Default: ${defaultUrl} (US1).`,
    placeholder: defaultUrl,
    type: 'url',
    required: false,
    sensitive: false,
  },
  {
    name: 'apiKey',
    displayName: 'API key',
    description: "API key of your organization. An application key isn't needed.",
    type: 'text',
    required: true,
    sensitive: true,
  },
  {
    name: 'sourceTypeName',
    displayName: 'Source type name',
    description:
      'The source to show in Datadog, one of its [list of sources](https://docs.datadoghq.com/integrations/faq/list-of-api-source-attribute-value/).',
    placeholder: 'my_apps',
    type: 'text',
    required: false,
    sensitive: false,
  },
  {
    name: 'bodyTemplate',
    displayName: 'Text template',
    description:
      'A Mustache template for the text of the event. Default: a sentence that says who did what. Available values are `event` with its fields, `eventJson`, `eventMarkdown` and `baseUrl`. Datadog reads Markdown between two lines of `%%%`.',
    placeholder: '%%%\n{{eventMarkdown}}\n%%%',
    type: 'textfield',
    required: false,
    sensitive: false,
  },
  customHeadersParameter,
];
