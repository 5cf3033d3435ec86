import { type Static, Type } from 'typebox';
import { nullable } from '../../../platform/contract/endpoint.ts';
import {
  describing,
  descriptionOrNull,
  maxInteger,
  nameText,
} from '../../../platform/contract/schema.ts';

export const tag = 'Projects';
export const scope = 'projectId';
export const params = Type.Object({ projectId: Type.String() });

export const name = nameText({ maxLength: 100 });
const description = nullable(describing('Purpose of the project'));
const mode = Type.Unsafe<'open' | 'protected' | 'private'>({
  type: 'string',
  enum: ['open', 'protected', 'private'],
  description: 'Who can see and change the project',
});
const defaultStickiness = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'Default stickiness of variants and gradual rollouts',
});
const featureLimit = nullable(
  Type.Integer({
    minimum: 0,
    maximum: maxInteger,
    description: 'Maximum number of features; null: unlimited',
  }),
);
const autoStale = Type.Boolean({
  description:
    'Whether features are marked as stale automatically when they pass their expected lifetime',
});
const asksBeforeProduction = Type.Boolean({
  description:
    'Whether the UI asks for confirmation before a feature is enabled or disabled in an environment of type production',
});
const maxStale = nullable(
  Type.Integer({
    minimum: 0,
    maximum: maxInteger,
    description: 'Maximum number of stale or potentially stale features; null: unlimited',
  }),
);
const minHealth = nullable(
  Type.Integer({
    minimum: 0,
    maximum: 100,
    description: 'Minimum health; null: none',
  }),
);
export const BudgetSchema = Type.Object(
  { maxStale, minHealth },
  { description: 'Health targets of the project. Exceeding them blocks nothing' },
);
export type Budget = Static<typeof BudgetSchema>;

const SetBudgetSchema = Type.Object({
  maxStale: Type.Optional(maxStale),
  minHealth: Type.Optional(minHealth),
});

export const instant = Type.String({ format: 'date-time' });

const FeatureNamingSchema = Type.Object({
  pattern: Type.String({ description: 'RE2 expression that must match the whole feature name' }),
  example: Type.Optional(Type.String({ description: 'A name that matches' })),
  description: Type.Optional(Type.String()),
});

const SetFeatureNamingSchema = Type.Object({
  pattern: nullable(
    Type.String({ maxLength: 1000, description: 'Empty or null: any name is allowed' }),
  ),
  example: Type.Optional(nullable(Type.String({ maxLength: 100 }))),
  description: Type.Optional(nullable(Type.String({ maxLength: 1000 }))),
});

const LinkTemplateSchema = Type.Object({
  title: nullable(Type.String({ description: 'Title of the link; null: its URL' })),
  urlTemplate: Type.String(),
});
export type LinkTemplate = Static<typeof LinkTemplateSchema>;

const SetLinkTemplateSchema = Type.Object({
  title: Type.Optional(nullable(nameText({ minLength: 0, maxLength: 200 }))),
  urlTemplate: Type.String({
    maxLength: 2000,
    pattern: '^[hH][tT][tT][pP][sS]?://\\S+$',
    'x-fault': 'must be a URL that starts with https:// or http://, at most 2000 characters',
    description: 'URL; {{feature}} and {{project}} are replaced by the feature name and project ID',
  }),
});
export type SetLinkTemplate = Static<typeof SetLinkTemplateSchema>;

export const ProjectSchema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  description: descriptionOrNull,
  mode,
  defaultStickiness: Type.String(),
  featureLimit,
  featureNaming: Type.Optional(FeatureNamingSchema),
  linkTemplates: Type.Array(LinkTemplateSchema, {
    description: 'Links for new features of the project',
  }),
  autoStale,
  asksBeforeProduction,
  budget: BudgetSchema,
  createdAt: instant,
  updatedAt: instant,
  archivedAt: Type.Optional(instant),
});
export type Project = Static<typeof ProjectSchema>;

/** The Terraform provider reads it after a change. It crashes at null and reads an absent value as none. */
export const givenDescription = Type.Optional(
  Type.String({ description: 'Omitted in this response if there is none' }),
);

export const favorite = Type.Boolean({ description: "Whether it's one of your favorites" });

export const health = Type.Integer({
  description:
    'Percentage of active features that are neither stale nor potentially stale; 100 without features',
});

/** Omitted properties stay; null removes a description. */
export const changeable = {
  description: Type.Optional(description),
  mode: Type.Optional(mode),
  defaultStickiness: Type.Optional(defaultStickiness),
  featureLimit: Type.Optional(featureLimit),
  featureNaming: Type.Optional(SetFeatureNamingSchema),
  linkTemplates: Type.Optional(Type.Array(SetLinkTemplateSchema, { maxItems: 100 })),
  autoStale: Type.Optional(autoStale),
  asksBeforeProduction: Type.Optional(asksBeforeProduction),
  budget: Type.Optional(SetBudgetSchema),
};

/** A change of a project. */
const ProjectChangeSchema = Type.Object({ name: Type.Optional(name), ...changeable });
export type ProjectChange = Static<typeof ProjectChangeSchema>;
