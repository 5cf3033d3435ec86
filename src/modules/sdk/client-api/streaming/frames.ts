/** How long SDKs wait before they reconnect. They add their own jitter. */
const retryMs = 2_000;

/** A comment, which SDKs ignore. An edge reads in it how old the data of its upstream is, while that is stale. */
export const heartbeatOf = (staleSeconds: string | undefined): Buffer =>
  Buffer.from(staleSeconds === undefined ? ':\n\n' : `: stale ${staleSeconds}\n\n`);

type EventName = 'unleash-connected' | 'unleash-updated';

const head = (id: string, event: EventName) => `id: ${id}\nevent: ${event}\ndata: `;
const end = '\n\n';

/** One event, the same bytes for all streams of a group. */
export const updated = (id: string, body: Buffer): Buffer =>
  Buffer.concat([Buffer.from(head(id, 'unleash-updated')), body, Buffer.from(end)]);

/** The first event of a stream: with a rendered body, or with the id alone. */
export const welcome = (
  id: string,
  first?: { readonly event: EventName; readonly body: Buffer },
): readonly (string | Buffer)[] => {
  const retry = `retry: ${retryMs}\n`;
  return first
    ? [`${retry}${head(id, first.event)}`, first.body, end]
    : [`${retry}id: ${id}${end}`];
};
