import type { JsonObject } from '../../../events/index.ts';
import type { IntegrationEvent } from '../provider.ts';

export const cloudEventType = 'application/cloudevents+json';

/** What every `type` begins with; the type of the event follows. */
const typePrefix = 'io.burgee.';

/** CloudEvents 1.0, structured mode: who it is about is the feature, else the project, else nobody. */
export const cloudEvent = (event: IntegrationEvent, baseUrl: string): JsonObject => {
  const subject = event.featureName ?? event.project;
  return {
    specversion: '1.0',
    id: String(event.id),
    source: baseUrl,
    type: `${typePrefix}${event.type}`,
    ...(subject === null ? {} : { subject }),
    time: event.createdAt,
    datacontenttype: 'application/json',
    data: event as unknown as JsonObject,
  };
};
