import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Actor, Reach } from '../../../platform/db/database.ts';
import { notFound, unavailable } from '../../../platform/errors.ts';
import { namesIn } from '../../../platform/http/entity-tag.ts';
import { route } from '../../../platform/http/route.ts';
import { addHeaders } from '../../../platform/http/security-headers.ts';
import type { Services } from '../../../platform/module.ts';
import { inlinedClientJson, isIn, markStale, type Snapshot } from '../snapshot/index.ts';
import { createAnswers, type Shown } from './answers.ts';
import { prepareContent } from './content.ts';
import { contract } from './contract.ts';
import { type Named, parseName } from './delta.ts';
import { createFindUpdate, everything, hydrationAnswer, isOf } from './delta-answer.ts';
import { featuresAnswer, isInlined, tellingFor } from './features.ts';
import { sdkFigures } from './figures.ts';
import { sendAnswer, sendPieces } from './send.ts';
import { createStreams } from './streaming/streams.ts';
import { validTokens } from './valid-tokens.ts';
import { viewOf, type Wish } from './view.ts';

const eventStream = 'text/event-stream';

/** Programs that follow say so; whoever says nothing gets JSON. */
const wantsStream = ({ headers: { accept = '' } }: FastifyRequest): boolean =>
  /text\/event-stream|\*\/\*/i.test(accept);

/** The gate lets nobody else in. */
const reachOf = ({ reach }: Actor): Reach => reach as Reach;

export function clientApiRoutes(app: FastifyInstance, services: Services): void {
  const { db, clock, definitions, stopping } = services;
  const show = createAnswers();
  const findUpdate = createFindUpdate(definitions);
  const streams = createStreams(services, { definitions, show, findUpdate });
  sdkFigures(services, { definitions, openStreams: streams.count });
  // There is something to answer with, should the database be gone before the first SDK asks.
  app.addHook('onListen', async () => {
    await Promise.resolve(definitions.current()).catch((error) =>
      services.log.warn({ err: error }, 'what SDKs are told could not be read'),
    );
  });

  /** What is shown to an actor now; at least what another instance has shown to it already. */
  async function lookUp(
    actor: Actor,
    wish: Wish,
    names: readonly string[],
  ): Promise<{ shown: Shown; snapshot: Snapshot; named: Named | undefined }> {
    const snapshot = await definitions.current();
    const view = viewOf(reachOf(actor), snapshot, wish);
    await prepareContent(snapshot, view);
    const shown = show(snapshot, view);
    const named = names
      .map(parseName)
      .find((each) => each !== undefined && each.digest === view.digest);
    if (!named || named.revision <= snapshot.revision || isOf(view, shown.content, named)) {
      return { shown, snapshot, named };
    }
    const later = await definitions.current(named.revision);
    return { shown: show(later, view), snapshot: later, named };
  }

  route(app, contract.getAllClientFeatures, async ({ query }, { actor, request, reply }) => {
    const spec = request.headers['unleash-client-spec'];
    const inlined = isInlined(spec, query.inlineSegmentConstraints);
    const snapshot = await definitions.current();
    const view = viewOf(reachOf(actor), snapshot, query);
    await prepareContent(snapshot, view);
    const answer = featuresAnswer(show(snapshot, view), inlined);
    return sendAnswer(request, markStale(reply, definitions), answer);
  });

  route(app, contract.getClientFeature, async ({ params, query }, { actor, reply }) => {
    const snapshot = await definitions.current();
    const view = viewOf(reachOf(actor), snapshot, query);
    const found = snapshot.environments.get(view.environment)?.features.get(params.featureName);
    if (!found || !isIn(view, found)) throw notFound('feature', params.featureName);
    markStale(reply, definitions)
      .header('content-type', 'application/json; charset=utf-8')
      .header('cache-control', 'private, no-cache');
    return sendPieces(reply, inlinedClientJson(found, snapshot), false);
  });

  route(app, contract.getDelta, async ({ query }, { actor, request, reply }) => {
    const names = namesIn(request.headers['if-none-match']);
    const { shown, snapshot, named } = await lookUp(actor, query, names);
    // The same content under another revision, of another instance or from before a restart, is the same.
    const isKnown = named !== undefined && isOf(shown.view, shown.content, named);
    const update = named && !isKnown ? findUpdate(shown, named, snapshot) : undefined;
    markStale(reply, definitions);
    return sendAnswer(request, reply, update ?? hydrationAnswer(shown), isKnown);
  });

  route(app, contract.getClientStream, async ({ query }, { actor, request, reply }) => {
    const before = request.headers['last-event-id'];
    const names = before === undefined ? [] : [String(before)];
    const { shown, snapshot, named } = await lookUp(actor, query, names);
    markStale(reply, definitions);
    const telling = tellingFor(request.headers['unleash-client-spec']);
    if (!wantsStream(request)) return sendAnswer(request, reply, everything(shown, telling));
    if (stopping.aborted) throw unavailable('This server is stopping; please try again', 1);
    streams.refuseTooMany(shown.view, telling);
    reply
      .header('content-type', `${eventStream}; charset=utf-8`)
      .header('cache-control', 'no-store')
      .header('x-accel-buffering', 'no')
      .header('connection', 'close');
    if (request.method === 'HEAD') return reply.send('');
    // In steps, so that it is there when the stream is greeted with it.
    const isKnown = named !== undefined && isOf(shown.view, shown.content, named);
    const isNews = !isKnown && telling === 'changes' && named && findUpdate(shown, named, snapshot);
    if (!isKnown && !isNews) await everything(shown, telling).plain();
    addHeaders(request, reply);
    const { raw } = reply.hijack();
    // Ends with its connection, and so needs no chunks: all streams are written the same bytes.
    raw.removeHeader('transfer-encoding');
    raw.writeHead(200, reply.getHeaders() as Record<string, string>);
    const visitor = { raw, token: actor.id, reach: reachOf(actor), named, telling };
    streams.open(visitor, shown.view, snapshot);
    return reply;
  });

  route(app, contract.getValidTokens, async ({ body }) => validTokens(db, body.tokens, clock()));
}
