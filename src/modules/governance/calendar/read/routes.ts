import { callerOf } from '../../../../platform/caller-address.ts';
import { notFound, tooManyRequests } from '../../../../platform/errors.ts';
import { sendTagged } from '../../../../platform/http/entity-tag.ts';
import { defineUseCase } from '../../../../platform/module.ts';
import { createRateLimit } from '../../../../platform/rate.ts';
import { findVisibleProjects } from '../../../access/gate/index.ts';
import { findInstanceId } from '../../../access/settings/index.ts';
import { findToken } from '../tokens/queries.ts';
import { checks } from './checks.ts';
import { readContract } from './contract.ts';
import { readCalendar, readCalendarFile } from './service.ts';

/** Of one address: services that fetch calendars do it for many users. */
const rate = { burst: 120, perMinute: 120 };

/** The response neither repeats the secret nor tells why it is refused. */
const unknownToken = () => notFound('calendar', '*****');

export const readUseCase = defineUseCase({
  contract: readContract,
  checks,
  routes: ({ db, clock, settings: { baseUrl } }) => {
    const limit = createRateLimit(rate, clock);
    return {
      getCalendar: ({ query }, { actor }) => readCalendar(db, { actor, baseUrl }, query, clock()),

      getCalendarFile: async ({ query }, { request, reply }) => {
        const waitSeconds = limit.take(callerOf(request.ip));
        if (waitSeconds > 0) {
          throw tooManyRequests('Too many requests for calendars', waitSeconds);
        }
        const now = clock();
        const token = await findToken(db, query.token);
        if (!token) throw unknownToken();
        const { userId: id, project, feature } = token;
        const sees = await findVisibleProjects(db, { kind: 'account', id }, now);
        if (sees === undefined) throw unknownToken();
        const file = await readCalendarFile(
          db,
          { actor: { id, sees }, baseUrl },
          { project: project ?? undefined, feature: feature ?? undefined },
          { now, instanceId: await findInstanceId(db) },
        );
        reply.header('cache-control', 'private, no-cache');
        reply.header('content-disposition', 'attachment; filename="burgee.ics"');
        return sendTagged(request, reply, file, 'text/calendar; charset=utf-8');
      },
    };
  },
});
