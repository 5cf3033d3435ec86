import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/support/app.ts';
import { delivery, happened, integration } from '../../../../test/support/deliveries.ts';
import { recordsOf } from '../../../../test/support/integrations.ts';
import { splitPage } from './page.ts';

const place = (eventId: number, characters: number) => ({ eventId, characters });

describe('a page of records', () => {
  test('is read in parts of a million characters, and a longer record separately', () => {
    expect(splitPage([])).toEqual([]);
    expect(splitPage([place(3, 400_000), place(2, 600_000), place(1, 1)])).toEqual([[3, 2], [1]]);
    expect(splitPage([place(4, 1), place(3, 5_000_000), place(2, 1), place(1, 999_999)])).toEqual([
      [4],
      [3],
      [2, 1],
    ]);
    const page = Array.from({ length: 1000 }, (_, index) => place(index, 900_000));
    expect(splitPage(page)).toHaveLength(1000);
  });

  let app: TestApp;
  let id: number;
  const ids: string[] = [];
  beforeAll(async () => {
    app = await testApp();
    id = await integration(app);
    for (let number = 0; number < 5; number += 1) {
      const eventId = await happened(app, { project: 'default' });
      const body = JSON.stringify({ text: 'x'.repeat(number % 2 === 0 ? 700_000 : 10) });
      const message = { contentType: 'application/json', body, templated: false };
      ids.unshift(await delivery(app, id, { eventId, message }));
    }
  });

  test('has the same records in the same order, whatever the number of parts', async () => {
    const records = await recordsOf(app.ask, id);
    expect(records.map((record) => record.id)).toEqual(ids);
    expect((await recordsOf(app.ask, id, '?limit=2&offset=1')).map((each) => each.id)).toEqual(
      ids.slice(1, 3),
    );
    expect(await recordsOf(app.ask, id, '?offset=5')).toEqual([]);
  });
});
