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
import { inPhpComment, quoted } from './quoted.ts';

type Payloads = Readonly<Record<PayloadType, string>>;

const node = (connection: Connection): Snippet => {
  const { url, secret, feature, payload } = connection;
  const { own, properties } = contextParts(connection);
  const name = quoted.js(feature);
  const value = 'variant.payload.value';
  const payloads: Payloads = {
    string: value,
    csv: `${value}.split(',')`,
    number: `Number(${value})`,
    json: `JSON.parse(${value})`,
  };
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
  return {
    language: 'Node.js',
    install: 'npm install unleash-client',
    code: lines(
      "import { startUnleash } from 'unleash-client';",
      '',
      'const unleash = await startUnleash({',
      `  url: ${quoted.js(`${url}/api/`)},`,
      "  appName: 'my-app',",
      `  customHeaders: { Authorization: ${quoted.js(secret)} },`,
      '});',
      '',
      `const context = { ${fields.join(', ')} };`,
      ...(hasVariants(connection)
        ? [
            `const variant = unleash.getVariant(${name}, context);`,
            `// variant.name is ${variantNames(connection)}`,
            payload && `if (variant.enabled) console.log(${payloads[payload]});`,
          ]
        : [`const enabled = unleash.isEnabled(${name}, context);`]),
    ),
  };
};

const python = (connection: Connection): Snippet => {
  const { url, secret, feature, payload } = connection;
  const { own, properties } = contextParts(connection);
  const name = quoted.json(feature);
  const value = 'variant["payload"]["value"]';
  const payloads: Payloads = {
    string: value,
    csv: `${value}.split(",")`,
    number: `float(${value})`,
    json: `json.loads(${value})`,
  };
  const pairs = (entries: readonly (readonly [string, string])[]) =>
    entries.map(([field, text]) => `${quoted.json(field)}: ${quoted.json(text)}`);
  const fields = [
    ...pairs(own),
    ...(properties.length > 0 ? [`"properties": {${pairs(properties).join(', ')}}`] : []),
  ];
  return {
    language: 'Python',
    install: 'pip install UnleashClient',
    code: lines(
      hasVariants(connection) && payload === 'json' && 'import json',
      'from UnleashClient import UnleashClient',
      '',
      'client = UnleashClient(',
      `    url=${quoted.json(`${url}/api/`)},`,
      '    app_name="my-app",',
      `    custom_headers={"Authorization": ${quoted.json(secret)}},`,
      ')',
      'client.initialize_client()',
      '',
      `context = {${fields.join(', ')}}`,
      ...(hasVariants(connection)
        ? [
            `variant = client.get_variant(${name}, context)`,
            `# variant["name"] is ${variantNames(connection)}`,
            payload && 'if variant["enabled"]:',
            payload && `    print(${payloads[payload]})`,
          ]
        : [`enabled = client.is_enabled(${name}, context)`]),
    ),
  };
};

const java = (connection: Connection): Snippet => {
  const { url, secret, feature, payload } = connection;
  const { own, properties } = contextParts(connection);
  const name = quoted.json(feature);
  const value = 'variant.getPayload().get().getValue()';
  const payloads: Payloads = {
    string: `String payload = ${value};`,
    csv: `String[] payload = ${value}.split(",");`,
    number: `double payload = Double.parseDouble(${value});`,
    json: `String json = ${value};`,
  };
  return {
    language: 'Java',
    install: 'io.getunleash:unleash-client-java',
    code: lines(
      'UnleashConfig config = UnleashConfig.builder()',
      '    .appName("my-app")',
      `    .unleashAPI(${quoted.json(`${url}/api/`)})`,
      `    .apiKey(${quoted.json(secret)})`,
      '    .build();',
      'Unleash unleash = new DefaultUnleash(config);',
      '',
      'UnleashContext context = UnleashContext.builder()',
      ...own.map(([field, text]) => `    .${field}(${quoted.json(text)})`),
      ...properties.map(
        ([field, text]) => `    .addProperty(${quoted.json(field)}, ${quoted.json(text)})`,
      ),
      '    .build();',
      ...(hasVariants(connection)
        ? [
            `Variant variant = unleash.getVariant(${name}, context);`,
            `// variant.getName() is ${variantNames(connection)}`,
            payload && 'if (variant.isEnabled()) {',
            payload && `    ${payloads[payload]}`,
            payload && '}',
          ]
        : [`boolean enabled = unleash.isEnabled(${name}, context);`]),
    ),
  };
};

