import { Type } from 'typebox';

const pointer = Type.String({
  maxLength: 1000,
  pattern: '^(/.*)?$',
  'x-fault': 'must be a JSON pointer, such as /description',
});

/** RFC 6902. The members that each operation needs besides `op` are checked when it is applied. */
export const JsonPatchSchema = Type.Array(
  Type.Object({
    op: Type.Unsafe<'add' | 'remove' | 'replace' | 'move' | 'copy' | 'test'>({
      type: 'string',
      enum: ['add', 'remove', 'replace', 'move', 'copy', 'test'],
    }),
    path: pointer,
    from: Type.Optional(pointer),
    value: Type.Optional(Type.Unknown()),
  }),
  { maxItems: 100, description: 'A JSON Patch (RFC 6902) of at most 100 operations' },
);
