import { Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import { nullable, withDefault } from '../contract/endpoint.ts';
import { named } from '../contract/schema.ts';
import { withNamedSchemas } from './named-schemas.ts';

const Tag = named('tagSchema', Type.Object({ value: Type.String() }, { description: 'A tag' }));
const $ref = '#/components/schemas/tagSchema';
const written = (schemas: Record<string, unknown>) =>
  JSON.parse(JSON.stringify(withNamedSchemas({ paths: schemas, components: { schemas: {} } })));

describe('a named schema', () => {
  test('is defined once in components and referenced where it is used', () => {
    const List = named('tagsSchema', Type.Object({ tags: Type.Array(Tag), first: Tag }));
    expect(written({ one: Tag, list: List })).toEqual({
      paths: { one: { $ref }, list: { $ref: '#/components/schemas/tagsSchema' } },
      components: {
        schemas: {
          tagSchema: {
            type: 'object',
            required: ['value'],
            properties: { value: { type: 'string' } },
            description: 'A tag',
          },
          tagsSchema: {
            type: 'object',
            required: ['tags', 'first'],
            properties: { tags: { type: 'array', items: { $ref } }, first: { $ref } },
          },
        },
      },
    });
  });

  test('may have a description, null or a default of its own in one place', () => {
    const { paths } = written({
      first: Tag,
      other: { ...Tag, description: 'Another' },
      perhaps: nullable(Tag),
      usual: withDefault(Tag, { value: 'x' }),
    });
    expect(paths).toEqual({
      first: { $ref },
      other: { $ref, description: 'Another' },
      perhaps: { anyOf: [{ $ref }, { type: 'null' }] },
      usual: { $ref, default: { value: 'x' } },
    });
  });

  test('cannot have the same name as a different one', () => {
    const other = named('tagSchema', Type.Object({ value: Type.Integer() }));
    expect(() => written({ one: Tag, other })).toThrow('tagSchema');
    const Renamed = named('labelSchema', Tag);
    expect(written({ one: Tag, Renamed }).paths.Renamed).toEqual({
      $ref: '#/components/schemas/labelSchema',
    });
  });

  test('stays optional, and x-name can be the name of a property', () => {
    const Holder = Type.Object({ tag: named('tagSchema', Type.Optional(Tag)) });
    expect(Holder).not.toHaveProperty('required');
    const odd = Type.Object({ 'x-name': Type.String() });
    expect(written({ odd }).paths.odd.properties).toEqual({ 'x-name': { type: 'string' } });
  });
});
