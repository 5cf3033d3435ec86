/** The address of this installation, with a slash at its end. */
const address = (): string => new URL('.', document.baseURI).href;

/** Shown where the secret of a token belongs: it is known only in the moment in which it is made. */
const secret = '<your backend token>';

export interface Snippet {
  readonly name: string;
  readonly code: string;
}

export const askSnippets = (feature: string): readonly Snippet[] => [
  {
    name: 'curl',
    code: `curl -H 'Authorization: ${secret}' \\\n  -H 'unleash-appname: my-app' \\\n  ${address()}api/client/features`,
  },
  {
    name: 'Node.js',
    code: `// npm install unleash-client
import { initialize } from 'unleash-client';

const unleash = initialize({
  url: '${address()}api/',
  appName: 'my-app',
  customHeaders: { Authorization: '${secret}' },
});
unleash.on('synchronized', () => {
  console.log(unleash.isEnabled('${feature}'));
});`,
  },
  {
    name: 'Python',
    code: `# pip install UnleashClient
from UnleashClient import UnleashClient

client = UnleashClient(
    url="${address()}api",
    app_name="my-app",
    custom_headers={"Authorization": "${secret}"},
)
client.initialize_client()
print(client.is_enabled("${feature}"))`,
  },
  {
    name: 'Go',
    code: `// go get github.com/Unleash/unleash-go-sdk/v5
unleash.Initialize(
	unleash.WithUrl("${address()}api/"),
	unleash.WithAppName("my-app"),
	unleash.WithCustomHeaders(http.Header{"Authorization": {"${secret}"}}),
)
unleash.WaitForReady()
fmt.Println(unleash.IsEnabled("${feature}"))`,
  },
];