const go = (connection: Connection): Snippet => {
  const { url, secret, feature, payload } = connection;
  const { own, properties } = contextParts(connection);
  const name = quoted.json(feature);
  const value = 'variant.Payload.Value';
  const payloads: Payloads = {
    string: `fmt.Println(${value})`,
    csv: `fmt.Println(strings.Split(${value}, ","))`,
    number: `number, err := strconv.ParseFloat(${value}, 64)`,
    json: `err := json.Unmarshal([]byte(${value}), &payload)`,
  };
  const fieldNames: Readonly<Record<string, string>> = {
    userId: 'UserId',
    sessionId: 'SessionId',
    remoteAddress: 'RemoteAddress',
  };
  return {
    language: 'Go',
    install: 'go get github.com/Unleash/unleash-client-go/v4',
    code: lines(
      'unleash.Initialize(',
      '    unleash.WithAppName("my-app"),',
      `    unleash.WithUrl(${quoted.json(`${url}/api/`)}),`,
      `    unleash.WithCustomHeaders(http.Header{"Authorization": {${quoted.json(secret)}}}),`,
      ')',
      'unleash.WaitForReady()',
      '',
      '// context is github.com/Unleash/unleash-client-go/v4/context',
      'ctx := context.Context{',
      ...own.map(([field, text]) => `    ${fieldNames[field]}: ${quoted.json(text)},`),
      properties.length > 0 &&
        `    Properties: map[string]string{${properties
          .map(([field, text]) => `${quoted.json(field)}: ${quoted.json(text)}`)
          .join(', ')}},`,
      '}',
      ...(hasVariants(connection)
        ? [
            `variant := unleash.GetVariant(${name}, unleash.WithVariantContext(ctx))`,
            `// variant.Name is ${variantNames(connection)}`,
            payload && 'if variant.Enabled {',
            payload && `    ${payloads[payload]}`,
            payload && '}',
          ]
        : [`enabled := unleash.IsEnabled(${name}, unleash.WithContext(ctx))`]),
    ),
  };
};

const dotnet = (connection: Connection): Snippet => {
  const { url, secret, feature, payload } = connection;
  const { own, properties } = contextParts(connection);
  const name = quoted.json(feature);
  const value = 'variant.Payload.Value';
  const payloads: Payloads = {
    string: `var payload = ${value};`,
    csv: `var payload = ${value}.Split(',');`,
    number: `var payload = double.Parse(${value}, CultureInfo.InvariantCulture);`,
    json: `var payload = JsonDocument.Parse(${value});`,
  };
  const fieldNames: Readonly<Record<string, string>> = {
    userId: 'UserId',
    sessionId: 'SessionId',
    remoteAddress: 'RemoteAddress',
  };
  return {
    language: '.NET',
    install: 'dotnet add package Unleash.Client',
    code: lines(
      'var unleash = new DefaultUnleash(new UnleashSettings',
      '{',
      '    AppName = "my-app",',
      `    UnleashApi = new Uri(${quoted.json(`${url}/api/`)}),`,
      `    CustomHttpHeaders = new() { ["Authorization"] = ${quoted.json(secret)} },`,
      '});',
      '',
      'var context = new UnleashContext',
      '{',
      ...own.map(([field, text]) => `    ${fieldNames[field]} = ${quoted.json(text)},`),
      properties.length > 0 &&
        `    Properties = new() { ${properties
          .map(([field, text]) => `[${quoted.json(field)}] = ${quoted.json(text)}`)
          .join(', ')} },`,
      '};',
      ...(hasVariants(connection)
        ? [
            `var variant = unleash.GetVariant(${name}, context);`,
            `// variant.Name is ${variantNames(connection)}`,
            payload && 'if (variant.IsEnabled)',
            payload && '{',
            payload && `    ${payloads[payload]}`,
            payload && '}',
          ]
        : [`var enabled = unleash.IsEnabled(${name}, context);`]),
    ),
  };
};

