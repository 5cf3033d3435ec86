import type { Connection, Snippet } from './connection.ts';
import { quoted } from './quoted.ts';

/** Evaluates one feature with a token of either type, and counts as an evaluation. */
export const curlSnippet = ({
  url,
  secret,
  feature,
  context = { userId: '42' },
}: Connection): Snippet => ({
  language: 'curl',
  code: `curl -X POST ${quoted.shell(`${url}/ofrep/v1/evaluate/flags/${encodeURIComponent(feature)}`)} \\
  -H ${quoted.shell(`Authorization: ${secret}`)} \\
  -H 'Content-Type: application/json' \\
  -d ${quoted.shell(JSON.stringify({ context }))}`,
});
