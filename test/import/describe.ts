/** The API of an Unleash: the properties of every GET response, by path, nested ones with a dot, lists with []. */
export type Description = Readonly<Record<string, readonly string[]>>;

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

export interface OpenApiDocument {
  readonly paths: Readonly<
    Record<
      string,
      { readonly get?: { readonly responses: Readonly<Record<string, { content?: object }>> } }
    >
  >;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** Only names are kept: these are facts about the interface. */
export function describeResponses({ paths, components }: OpenApiDocument): Description {
  const isList = ({ $ref, items }: Schema): boolean => {
    const name = $ref?.split('/').at(-1);
    return name === undefined ? items !== undefined : isList(components.schemas[name] ?? {});
  };
  const propertiesOf = (schema: Schema, above: readonly string[]): string[] => {
    const name = schema.$ref?.split('/').at(-1);
    // Some schemas are recursive.
    if (name !== undefined && above.includes(name)) return [];
    const own = name === undefined ? schema : (components.schemas[name] ?? {});
    const inner = name === undefined ? above : [...above, name];
    const { properties = {}, items, allOf = [], anyOf = [], oneOf = [] } = own;
    return [
      ...Object.entries(properties).flatMap(([property, value]) => {
        const named = isList(value) ? `${property}[]` : property;
        return [named, ...propertiesOf(value, inner).map((each) => `${named}.${each}`)];
      }),
      ...[...(items ? [items] : []), ...allOf, ...anyOf, ...oneOf].flatMap((each) =>
        propertiesOf(each, inner),
      ),
    ];
  };
  return Object.fromEntries(
    Object.entries(paths)
      .flatMap(([path, { get }]) => {
        if (!get) return [];
        const [content] = Object.values(get.responses['200']?.content ?? {}) as {
          schema?: Schema;
        }[];
        return [[path, [...new Set(propertiesOf(content?.schema ?? {}, []))].sort()] as const];
      })
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}