const ruby = (connection: Connection): Snippet => {
  const { url, secret, feature, payload } = connection;
  const { own, properties } = contextParts(connection);
  const name = quoted.single(feature);
  const value = "variant.payload['value']";
  const payloads: Payloads = {
    string: value,
    csv: `${value}.split(',')`,
    number: `Float(${value})`,
    json: `JSON.parse(${value})`,
  };
  const fieldNames: Readonly<Record<string, string>> = {
    userId: 'user_id',
    sessionId: 'session_id',
    remoteAddress: 'remote_address',
  };
  const fields = [
    ...own.map(([field, text]) => `${fieldNames[field]}: ${quoted.single(text)}`),
    ...(properties.length > 0
      ? [
          `properties: { ${properties
            .map(([field, text]) => `${quoted.single(field)} => ${quoted.single(text)}`)
            .join(', ')} }`,
        ]
      : []),
  ];
  return {
    language: 'Ruby',
    install: 'gem install unleash',
    code: lines(
      hasVariants(connection) && payload === 'json' && "require 'json'",
      "require 'unleash'",
      '',
      'unleash = Unleash::Client.new(',
      `  url: ${quoted.single(`${url}/api/`)},`,
      "  app_name: 'my-app',",
      `  custom_http_headers: { 'Authorization' => ${quoted.single(secret)} }`,
      ')',
      '',
      `context = Unleash::Context.new(${fields.join(', ')})`,
      ...(hasVariants(connection)
        ? [
            `variant = unleash.get_variant(${name}, context)`,
            `# variant.name is ${variantNames(connection)}`,
            payload && `puts ${payloads[payload]} if variant.enabled`,
          ]
        : [`enabled = unleash.is_enabled?(${name}, context)`]),
    ),
  };
};

const php = (connection: Connection): Snippet => {
  const { url, secret, feature, payload } = connection;
  const { own, properties } = contextParts(connection);
  const name = quoted.single(feature);
  const value = '$variant->getPayload()->getValue()';
  const payloads: Payloads = {
    string: value,
    csv: `explode(',', ${value})`,
    number: `(float) ${value}`,
    json: `json_decode(${value}, true)`,
  };
  const fieldNames: Readonly<Record<string, string>> = {
    userId: 'currentUserId',
    sessionId: 'sessionId',
    remoteAddress: 'ipAddress',
  };
  const fields = own.map(([field, text]) => `${fieldNames[field]}: ${quoted.single(text)}`);
  return {
    language: 'PHP',
    install: 'composer require unleash/client guzzlehttp/guzzle symfony/cache',
    code: lines(
      'use Unleash\\Client\\Configuration\\UnleashContext;',
      'use Unleash\\Client\\UnleashBuilder;',
      '',
      '$unleash = UnleashBuilder::create()',
      "    ->withAppName('my-app')",
      `    ->withAppUrl(${quoted.single(`${url}/api/`)})`,
      "    ->withInstanceId('my-app-1')",
      `    ->withHeader('Authorization', ${quoted.single(secret)})`,
      '    ->build();',
      '',
      `$context = new UnleashContext(${fields.join(', ')});`,
      ...properties.map(
        ([field, text]) =>
          `$context->setCustomProperty(${quoted.single(field)}, ${quoted.single(text)});`,
      ),
      ...(hasVariants(connection)
        ? [
            `$variant = $unleash->getVariant(${name}, $context);`,
            `// $variant->getName() is ${inPhpComment(variantNames(connection))}`,
            payload && 'if ($variant->isEnabled()) {',
            payload && `    $payload = ${payloads[payload]};`,
            payload && '}',
          ]
        : [`$enabled = $unleash->isEnabled(${name}, $context);`]),
    ),
  };
};

/** How a server evaluates a feature: SDKs load all features and evaluate them locally. */
export const backendSnippets = (connection: Connection): Snippet[] =>
  [node, python, java, go, dotnet, ruby, php, curlSnippet].map((snippet) => snippet(connection));
