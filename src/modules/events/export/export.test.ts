import { beforeAll, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/support/app.ts';
import { happen } from '../../../../test/support/happen.ts';

const long = 'ü"\\\n日🚦'.repeat(20_000);
let app: TestApp;
let answered: { id: number }[];

beforeAll(async () => {
  app = await testApp();
  const small = Array.from({ length: 600 }, (_, nth) => ({ data: { nth } }));
  await happen(app.db, { data: { long } }, ...small, { data: { long }, preData: { long: '' } });
  answered = (await app.ask('GET /api/admin/search/events?limit=1000')).json().events;
});

const exported = async (accept: string, parameters = '') => {
  const response = await app.ask(`GET /api/admin/search/events?${parameters}`, {
    headers: { accept },
  });
  return response.body;
};

test('each line is the event as in a search response, across batches and at any length', async () => {
  const lines = (await exported('application/x-ndjson')).trimEnd().split('\n');
  const events = lines.map((line) => {
    const { proof: _proof, ...event } = JSON.parse(line);
    return event;
  });
  expect(answered.length).toBeGreaterThan(601);
  expect(events).toEqual(answered);
});

test('a filtered export has the requested order', async () => {
  const lines = (await exported('application/x-ndjson', 'query=日🚦&order=asc'))
    .trimEnd()
    .split('\n');
  const expected = answered.filter((event) => JSON.stringify(event).includes('日🚦')).reverse();
  expect(lines.map((line) => JSON.parse(line).id)).toEqual(expected.map(({ id }) => id));
  expect(expected).toHaveLength(2);
});

test('CSV contains long texts completely', async () => {
  const text = await exported('text/csv', 'limit=1');
  const [head, row] = text.split('\r\n');
  expect(head?.split(',')[0]).toBe('id');
  expect(row).toContain(JSON.stringify({ long }).replaceAll('"', '""'));
});
