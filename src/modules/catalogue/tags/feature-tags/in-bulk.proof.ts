import { expect, test } from 'vitest';
import { testActor, testApp } from '../../../../../test/support/app.ts';
import { featureTagsOn, simple } from '../../../../../test/support/feature-tags.ts';
import { insertTags } from '../queries.ts';
import { insertFeatureTags } from './queries.ts';

test('more tags can be added at once than fit in the parameters of one statement', async () => {
  const app = await testApp();
  const featureTags = featureTagsOn(app);
  const tags = Array.from({ length: 17_000 }, (_, n) => simple(`import-${n}`));
  await featureTags.feature('imported');
  await app.transact(testActor, async (tx) => {
    await insertTags(tx, tags);
    await insertFeatureTags(
      tx,
      tags.map((tag) => ({ feature: 'imported', tag })),
    );
  });
  expect(await featureTags.read('imported')).toHaveLength(17_000);
});
