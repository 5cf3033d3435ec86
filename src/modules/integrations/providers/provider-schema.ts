import { type Static, Type } from 'typebox';
import { named, oneOf } from '../../../platform/contract/schema.ts';

const ParameterDefinitionSchema = named(
  'addonParameterSchema',
  Type.Object({
    name: Type.String(),
    displayName: Type.String({ description: 'Label of the field in a form' }),
    description: Type.String(),
    placeholder: Type.Optional(Type.String()),
    type: oneOf(
      ['text', 'textfield', 'url', 'number', 'boolean'],
      'Form control of the field; textfield has several lines',
    ),
    required: Type.Boolean(),
    sensitive: Type.Boolean({
      description:
        'Whether the value is a secret: stored encrypted and masked as ***** in responses',
    }),
  }),
);

const TagTypeSchema = Type.Object({
  name: Type.String(),
  description: Type.String(),
  icon: Type.String(),
});

/** A provider, with everything a form needs. */
export const ProviderSchema = named(
  'addonTypeSchema',
  Type.Object({
    name: Type.String(),
    displayName: Type.String(),
    description: Type.String(),
    documentationUrl: Type.String(),
    howTo: Type.Optional(Type.String({ description: 'Setup steps at the provider, in Markdown' })),
    deprecated: Type.Optional(Type.String({ description: 'Why another provider is preferred' })),
    installation: Type.Optional(
      Type.Object(
        {
          url: Type.String({ description: 'URL of the setup page' }),
          title: Type.String(),
          helpText: Type.String(),
        },
        { description: 'Setup page at the provider, if there is one' },
      ),
    ),
    alerts: Type.Array(Type.Object({ type: oneOf(['info', 'warning']), text: Type.String() }), {
      description: 'Information to read before creating an integration',
    }),
    parameters: Type.Array(ParameterDefinitionSchema),
    events: Type.Array(Type.String(), { description: 'Event types that the provider supports' }),
    tagTypes: Type.Array(TagTypeSchema, {
      description: 'Tag types that control the provider; created with the first integration',
    }),
  }),
);
export type ProviderAnswer = Static<typeof ProviderSchema>;
