import {
  type Connection,
  contextParts,
  hasVariants,
  lines,
  type PayloadType,
  type Snippet,
  variantNames,
} from './connection.ts';
import { curlSnippet } from './curl-snippet.ts';
import { quoted } from './quoted.ts';

/** The payload of a variant, parsed by its type. */
const payloads: Readonly<Record<PayloadType, string>> = {
  string: 'variant.payload.value',
  csv: "variant.payload.value.split(',')",
  number: 'Number(variant.payload.value)',
  json: 'JSON.parse(variant.payload.value)',
};

/** The configuration of the SDKs for browsers, which have one context for all evaluations. */
function config(connection: Connection, start: string, end: string): string[] {
  const { own, properties } = contextParts(connection);
  const fields = [
    ...own.map(([field, text]) => `${field}: ${quoted.js(text)}`),
    ...(properties.length > 0
      ? [
          `properties: { ${properties
            .map(([field, text]) => `${quoted.js(field)}: ${quoted.js(text)}`)
            .join(', ')} }`,
        ]
      : []),
  ];
  return [
    start,
    `  url: ${quoted.js(`${connection.url}/api/frontend`)},`,
    `  clientKey: ${quoted.js(connection.secret)},`,
    "  appName: 'my-app',",
    `  context: { ${fields.join(', ')} },`,
    end,
  ];
}

/** What the code does with a variant. */
const withVariant = (connection: Connection) => [
  `// variant.name is ${variantNames(connection)}`,
  connection.payload && `if (variant.enabled) console.log(${payloads[connection.payload]});`,
];

const javascript = (connection: Connection): Snippet => {
  const name = quoted.js(connection.feature);
  return {
    language: 'JavaScript',
    install: 'npm install unleash-proxy-client',
    code: lines(
      "import { UnleashClient } from 'unleash-proxy-client';",
      '',
      ...config(connection, 'const unleash = new UnleashClient({', '});'),
      'await unleash.start();',
      '',
      ...(hasVariants(connection)
        ? [`const variant = unleash.getVariant(${name});`, ...withVariant(connection)]
        : [`const enabled = unleash.isEnabled(${name});`]),
    ),
  };
};

const react = (connection: Connection): Snippet => {
  const name = quoted.js(connection.feature);
  const hook = hasVariants(connection) ? 'useVariant' : 'useFlag';
  return {
    language: 'React',
    install: 'npm install @unleash/proxy-client-react unleash-proxy-client',
    code: lines(
      `import { FlagProvider, ${hook} } from '@unleash/proxy-client-react';`,
      '',
      ...config(connection, 'const config = {', '};'),
      '',
      '<FlagProvider config={config}>',
      '  <App />',
      '</FlagProvider>;',
      '',
      '// In a component:',
      ...(hasVariants(connection)
        ? [`const variant = useVariant(${name});`, ...withVariant(connection)]
        : [`const enabled = useFlag(${name});`]),
    ),
  };
};

const openFeature = (connection: Connection): Snippet => {
  const { url, secret, feature, payload, context = { userId: '42' } } = connection;
  const name = quoted.js(feature);
  const { userId, ...others } = context;
  const fields = [
    ...(userId === undefined ? [] : [`targetingKey: ${quoted.js(userId)}`]),
    ...Object.entries(others).map(([field, text]) => `${quoted.js(field)}: ${quoted.js(text)}`),
  ];
  const payloadCalls: Readonly<Record<PayloadType, string>> = {
    string: `const payload = client.getStringValue(${name}, '');`,
    csv: `const payload = client.getStringValue(${name}, '').split(',');`,
    number: `const payload = client.getNumberValue(${name}, 0);`,
    json: `const payload = client.getObjectValue(${name}, {});`,
  };
  return {
    language: 'OpenFeature',
    install: 'npm install @openfeature/web-sdk @openfeature/ofrep-web-provider',
    code: lines(
      "import { OpenFeature } from '@openfeature/web-sdk';",
      "import { OFREPWebProvider } from '@openfeature/ofrep-web-provider';",
      '',
      'await OpenFeature.setProviderAndWait(',
      '  new OFREPWebProvider({',
      `    baseUrl: ${quoted.js(url)},`,
      `    headers: [['Authorization', ${quoted.js(secret)}]],`,
      '  }),',
      `  { ${fields.join(', ')} },`,
      ');',
      'const client = OpenFeature.getClient();',
      '',
      ...(!hasVariants(connection)
        ? [`const enabled = client.getBooleanValue(${name}, false);`]
        : payload
          ? [payloadCalls[payload]]
          : [
              `const { variant } = client.getBooleanDetails(${name}, false);`,
              `// variant is ${variantNames(connection)}`,
            ]),
    ),
  };
};

/** How a browser evaluates a feature: the server does, for the context of one user. */
export const frontendSnippets = (connection: Connection): Snippet[] =>
  [javascript, react, openFeature, curlSnippet].map((snippet) => snippet(connection));
