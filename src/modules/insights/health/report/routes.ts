import { sendPrepared } from '../../../../platform/http/prepared-response.ts';
import { defineUseCase } from '../../../../platform/module.ts';
import { reportContract } from './contract.ts';
import { createReports } from './report-cache.ts';

/** The operation was deprecated from its beginning: since 1 January 2026, in the format of RFC 9745. */
const deprecatedSince = `@${Date.UTC(2026, 0, 1) / 1000}`;

export const reportUseCase = defineUseCase({
  contract: reportContract,
  routes: ({ db, readSnapshot, clock, settings: { baseUrl } }) => {
    const reports = createReports({ db, readSnapshot, clock, baseUrl });

    return {
      getHealthReport: async ({ params }, { actor, request, reply }) => {
        const { projectId } = params;
        reply
          .header('deprecation', deprecatedSince)
          .header('vary', 'Accept-Encoding')
          .header(
            'link',
            `</api/admin/projects/${encodeURIComponent(projectId)}/status>; rel="successor-version"`,
          );
        return sendPrepared(request, reply, await reports.get(projectId, actor));
      },
    };
  },
});
