import Fastify from 'fastify';

/** A body for `/body`, with its type. */
export interface BareBody {
  readonly text: string;
  readonly type: string;
}

/** Routes that only answer: the lower bound for anything that runs on Fastify. */
const app = Fastify();
app.get('/', (_request, reply) => {
  reply.status(304).header('etag', '"bare"').send();
});
let body = Buffer.alloc(0);
let type = 'application/json';
app.get('/body', (_request, reply) => {
  reply.header('content-type', type).send(body);
});
process.on('message', (given: BareBody) => {
  body = Buffer.from(given.text);
  type = given.type;
  process.send?.({});
});
const url = await app.listen({ port: 0, host: '127.0.0.1' });
process.send?.({ url });
process.on('disconnect', () => process.exit());
