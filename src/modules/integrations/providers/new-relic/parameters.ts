import { customHeadersParameter } from '../custom-headers.ts';
import type { ParameterDefinition } from '../provider.ts';

export const newRelicParameters: readonly ParameterDefinition[] = [
  {
    name: 'licenseKey',
    displayName: 'License key',
    description: 'An ingest license key of the account that stores the events.',
    type: 'text',
    required: true,
    sensitive: true,
  },
  {
    name: 'url',
    displayName: 'Event API',
    description:
      'URL of the Event API of your account. In the EU, the host is insights-collector.eu01.nr-data.net.',
    placeholder: 'https://insights-collector.newrelic.com/v1/accounts/1234567/events',
    type: 'url',
    required: true,
    sensitive: false,
  },
  {
    name: 'bodyTemplate',
    displayName: 'Summary template',
    description:
      'A Mustache template for the attribute `summary`. Default: a sentence that says who did what. Available values are `event` with its fields, `eventJson`, `eventMarkdown` and `baseUrl`. New Relic stores the first 4096 characters.',
    placeholder: '{{event.createdBy}}: {{event.label}}',
    type: 'textfield',
    required: false,
    sensitive: false,
  },
  customHeadersParameter,
];
