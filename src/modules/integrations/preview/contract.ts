import { type Static, Type } from 'typebox';
import { endpoint } from '../../../platform/contract/endpoint.ts';
import { dictionary } from '../../../platform/contract/schema.ts';
import { EventSchema } from '../../events/event-schema.ts';
import { IntegrationInputSchema } from '../configuration/integration-schema.ts';
import { path, tag } from '../integration-path-schema.ts';

/** So many events are matched with the filters. */
export const examinedEvents = 100;

/** So many messages are composed: a message may be large. */
export const shownMessages = 5;

const { provider, parameters, events, projects, environments, tags } =
  IntegrationInputSchema.properties;

const PreviewInputSchema = Type.Object({
  provider,
  parameters: Type.Optional(parameters),
  events,
  projects,
  environments,
  tags,
});
export type PreviewInput = Static<typeof PreviewInputSchema>;

const PreviewedMessageSchema = Type.Object({
  event: EventSchema,
  message: Type.Optional(
    dictionary(Type.Unknown(), "The message in the provider's format, without secrets"),
  ),
  problem: Type.Optional(Type.String({ description: 'Why the message cannot be composed' })),
});

const PreviewSchema = Type.Object({
  examined: Type.Integer({
    description: `Number of events that were matched: the newest that you can see, at most ${examinedEvents}`,
  }),
  matched: Type.Integer({ description: 'How many of them would have been sent' }),
  messages: Type.Array(PreviewedMessageSchema, {
    description: `The newest matches, at most ${shownMessages}`,
  }),
});
export type Preview = Static<typeof PreviewSchema>;

export const previewContract = {
  previewIntegration: endpoint({
    method: 'POST',
    path: `${path}/preview`,
    id: 'previewAddon',
    tag,
    summary: 'Preview which events an integration would send',
    description:
      'Matches the filters with the newest events that you can see and composes the messages. Nothing is sent or stored. Secret parameters are ignored, because messages do not contain them.',
    permission: ['ADMIN', 'CREATE_ADDON', 'UPDATE_ADDON'],
    duringMaintenance: true,
    body: PreviewInputSchema,
    response: PreviewSchema,
  }),
};
