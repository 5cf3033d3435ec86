import { type Static, type TSchema, Type } from 'typebox';
import { nullable } from '../../../platform/contract/endpoint.ts';
import { dictionary, instant, oneOf } from '../../../platform/contract/schema.ts';
import type { Constraint } from '../../catalogue/context-fields/index.ts';
import type { Installation } from '../document.ts';

/**
 * The types of everything in a document. What values may be is said by the endpoints (`rules.ts`), except for names that
 * are only looked up.
 */
const text = Type.String();
const secret = Type.String({ writeOnly: true });
const textOrNull = nullable(text);
const name = Type.String({ maxLength: 255 });
const yesNo = Type.Boolean();
const number = Type.Number();
const numberOrNull = nullable(number);
const instantOrNull = nullable(instant);
const names = Type.Array(name);
/** Of another installation. */
const foreignId = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

/** When something was created, and by whom. */
const createdAt = Type.Optional(instantOrNull);
const createdBy = Type.Optional(
  Type.Object({
    name: Type.String({ maxLength: 255, pattern: '^\\P{C}*$' }),
    account: Type.Optional(name),
  }),
);

const list = <S extends TSchema>(item: S) => Type.Array(item);

const tag = Type.Object({ type: text, value: text });

const constraint = Type.Unsafe<Constraint>(
  Type.Object({
    contextName: text,
    operator: text,
    caseInsensitive: yesNo,
    inverted: yesNo,
    values: list(text),
    value: Type.Optional(text),
  }),
);

const variant = Type.Object({
  name: text,
  weight: number,
  weightType: oneOf(['variable', 'fix']),
  stickiness: text,
  payload: Type.Optional(Type.Object({ type: text, value: text })),
  overrides: Type.Optional(list(Type.Object({ contextName: text, values: list(text) }))),
});

const strategyShape = {
  name,
  title: textOrNull,
  disabled: yesNo,
  sortOrder: number,
  parameters: dictionary(text, 'As stored'),
  constraints: list(constraint),
  variants: list(variant),
  segments: names,
};
const strategy = Type.Object(strategyShape);

const naming = Type.Unsafe<{
  pattern: string;
  example: string | null;
  description: string | null;
} | null>({
  ...Type.Object({ pattern: text, example: textOrNull, description: textOrNull }),
  type: ['object', 'null'],
});

const defaultStrategy = Type.Unsafe<Static<typeof strategy> | null>({
  ...strategy,
  type: ['object', 'null'],
});

const stage = Type.Object({
  stage: oneOf(['pre-live', 'live', 'completed']),
  enteredAt: instant,
  status: Type.Unsafe<'kept' | 'discarded' | null>({ enum: ['kept', 'discarded', null] }),
});
const lifecycle = Type.Unsafe<Static<typeof stage> | null>({ ...stage, type: ['object', 'null'] });

const approvals = Type.Integer({ minimum: 1, maximum: 10 });
const approvers = Type.Array(name, { maxItems: 100 });
const approvalRules = Type.Object({
  approvers: Type.Object({ users: approvers, groups: approvers, roles: approvers }),
  selfApproval: oneOf(['admins', 'nobody']),
  expiresAfterDays: nullable(Type.Integer({ minimum: 1, maximum: 365 })),
  applyAutomatically: yesNo,
  emergencyApply: yesNo,
});

