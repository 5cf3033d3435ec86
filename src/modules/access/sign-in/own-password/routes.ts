import type { FastifyInstance } from 'fastify';
import { callerOf } from '../../../../platform/caller-address.ts';
import { route } from '../../../../platform/http/route.ts';
import type { Services } from '../../../../platform/module.ts';
import { deviceOf } from '../attempts/device.ts';
import { countGuess } from '../attempts/service.ts';
import { ownPasswordEndpoints } from './checks.ts';
import { changeOwnPassword, prepareChange, requirePerson } from './service.ts';

export function ownPasswordRoutes(app: FastifyInstance, { db, transact }: Services): void {
  route(app, ownPasswordEndpoints.changeMyPassword, async ({ body }, { actor, request }) => {
    const person = await requirePerson(db, actor, body.password);
    // Somebody with a stolen session or token must not be able to guess the password too.
    const guess = await transact(actor, (tx) =>
      countGuess(tx, {
        userId: person.id,
        name: person.username ?? person.email ?? '',
        caller: callerOf(request.ip),
        device: deviceOf(request),
      }),
    );
    const change = await prepareChange(db, person.id, body);
    return transact(actor, (tx) => changeOwnPassword(tx, change, guess));
  });
}
