import type { Snippet } from './connection.ts';
import { quoted } from './quoted.ts';

interface AdminConnection {
  readonly url: string;
  readonly secret: string;
}

/** How scripts call the admin API. */
export const adminSnippets = ({ url, secret }: AdminConnection): Snippet[] => [
  {
    language: 'curl',
    code: `curl ${quoted.shell(`${url}/api/admin/projects`)} \\\n  -H ${quoted.shell(`Authorization: ${secret}`)}`,
  },
  {
    language: 'JavaScript',
    code: `const response = await fetch(${quoted.js(`${url}/api/admin/projects`)}, {
  headers: { authorization: ${quoted.js(secret)} },
});
const { projects } = await response.json();`,
  },
  {
    language: 'Python',
    install: 'pip install requests',
    code: `import requests

response = requests.get(
    ${quoted.json(`${url}/api/admin/projects`)},
    headers={"Authorization": ${quoted.json(secret)}},
)
projects = response.json()["projects"]`,
  },
  {
    language: 'Terraform',
    code: `export UNLEASH_URL=${quoted.shell(url)}
export AUTH_TOKEN=${quoted.shell(secret)}
terraform plan`,
  },
];

/** Creates a feature with a personal access token. */
export const createFeatureSnippet = (url: string, project: string): Snippet => ({
  language: 'curl',
  code: `curl -X POST ${quoted.shell(`${url}/api/admin/projects/${encodeURIComponent(project)}/features`)} \\
  -H 'Authorization: <personal access token>' \\
  -H 'Content-Type: application/json' \\
  -d '{"name": "my-first-feature"}'`,
});

/** Looks for all features of a project in a repository, because each upload replaces the one before. */
export const codeReferencesScript = (url: string, project: string): string =>
  `API=${quoted.shell(`${url}/api/admin/projects/${encodeURIComponent(project)}`)}

curl -sf "$API/features" -H "Authorization: $TOKEN" | jq -r '.features[].name' > /tmp/features
git grep -now -F -f /tmp/features |
  jq -R 'capture("^(?<path>[^:]+):(?<line>[0-9]+):(?<feature>.+)$") | .line |= tonumber' |
  jq -s --arg repository "$(git remote get-url origin)" --arg commit "$(git rev-parse HEAD)" \\
    '{repository: $repository, commit: $commit, references: .}' |
  curl -sf -X PUT "$API/code-references" -H "Authorization: $TOKEN" \\
    -H 'Content-Type: application/json' -d @-`;