/** Each list of a document, with the shape of its items. */
export const shapes = {
  environments: Type.Object({
    name: text,
    type: text,
    enabled: yesNo,
    sortOrder: number,
    requiredApprovals: Type.Optional(approvals),
  }),
  featureTypes: Type.Object({
    id: Type.String({ maxLength: 100, pattern: '^[A-Za-z0-9_-]+$' }),
    // No endpoint creates feature types.
    name: Type.Optional(Type.String({ maxLength: 100, pattern: '^\\P{C}*$' })),
    description: Type.Optional(Type.String({ maxLength: 1000 })),
    lifetimeDays: numberOrNull,
  }),
  contextFields: Type.Object({
    name: text,
    project: Type.Optional(name),
    createdAt,
    description: textOrNull,
    stickiness: yesNo,
    sortOrder: number,
    legalValues: list(Type.Object({ value: text, description: Type.Optional(text) })),
  }),
  tagTypes: Type.Object({ name: text, description: text, icon: textOrNull, color: textOrNull }),
  tags: tag,
  strategyTypes: Type.Object({
    name: text,
    title: textOrNull,
    description: text,
    deprecated: yesNo,
    parameters: list(Type.Object({ name: text, type: text, description: text, required: yesNo })),
  }),
  segments: Type.Object({
    id: Type.Optional(foreignId),
    createdAt,
    createdBy,
    name: text,
    description: textOrNull,
    project: nullable(name),
    constraints: list(constraint),
  }),
  projects: Type.Object({
    id: text,
    createdAt,
    archivedAt: Type.Optional(instantOrNull),
    name: text,
    description: textOrNull,
    mode: oneOf(['open', 'protected', 'private']),
    defaultStickiness: text,
    featureLimit: numberOrNull,
    featureNaming: naming,
    linkTemplates: list(Type.Object({ title: textOrNull, urlTemplate: text })),
    archived: yesNo,
    ours: Type.Optional(
      Type.Object({
        autoStale: yesNo,
        asksBeforeProduction: yesNo,
        budget: Type.Object({ maxStale: numberOrNull, minHealth: numberOrNull }),
      }),
    ),
    environments: list(
      Type.Object({
        ...{ name, defaultStrategy },
        requiredApprovals: Type.Optional(approvals),
        rules: Type.Optional(approvalRules),
      }),
    ),
    access: list(
      Type.Object({ role: name, account: Type.Optional(name), group: Type.Optional(name) }),
    ),
  }),
  features: Type.Object({
    name: text,
    project: name,
    type: text,
    description: textOrNull,
    stale: yesNo,
    impressionData: yesNo,
    archived: yesNo,
    createdAt: instantOrNull,
    createdBy,
    archivedAt: Type.Optional(instantOrNull),
    lifecycle: Type.Optional(lifecycle),
    tags: list(tag),
    links: Type.Optional(list(Type.Object({ url: text, title: textOrNull }))),
    owner: Type.Optional(nullable(Type.Object({ type: oneOf(['user', 'group']), name }))),
    expiresAt: Type.Optional(instantOrNull),
    dependencies: list(Type.Object({ feature: name, enabled: yesNo, variants: list(text) })),
    environments: list(
      Type.Object({ name, enabled: yesNo, strategies: list(strategy), variants: list(variant) }),
    ),
  }),
  roles: Type.Object({
    name: text,
    type: oneOf(['root', 'root-custom', 'project', 'custom']),
    description: text,
    permissions: list(Type.Object({ name: text, environment: Type.Optional(text) })),
  }),
  accounts: Type.Object({
    id: foreignId,
    createdAt,
    kind: oneOf(['person', 'service account']),
    name: text,
    username: textOrNull,
    email: textOrNull,
    rootRole: name,
  }),
  groups: Type.Object({
    createdAt,
    createdBy,
    name: text,
    description: text,
    mappingsSSO: list(text),
    rootRole: nullable(name),
    members: names,
  }),
  tokens: Type.Object({
    createdAt,
    name: text,
    type: oneOf(['admin', 'client', 'frontend']),
    environment: text,
    projects: list(text),
    expiresAt: textOrNull,
    alias: textOrNull,
    secret: nullable(secret),
  }),
  integrations: Type.Object({
    id: foreignId,
    createdAt,
    provider: name,
    description: textOrNull,
    enabled: yesNo,
    parameters: dictionary(secret, 'As stored; hidden ones are asterisks'),
    events: list(text),
    projects: list(text),
    environments: list(text),
    tags: Type.Optional(list(tag)),
    inOrder: Type.Optional(yesNo),
    retentionDays: Type.Optional(number),
  }),
  applications: Type.Object({
    name: text,
    description: textOrNull,
    url: textOrNull,
    icon: textOrNull,
    color: textOrNull,
    usage: Type.Optional(list(Type.Object({ project: name, environments: names }))),
    features: Type.Optional(list(Type.Object({ name, environments: names }))),
  }),
};

/** A list of a document. */
export type Section = keyof typeof shapes;

export const sourceShape = Type.Object({
  url: Type.String({ minLength: 1, maxLength: 2000 }),
  version: Type.String({ maxLength: 100 }),
  edition: Type.String({ maxLength: 100 }),
  readAt: Type.String({ maxLength: 100 }),
});

type Plain<T> = T extends readonly (infer Item)[]
  ? Plain<Item>[]
  : T extends object
    ? { -readonly [Key in keyof T]-?: Plain<T[Key]> }
    : T;
type Same<A, B> = [A, B] extends [B, A] ? true : never;

/** Does not compile if a document has something that the shapes do not know: it would be dropped. */
const isComplete: {
  readonly [Key in Exclude<keyof Installation, 'format' | 'source'>]: Key extends Section
    ? Same<Plain<Static<(typeof shapes)[Key]>>, Plain<Installation[Key][number]>>
    : never;
} = {
  environments: true,
  featureTypes: true,
  contextFields: true,
  tagTypes: true,
  tags: true,
  strategyTypes: true,
  segments: true,
  projects: true,
  features: true,
  roles: true,
  accounts: true,
  groups: true,
  tokens: true,
  integrations: true,
  applications: true,
};

export const sections = Object.keys(isComplete) as Section[];
