/** How long SDKs wait before they come again; they spread it themselves. */
const retryMs = 2_000;

/** A comment, which every reader skips. */
export const heartbeat = Buffer.from(':\n\n');

type EventName = 'unleash-connected' | 'unleash-updated';

const head = (id: string, event: EventName) => `id: ${id}\nevent: ${event}\ndata: `;
const end = '\n\n';

/** One event for many: they all get the same bytes. */
export const updated = (id: string, body: Buffer): Buffer =>
  Buffer.concat([Buffer.from(head(id, 'unleash-updated')), body, Buffer.from(end)]);

/** The first words to who connects: an event around a body that is there already, or the place alone. */
export const welcome = (
  id: string,
  told?: { readonly event: EventName; readonly body: Buffer },
): readonly (string | Buffer)[] => {
  const retry = `retry: ${retryMs}\n`;
  return told ? [`${retry}${head(id, told.event)}`, told.body, end] : [`${retry}id: ${id}${end}`];
};
