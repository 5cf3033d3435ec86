import type { FastifyRequest } from 'fastify';
import type { Actor, TokenScope } from '../../../platform/actor.ts';
import { notFound } from '../../../platform/errors.ts';
import { namesIn } from '../../../platform/http/entity-tag.ts';
import { sendPieces, sendPrepared } from '../../../platform/http/prepared-response.ts';
import { addHeaders } from '../../../platform/http/security-headers.ts';
import { defineUseCase } from '../../../platform/module.ts';
import type { SdkServices } from '../services.ts';
import { featuresIn, inlinedClientJson, markStale, type Snapshot } from '../snapshot/index.ts';
import { type Content, createContents } from './content.ts';
import { sdkContract } from './contract.ts';
import { type ContentName, isOf, parseName } from './delta.ts';
import { isInlined, streamFormatFor } from './features.ts';
import { sdkMetrics } from './metrics.ts';
import { createClientResponses } from './responses.ts';
import { createStreams } from './streaming/streams.ts';
import { type ViewQuery, viewOf } from './view.ts';

const vary = 'Accept-Encoding, Unleash-Client-Spec';
const eventStream = 'text/event-stream';

/** Returns whether the client asks for a stream. The default is JSON. */
const wantsStream = ({ headers: { accept = '' } }: FastifyRequest): boolean =>
  /text\/event-stream|\*\/\*/i.test(accept);

/** The gate admits only tokens with a scope. */
const tokenScopeOf = ({ tokenScope }: Actor): TokenScope => tokenScope as TokenScope;

export const clientApiUseCase = defineUseCase({
  contract: sdkContract,
  routes: (services: SdkServices, app) => {
    const { definitions, sdkTokens } = services;
    const contents = createContents();
    const responses = createClientResponses(definitions);
    const streams = createStreams(services, { definitions, contents, responses });
    sdkMetrics(services, { definitions, openStreams: streams.count });
    // Loads the definitions at the start, so that SDKs are served even if their source fails before the first request.
    app.addHook('onListen', async () => {
      await Promise.resolve(definitions.current()).catch((error) =>
        services.log.warn({ err: error }, 'the snapshot for SDKs could not be read'),
      );
    });

    /** Finds the content for an actor, at least as new as what another instance has already sent. */
    async function lookUp(
      actor: Actor,
      query: ViewQuery,
      names: readonly string[],
    ): Promise<{ content: Content; snapshot: Snapshot; named: ContentName | undefined }> {
      const snapshot = await definitions.current();
      const view = viewOf(tokenScopeOf(actor), snapshot, query);
      const content = await contents.find(snapshot, view);
      const named = names
        .map(parseName)
        .find((each) => each !== undefined && each.digest === view.digest);
      if (!named || named.revision <= snapshot.revision || isOf(content, named)) {
        return { content, snapshot, named };
      }
      const later = await definitions.current(named.revision);
      return { content: await contents.find(later, view), snapshot: later, named };
    }

    return {
      getAllClientFeatures: async ({ query }, { actor, request, reply }) => {
        const spec = request.headers['unleash-client-spec'];
        const inlined = isInlined(spec, query.inlineSegmentConstraints);
        const snapshot = await definitions.current();
        const content = await contents.find(snapshot, viewOf(tokenScopeOf(actor), snapshot, query));
        markStale(reply, definitions).header('vary', vary);
        return sendPrepared(request, reply, responses.features(content, inlined));
      },

      getClientFeature: async ({ params, query }, { actor, reply }) => {
        const snapshot = await definitions.current();
        const view = viewOf(tokenScopeOf(actor), snapshot, query);
        const found = featuresIn(snapshot, view).find(({ name }) => name === params.featureName);
        if (!found) throw notFound('feature', params.featureName);
        markStale(reply, definitions)
          .header('content-type', 'application/json; charset=utf-8')
          .header('cache-control', 'private, no-cache');
        return sendPieces(reply, inlinedClientJson(found, snapshot));
      },

      getDelta: async ({ query }, { actor, request, reply }) => {
        const names = namesIn(request.headers['if-none-match']);
        const { content, snapshot, named } = await lookUp(actor, query, names);
        // On another instance, or before a restart, the same content may have another revision.
        const isKnown = named !== undefined && isOf(content, named);
        const update = named && !isKnown ? responses.update(content, named, snapshot) : undefined;
        markStale(reply, definitions).header('vary', vary);
        return sendPrepared(request, reply, update ?? responses.hydration(content), isKnown);
      },

      getClientStream: async ({ query }, { actor, request, reply }) => {
        const before = request.headers['last-event-id'];
        const names = before === undefined ? [] : [String(before)];
        const { content, snapshot, named } = await lookUp(actor, query, names);
        markStale(reply, definitions);
        const format = streamFormatFor(request.headers['unleash-client-spec']);
        const everything = responses.everything(content, format);
        if (!wantsStream(request))
          return sendPrepared(request, reply.header('vary', vary), everything);
        streams.refuseTooMany(content.view, format);
        reply
          .header('content-type', `${eventStream}; charset=utf-8`)
          .header('cache-control', 'no-store')
          .header('x-accel-buffering', 'no')
          .header('connection', 'close');
        if (request.method === 'HEAD') return reply.send('');
        // Prepared in slices, so that the stream can begin with it at once.
        const isKnown = named !== undefined && isOf(content, named);
        const update =
          !isKnown && format === 'changes' && named && responses.update(content, named, snapshot);
        if (!isKnown && !update) await everything.plain();
        addHeaders(request, reply);
        const { raw } = reply.hijack();
        // The response ends with its connection and needs no chunks, so that all streams receive the same bytes.
        raw.removeHeader('transfer-encoding');
        raw.writeHead(200, reply.getHeaders() as Record<string, string>);
        const follower = { raw, token: actor.id, tokenScope: tokenScopeOf(actor), named, format };
        streams.open(follower, content.view, snapshot);
        return reply;
      },

      getValidTokens: ({ body }, { request }) => sdkTokens.validate(body.tokens, request.ip),
    };
  },
});
