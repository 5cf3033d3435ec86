import { beforeAll, beforeEach, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/support/app.ts';
import { movableClock } from '../../../../test/support/visitor.ts';
import { createLogger } from '../../../platform/log.ts';

const time = movableClock();
let app: TestApp;
const lines: string[] = [];
beforeAll(async () => {
  app = await testApp({
    clock: time.clock,
    log: createLogger('warn', { write: (line: string) => void lines.push(line) }),
  });
});
// A day later, limits and earlier reports no longer apply.
beforeEach(() => {
  lines.length = 0;
  time.pass({ hours: 24 });
});

const send = (payload: unknown, contentType = 'application/csp-report', ip = '192.0.2.1') =>
  app.app.inject({
    method: 'POST',
    url: '/csp-reports',
    headers: { 'content-type': contentType },
    remoteAddress: ip,
    payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
  });

const report = (more: object = {}) => ({
  'csp-report': {
    'document-uri': 'https://flags.example.com/reset-password?token=secret#part',
    'effective-directive': 'script-src-elem',
    'violated-directive': 'script-src-elem',
    'blocked-uri': 'https://evil.example/x.js?stolen=secret',
    'source-file': 'https://flags.example.com/assets/main.js?secret',
    'line-number': 7,
    'script-sample': 'secret',
    ...more,
  },
});

const violations = () =>
  lines
    .map((line) => JSON.parse(line))
    .filter(({ msg }) => msg === 'content security policy violated')
    .map(({ directive, blocked, page, source, repeated }) => ({
      directive,
      blocked,
      page,
      source,
      repeated,
    }));

test('both formats of reports are logged without queries and samples', async () => {
  const first = await send(report());
  expect([first.statusCode, first.body]).toEqual([204, '']);
  await send(
    [
      {
        type: 'csp-violation',
        url: 'https://flags.example.com/',
        body: {
          documentURL: 'https://flags.example.com/projects/a',
          effectiveDirective: 'style-src-attr',
          blockedURL: 'inline',
          sample: 'secret',
        },
      },
      { type: 'deprecation', body: {} },
      null,
    ],
    'application/reports+json',
  );
  expect(violations()).toEqual([
    {
      directive: 'script-src-elem',
      blocked: 'evil.example',
      page: '/reset-password',
      source: 'flags.example.com/assets/main.js:7',
    },
    { directive: 'style-src-attr', blocked: 'inline', page: '/projects/a' },
  ]);
  expect(lines.join()).not.toContain('secret');
});

test('repeated reports are logged once an hour, with their number', async () => {
  for (let nth = 0; nth < 3; nth += 1) await send(report());
  expect(violations()).toHaveLength(1);
  time.pass({ minutes: 61 });
  await send(report());
  expect(violations().map(({ repeated }) => repeated)).toEqual([undefined, 2]);
});

test('the number of logged reports is limited per address and in total', async () => {
  const violation = (nth: number) => report({ 'blocked-uri': `https://host-${nth}.example/` });
  for (let nth = 0; nth < 30; nth += 1) await send(violation(nth));
  expect(violations()).toHaveLength(20);
  for (let nth = 30; nth < 200; nth += 1) {
    await send(violation(nth), 'application/csp-report', `192.0.2.${nth}`);
  }
  expect(violations()).toHaveLength(100);
});

test('a flood from one address does not hide the report of another', async () => {
  for (let nth = 0; nth < 150; nth += 1) await send({}, 'application/csp-report', '192.0.2.1');
  await send(report(), 'application/csp-report', '192.0.2.2');
  expect(violations()).toHaveLength(1);
});

test.each([
  ['', 'application/csp-report'],
  ['{', 'application/csp-report'],
  ['null', 'application/csp-report'],
  ['"text"', 'application/reports+json'],
  ['{"csp-report":[]}', 'application/csp-report'],
  ['{"__proto__":{"csp-report":1}}', 'application/csp-report'],
  ['[[[[]]]]', 'application/reports+json'],
  ['[{"type":"csp-violation","body":{"effectiveDirective":{}}}]', 'application/reports+json'],
  ['{"csp-report":{"document-uri":"x","effective-directive":"a"}}', 'application/csp-report'],
  [
    '{"csp-report":{"document-uri":"https://a.example/","effective-directive":{"toString":1,"valueOf":1}}}',
    'application/csp-report',
  ],
  ['{"other":1}', 'application/json'],
])('the body %s of type %s is ignored', async (body, type) => {
  const { statusCode } = await send(body, type);
  expect(statusCode).toBeLessThan(500);
  expect(lines).toEqual([]);
});

test('names in a report cannot add lines or control characters to the log', async () => {
  await send(
    report({
      'effective-directive': 'img-src \n\u001b[2J forged',
      'document-uri': 'https://flags.example.com/%0Aforged%1B/x',
      'blocked-uri': 'a\nb',
    }),
  );
  expect(violations()).toEqual([
    {
      directive: 'img-src',
      blocked: 'unknown',
      page: '/forged/x',
      source: 'flags.example.com/assets/main.js:7',
    },
  ]);
});

test('a blocked URL that is not a string is logged as unknown', async () => {
  const { statusCode } = await send(report({ 'blocked-uri': { toString: 1, valueOf: 1 } }));
  expect(statusCode).toBe(204);
  expect(violations()).toMatchObject([{ blocked: 'unknown' }]);
});

test('other endpoints do not accept reports', async () => {
  const response = await app.ask('POST /api/admin/projects', {
    headers: { 'content-type': 'application/csp-report' },
    payload: JSON.stringify({ id: 'made-by-a-report', name: 'x' }),
  });
  expect(response.statusCode).toBe(415);
});
