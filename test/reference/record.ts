/**
 * Sends all requests of `requests/` to a fresh reference and stores the responses in `recorded.json`. See README.md in
 * this folder.
 */
import { writeFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import {
  type Answer,
  type ClientDefinitions,
  carryOut,
  isLook,
  type RecordedLook,
  type RecordedRequest,
  type Side,
} from './exchange.ts';
import { steps } from './requests/index.ts';

const { positionals } = parseArgs({ allowPositionals: true });
const [url = 'http://localhost:4343'] = positionals;

/** The tokens that the command in README.md creates. */
const adminToken = '*:*.reference-admin';
const clientToken = (environment: string) => `*:${environment}.reference-client`;
/** The predefined administrator of a fresh reference. */
const person = { username: 'admin', password: 'unleash4all' };

/** The reference sends changes to SDKs one or two seconds later. */
const settlingMs = 4_000;

async function answered(response: Response): Promise<Answer> {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json');
  return { status: response.status, body: isJson && text !== '' ? JSON.parse(text) : undefined };
}

async function signIn(): Promise<string> {
  const response = await fetch(`${url}/auth/simple/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(person),
  });
  if (!response.ok)
    throw new Error(`The reference refused to sign in ${person.username}: ${response.status}`);
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
}

const cookie = await signIn();

const reference: Side = {
  async ask({ ask, body, as }) {
    const [method = '', path] = ask.split(' ');
    return answered(
      await fetch(`${url}${path}`, {
        method,
        headers: {
          ...(as === 'person' ? { cookie } : { authorization: adminToken }),
          ...(method !== 'GET' && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    );
  },
  async tell(environment) {
    await setTimeout(settlingMs);
    const { status, body } = await answered(
      await fetch(`${url}/api/client/features`, {
        headers: { authorization: clientToken(environment), 'unleash-client-spec': '5.2.0' },
      }),
    );
    if (status !== 200) throw new Error(`Features for SDKs: ${status}`);
    return body;
  },
};

/** Only the changes since the previous look, with null for removed entries: most entries stay the same. */
function newsIn(told: Record<string, unknown>, before: Record<string, unknown> = {}) {
  const gone = Object.keys(before).filter((key) => !(key in told));
  const fresh = Object.entries(told).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(before[key]),
  );
  return Object.fromEntries([...gone.map((key) => [key, null]), ...fresh]);
}

const lines: string[] = [];
let last: Record<string, ClientDefinitions> = {};
for await (const step of carryOut(steps, reference)) {
  if (isLook<RecordedLook>(step)) {
    const news = Object.entries(step.told).map(([environment, { features, segments }]) => [
      environment,
      {
        features: newsIn(features, last[environment]?.features),
        segments: newsIn(segments, last[environment]?.segments),
      },
    ]);
    last = step.told;
    lines.push(JSON.stringify({ look: step.look, told: Object.fromEntries(news) }));
  } else {
    lines.push(JSON.stringify(step as RecordedRequest));
  }
}

const file = new URL('recorded.json', import.meta.url);
await writeFile(file, `{"steps":[\n${lines.join(',\n')}\n]}\n`);
process.stdout.write(`${lines.length} steps in ${file.pathname}\n`);
