import Fastify from 'fastify';

/** A route that only answers 304: the lower bound for anything that runs on Fastify. */
const app = Fastify();
app.get('/', (_request, reply) => {
  reply.status(304).header('etag', '"bare"').send();
});
const url = await app.listen({ port: 0, host: '127.0.0.1' });
process.send?.({ url });
process.on('disconnect', () => process.exit());
