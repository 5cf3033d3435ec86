import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import {
  newSigningSecret,
  signatureHeaders,
} from '../../src/modules/integrations/providers/webhook/signature.ts';
import { verification } from '../../web/src/integrations/verify.ts';

const codeFor = (language: string) =>
  verification.find((each) => each.language === language)?.code ?? '';

const [secret, previous] = [newSigningSecret(), newSigningSecret()];
const body = '{"type":"feature-created","name":"ä"}';
const id = '019a0000-0000-7000-8000-000000000000';
const headersAt = (now: Date, secrets: readonly string[]) =>
  signatureHeaders({ id, now }, body, secrets);
const fresh = headersAt(new Date(), [secret, previous]);

/** What a receiver may get, and whether it is from us. */
const cases = [
  { secret, headers: fresh, body, isOurs: true },
  { secret: previous, headers: fresh, body, isOurs: true },
  { secret: newSigningSecret(), headers: fresh, body, isOurs: false },
  { secret, headers: fresh, body: `${body} `, isOurs: false },
  { secret, headers: { ...fresh, 'webhook-id': 'another' }, body, isOurs: false },
  { secret, headers: headersAt(new Date(), []), body, isOurs: false },
  { secret, headers: headersAt(new Date(Date.now() - 600_000), [secret]), body, isOurs: false },
];
const expected = cases.map(({ isOurs }) => isOurs);

const answersOf = (command: string, args: readonly string[]) => {
  const { stdout, stderr, status } = spawnSync(command, args, {
    input: JSON.stringify(cases),
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
};

const hasPython = spawnSync('python3', ['--version']).status === 0;

describe('the code for receivers tells deliveries from forgeries', () => {
  test('in Node', () => {
    const asking = `import { readFileSync } from 'node:fs';
      const cases = JSON.parse(readFileSync(0, 'utf8'));
      console.log(JSON.stringify(cases.map((c) => isFromBurgee(c.secret, c.headers, c.body))));`;
    const code = `${codeFor('Node')}\n${asking}`;
    expect(answersOf(process.execPath, ['--input-type=module', '-e', code])).toEqual(expected);
  });

  test.skipIf(!hasPython)('in Python', () => {
    const asking = `import json, sys
cases = json.load(sys.stdin)
print(json.dumps([is_from_burgee(c["secret"], c["headers"], c["body"].encode()) for c in cases]))`;
    expect(answersOf('python3', ['-c', `${codeFor('Python')}\n${asking}`])).toEqual(expected);
  });
});
