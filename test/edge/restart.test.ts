import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { createLogger } from '../../src/platform/log.ts';
import { type TestEdge, temporaryFolder, testEdge } from '../support/edge.ts';
import { type FakeUpstream, fakeUpstream, sentFeature } from '../support/fake-upstream.ts';
import { clientToken } from '../support/tokens.ts';

const token = clientToken;
let upstream: FakeUpstream;
let folder: string;
let lines: { msg: string; [key: string]: unknown }[];

const start = (settings: Record<string, string> = {}): Promise<TestEdge> =>
  testEdge(
    {
      ...{ UPSTREAM_URL: upstream.url, BACKUP_FOLDER: folder },
      ...{ FEATURES_REFRESH_INTERVAL_SECONDS: '1', TOKEN_REVALIDATION_INTERVAL_SECONDS: '1' },
      ...settings,
    },
    'edge',
    createLogger('info', { write: (line) => void lines.push(JSON.parse(line)) }),
  );

async function namesOf(edge: TestEdge, as = token): Promise<string[] | number> {
  const { statusCode, body } = await edge.ask('GET /api/client/features', { token: as });
  if (statusCode !== 200) return statusCode;
  return JSON.parse(body).features.map(({ name }: { name: string }) => name);
}

const serves = (edge: TestEdge, names: readonly string[] | number, as = token) =>
  expect.poll(() => namesOf(edge, as)).toEqual(names);

const logged = (msg: string) => lines.find((line) => line.msg === msg);

beforeEach(async () => {
  upstream = await fakeUpstream();
  folder = temporaryFolder();
  lines = [];
  upstream.state.tokens = [{ token, type: 'client', projects: ['*'] }];
  upstream.state.features = { '*': [sentFeature('a')] };
});

describe('an edge starts', () => {
  test('with usage and a state that cannot be read, and logs it', async () => {
    for (const name of ['usage', 'state']) mkdirSync(join(folder, `burgee-edge-${name}.json`));
    const edge = await start({ TOKENS: token });
    await serves(edge, ['a']);
    expect(logged('stored usage cannot be read: it is lost')).toBeDefined();
    expect(logged('a stored state cannot be used')).toBeDefined();
  });
});

test('the log tells which token is no longer valid', async () => {
  const edge = await start({ TOKENS: token });
  await serves(edge, ['a']);
  upstream.state.tokens = [];
  await expect
    .poll(() => logged('a token is no longer valid: it is refused')?.tokenHash)
    .toMatch(/^[\da-f]{8}$/);
});
