import { notFound } from '../../../../platform/errors.ts';
import { digestOf } from '../../../../platform/http/entity-tag.ts';
import { streamJson } from '../../../../platform/http/long-json.ts';
import { defineUseCase } from '../../../../platform/module.ts';
import { inSlices } from '../../../../platform/slices.ts';
import { readSnapshotAsOf } from '../../snapshot/index.ts';
import { contentSteps } from '../content.ts';
import { featuresJson } from '../features.ts';
import { viewOf } from '../view.ts';
import { asOfContract } from './contract.ts';

export const clientFeaturesAsOfUseCase = defineUseCase({
  contract: asOfContract,
  routes: ({ searchDb, clock, definitions }) => ({
    getClientFeaturesAsOf: async ({ params: { name }, query: { asOf } }, { reply }) => {
      const snapshot =
        asOf === undefined
          ? await definitions.current()
          : await readSnapshotAsOf(searchDb, { asOf, now: clock() }, [name]);
      if (!snapshot.environments.has(name)) throw notFound('environment', name);
      const view = viewOf({ environment: name, scopes: 'all', audience: 'client' }, snapshot, {});
      const content = await inSlices(contentSteps(snapshot, view));
      const etag = `"${digestOf(`${view.digest}:${content.fingerprint}`)}"`;
      const meta = { revisionId: snapshot.revision, etag, queryHash: view.digest };
      return streamJson(
        reply.header('cache-control', 'no-store'),
        featuresJson(content, false, meta),
      );
    },
  }),
});
