import type { JsonObject } from '../../../events/index.ts';
import type { IntegrationEvent } from '../provider.ts';

export const cloudEventType = 'application/cloudevents+json';

/** The prefix of every CloudEvents `type`, followed by the event type. */
const typePrefix = 'io.burgee.';

/** CloudEvents 1.0, structured mode. The subject is the feature, else the project, else absent. */
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
