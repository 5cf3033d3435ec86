/** In snippets, for a secret that can't be shown. */
export const secretPlaceholder = '<your token>';

/** The secret of a token in a list; undefined if the server masks it. */
export const visibleSecret = (secret: string): string | undefined =>
  secret.endsWith('*****') ? undefined : secret;

export interface Snippet {
  readonly language: string;
  readonly install?: string;
  readonly code: string;
}

interface Connection {
  /** The public URL of this instance, without a slash at its end. */
  readonly url: string;
  readonly secret: string;
  readonly feature: string;
}

const backend = ({ url, secret, feature }: Connection): Snippet[] => [
  {
    language: 'curl',
    code: `curl '${url}/api/client/features' \\\n  -H 'Authorization: ${secret}'`,
  },
  {
    language: 'Node.js',
    install: 'npm install unleash-client',
    code: `import { startUnleash } from 'unleash-client';

const unleash = await startUnleash({
  url: '${url}/api/',
  appName: 'my-app',
  customHeaders: { Authorization: '${secret}' },
});

unleash.isEnabled('${feature}', { userId: '42' });`,
  },
  {
    language: 'Python',
    install: 'pip install UnleashClient',
    code: `from UnleashClient import UnleashClient

client = UnleashClient(
    url="${url}/api/",
    app_name="my-app",
    custom_headers={"Authorization": "${secret}"},
)
client.initialize_client()

client.is_enabled("${feature}", {"userId": "42"})`,
  },
  {
    language: 'Java',
    install: 'io.getunleash:unleash-client-java',
    code: `UnleashConfig config = UnleashConfig.builder()
    .appName("my-app")
    .unleashAPI("${url}/api/")
    .apiKey("${secret}")
    .build();
Unleash unleash = new DefaultUnleash(config);

unleash.isEnabled("${feature}");`,
  },
  {
    language: 'Go',
    install: 'go get github.com/Unleash/unleash-client-go/v4',
    code: `unleash.Initialize(
    unleash.WithAppName("my-app"),
    unleash.WithUrl("${url}/api/"),
    unleash.WithCustomHeaders(http.Header{"Authorization": {"${secret}"}}),
)

unleash.IsEnabled("${feature}")`,
  },
  {
    language: '.NET',
    install: 'dotnet add package Unleash.Client',
    code: `var unleash = new DefaultUnleash(new UnleashSettings
{
    AppName = "my-app",
    UnleashApi = new Uri("${url}/api/"),
    CustomHttpHeaders = new() { ["Authorization"] = "${secret}" },
});

unleash.IsEnabled("${feature}");`,
  },
];

const frontend = ({ url, secret, feature }: Connection): Snippet[] => [
  {
    language: 'curl',
    code: `curl '${url}/api/frontend?userId=42' \\\n  -H 'Authorization: ${secret}'`,
  },
  {
    language: 'JavaScript',
    install: 'npm install unleash-proxy-client',
    code: `import { UnleashClient } from 'unleash-proxy-client';

const unleash = new UnleashClient({
  url: '${url}/api/frontend',
  clientKey: '${secret}',
  appName: 'my-app',
});
await unleash.start();

unleash.isEnabled('${feature}');`,
  },
  {
    language: 'React',
    install: 'npm install @unleash/proxy-client-react unleash-proxy-client',
    code: `import { FlagProvider, useFlag } from '@unleash/proxy-client-react';

const config = {
  url: '${url}/api/frontend',
  clientKey: '${secret}',
  appName: 'my-app',
};

<FlagProvider config={config}>
  <App />
</FlagProvider>;

const enabled = useFlag('${feature}');`,
  },
  {
    language: 'OpenFeature',
    install: 'npm install @openfeature/web-sdk @openfeature/ofrep-web-provider',
    code: `import { OpenFeature } from '@openfeature/web-sdk';
import { OFREPWebProvider } from '@openfeature/ofrep-web-provider';

await OpenFeature.setProviderAndWait(
  new OFREPWebProvider({
    baseUrl: '${url}',
    headers: [['Authorization', '${secret}']],
  }),
);

OpenFeature.getClient().getBooleanValue('${feature}', false);`,
  },
];

const admin = ({ url, secret }: Connection): Snippet[] => [
  {
    language: 'curl',
    code: `curl '${url}/api/admin/projects' \\\n  -H 'Authorization: ${secret}'`,
  },
  {
    language: 'JavaScript',
    code: `const response = await fetch('${url}/api/admin/projects', {
  headers: { authorization: '${secret}' },
});
const { projects } = await response.json();`,
  },
  {
    language: 'Python',
    install: 'pip install requests',
    code: `import requests

response = requests.get(
    "${url}/api/admin/projects",
    headers={"Authorization": "${secret}"},
)
projects = response.json()["projects"]`,
  },
  {
    language: 'Terraform',
    code: `export UNLEASH_URL='${url}'
export AUTH_TOKEN='${secret}'
terraform plan`,
  },
];

const byType = { client: backend, frontend, admin };

/** How an application connects, or how the API is called, by language. */
export const snippetsFor = (type: keyof typeof byType, connection: Connection): Snippet[] =>
  byType[type](connection);
