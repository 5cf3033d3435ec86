import { type Static, Type } from 'typebox';
import { named, oneOf } from '../../../platform/contract/schema.ts';

const ParameterDefinitionSchema = named(
  'addonParameterSchema',
  Type.Object({
    name: Type.String(),
    displayName: Type.String({ description: 'What the field is called in a form' }),
    description: Type.String(),
    placeholder: Type.Optional(Type.String()),
    type: oneOf(
      ['text', 'textfield', 'url', 'number', 'boolean'],
      'How the field is drawn; textfield is one with several lines',
    ),
    required: Type.Boolean(),
    sensitive: Type.Boolean({
      description: 'A secret: it is stored encrypted, and answers show ***** for it',
    }),
  }),
);

const TagTypeSchema = Type.Object({
  name: Type.String(),
  description: Type.String(),
  icon: Type.String(),
});

/** A kind of receiver, with all that a page needs to draw the form for one. */
export const ProviderSchema = named(
  'addonTypeSchema',
  Type.Object({
    name: Type.String(),
    displayName: Type.String(),
    description: Type.String(),
    documentationUrl: Type.String(),
    howTo: Type.Optional(
      Type.String({ description: 'What has to be done at the receiver first, in Markdown' }),
    ),
    deprecated: Type.Optional(Type.String({ description: 'Why another one is the better choice' })),
    installation: Type.Optional(
      Type.Object(
        {
          url: Type.String({ description: 'Where to begin' }),
          title: Type.String(),
          helpText: Type.String(),
        },
        { description: 'What has to be set up at the receiver, where that has a page for it' },
      ),
    ),
    alerts: Type.Array(Type.Object({ type: oneOf(['info', 'warning']), text: Type.String() }), {
      description: 'What to know before one is made',
    }),
    parameters: Type.Array(ParameterDefinitionSchema),
    events: Type.Array(Type.String(), { description: 'The event types that it can be told' }),
    tagTypes: Type.Array(TagTypeSchema, {
      description: 'Tag types that steer it; they are made with the first integration',
    }),
  }),
);
export type ProviderAnswer = Static<typeof ProviderSchema>;
