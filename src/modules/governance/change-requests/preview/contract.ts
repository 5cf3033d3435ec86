import { Type } from 'typebox';
import { endpoint, withDefault } from '../../../../platform/contract/endpoint.ts';
import { named } from '../../../../platform/contract/schema.ts';
import { contextOf } from '../../../sdk/playground/context-schema.ts';
import { PreviewSchema } from '../../../sdk/preview/preview-schema.ts';
import { requestParams, requestPath, scope, tag } from '../request-schema.ts';

/** As many as the playground takes. */
const maxContexts = 50;

export const previewContract = {
  previewChangeRequest: endpoint({
    method: 'POST',
    path: `${requestPath}/preview`,
    id: 'previewChangeRequest',
    tag,
    summary: 'Preview the effect of a change request on evaluations',
    description:
      'Evaluates the features that the request affects in its environment, before and after it: those that it changes, those that use a changed segment, and ' +
      'their children. The contexts are generated from the constraints on both sides, so they show who is affected, not how many users. ' +
      'Features in projects that you cannot see are left out. The request must be open. Changes nothing and does not count as usage.',
    permission: 'none',
    duringMaintenance: true,
    scope,
    outdated: 'the request cannot be applied; the message says why',
    params: requestParams,
    body: named(
      'changeRequestPreviewRequestSchema',
      Type.Object({
        contexts: withDefault(
          Type.Array(
            contextOf(
              'Context, as SDKs send it. If fields have several values, every combination is evaluated',
            ),
            { maxItems: maxContexts, description: 'Evaluated in addition to the generated ones' },
          ),
          [],
        ),
      }),
    ),
    response: PreviewSchema,
  }),
};
